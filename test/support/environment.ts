/** The least that a function must be told. */
export const environment = {
  KNOWHUB_FUNCTION: 'lookup',
  TABLE_ITEMS: 'items',
  TABLE_RELATIONS: 'relations',
  TABLE_DOMAINS: 'domains',
  TABLE_LEDGER: 'ledger',
  TABLE_CONTROL: 'control',
  TABLE_SESSIONS: 'sessions',
  BUCKET: 'knowledge',
  QUEUE_ADMISSION_URL: 'https://sqs.eu-west-1.amazonaws.com/111122223333/admission',
  QUEUE_RECOMPUTE_URL: 'https://sqs.eu-west-1.amazonaws.com/111122223333/recompute',
  EMBEDDER: '{"bedrock": {}}',
  WRITER: '"stand-in"',
  OPENSEARCH_URL: 'https://search.eu-west-1.es.amazonaws.com',
};
