const db = (words: string) => words.split(' ').map((word) => `dynamodb:${word}`);

/** What the role of `mcp` may do beside its logs and the model. */
export const MCP_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  'Tablesledger.Arn': db('Query'),
  'Tablesitems.Arn': db('BatchGetItem GetItem PutItem'),
  'Tablesdomains.Arn': db('Scan'),
  'Tablescontrol.Arn': db('GetItem'),
  'Tablessessions.Arn': db('DeleteItem GetItem PutItem UpdateItem'),
  'KnowledgeBucket.Arn': ['s3:ListBucket'],
  'KnowledgeBucket.Arn/bodies/*': ['s3:GetObject'],
  'KnowledgeBucket.Arn/vectors/*': ['s3:GetObject'],
  'KnowledgeBucket.Arn/catalog/*': ['s3:GetObject'],
  'AdmissionQueue.Arn': ['sqs:SendMessage'],
};
