import { expect, test } from 'vitest';
import { MCP_RIGHTS } from '#test/support/mcp-rights.ts';
import { grantsOf, listOf, plain, resourcesOf, type Statement, templateOf } from '#test/support/stack.ts';

const template = templateOf();
const grants = grantsOf(template);

const actions = (service: string, words: string) =>
  words
    .split(' ')
    .map((word) => `${service}:${word}`)
    .sort();
const db = (words: string) => actions('dynamodb', words);
const s3 = (words: string) => actions('s3', words);
const LOGS = actions('logs', 'CreateLogStream PutLogEvents');
const RECEIVE = actions(
  'sqs',
  'ReceiveMessage DeleteMessage ChangeMessageVisibility GetQueueUrl GetQueueAttributes',
);
const SEND = actions('sqs', 'SendMessage');
const INVOKE = actions('bedrock', 'InvokeModel');
const WRITER = 'arn:AWS::Partition:bedrock:AWS::Region::foundation-model/amazon.nova-pro-v1:0';
const EMBEDDER = 'arn:AWS::Partition:bedrock:AWS::Region::foundation-model/amazon.titan-embed-text-v2:0';

/** What every function has that appends decisions and carries them out. */
const DECIDES = {
  'Tablesledger.Arn': db('Query PutItem UpdateItem'),
  'Tablesitems.Arn': db('GetItem BatchGetItem Query PutItem UpdateItem DeleteItem'),
  'Tablesrelations.Arn': db('Query PutItem'),
  'Tablesrelations.Arn/index/by_to': db('Query'),
  'Tablesdomains.Arn': db('GetItem UpdateItem'),
  'Tablescontrol.Arn': db('BatchGetItem GetItem UpdateItem'),
  'KnowledgeBucket.Arn': s3('ListBucket'),
  'KnowledgeBucket.Arn/bodies/*': s3('GetObject DeleteObject'),
  'KnowledgeBucket.Arn/vectors/*': s3('GetObject PutObject DeleteObject'),
  'KnowledgeBucket.Arn/knowledge_base/*': s3('GetObject PutObject DeleteObject'),
  'KnowledgeBucket.Arn/catalog/*': s3('GetObject'),
  'RecomputeQueue.Arn': SEND,
  [WRITER]: INVOKE,
  [EMBEDDER]: INVOKE,
};

/** What comes to it where documents are taken in. */
const UPLOADS = {
  'Tablescontrol.Arn': db('BatchGetItem GetItem PutItem UpdateItem'),
  'KnowledgeBucket.Arn/bodies/*': s3('GetObject PutObject DeleteObject'),
  'KnowledgeBucket.Arn/quarantine/*': s3('PutObject'),
  'AdmissionQueue.Arn': SEND,
};

test('each role may do what its function does, and nothing else', () => {
  expect(grants).toEqual({
    Upload: {
      'UploadLogs.Arn': LOGS,
      ...DECIDES,
      ...UPLOADS,
      'KnowledgeBucket.Arn/inbox/*': s3('GetObject PutObject DeleteObject'),
      'Tablesitems.Arn/index/due': db('Query'),
      'InboxQueue.Arn': RECEIVE,
    },
    Dedup: { 'DedupLogs.Arn': LOGS, ...DECIDES, 'AdmissionQueue.Arn': RECEIVE },
    Recompute: {
      'RecomputeLogs.Arn': LOGS,
      'Tablesledger.Arn': db('Query'),
      'Tablesitems.Arn': db('BatchGetItem'),
      'Tablesdomains.Arn': db('GetItem PutItem UpdateItem'),
      'KnowledgeBucket.Arn': s3('ListBucket'),
      'KnowledgeBucket.Arn/catalog/*': s3('GetObject'),
      'RecomputeQueue.Arn': [...RECEIVE, ...SEND].sort(),
      [WRITER]: INVOKE,
    },
    Lookup: {
      'LookupLogs.Arn': LOGS,
      'Tablesledger.Arn': db('Query'),
      'Tablesitems.Arn': db('GetItem BatchGetItem Query'),
      'Tablesitems.Arn/index/due': db('Query'),
      'Tablesrelations.Arn': db('Query'),
      'Tablesrelations.Arn/index/by_to': db('Query'),
      'Tablesrelations.Arn/index/by_type': db('Query'),
      'Tablesrelations.Arn/index/by_reverse': db('Query'),
      'Tablesdomains.Arn': db('GetItem Scan'),
      'Tablescontrol.Arn': db('GetItem'),
      'Tablessessions.Arn': db('GetItem PutItem UpdateItem DeleteItem'),
      'KnowledgeBucket.Arn': s3('ListBucket'),
      'KnowledgeBucket.Arn/bodies/*': s3('GetObject'),
      'KnowledgeBucket.Arn/vectors/*': s3('GetObject'),
      'KnowledgeBucket.Arn/knowledge_base/*': s3('GetObject'),
      'KnowledgeBucket.Arn/catalog/*': s3('GetObject'),
      [EMBEDDER]: INVOKE,
    },
    Mcp: {
      'McpLogs.Arn': LOGS,
      ...MCP_RIGHTS,
      [EMBEDDER]: INVOKE,
    },
    Reprocess: {
      'ReprocessLogs.Arn': LOGS,
      ...DECIDES,
      ...UPLOADS,
      'KnowledgeBucket.Arn/inbox/*': s3('GetObject DeleteObject'),
      'KnowledgeBucket.Arn/catalog/*': s3('GetObject PutObject DeleteObject'),
      'Tablesitems.Arn/index/due': db('Query'),
      'Tablesitems.Arn/index/incomplete': db('Query'),
      'Tablesitems.Arn/index/texts': db('Query'),
      'Tablesdomains.Arn': db('GetItem Scan UpdateItem'),
      'JobsQueue.Arn': RECEIVE,
    },
    Sweep: { 'ReprocessFunction.Arn': ['lambda:InvokeFunction'] },
  });
});

const holders = (resource: string, action: string): string[] =>
  Object.keys(grants)
    .filter((role) => grants[role]?.[resource]?.includes(action))
    .sort();

test('nobody may delete from the ledger, only those who project may write W, only lookup and mcp see sessions', () => {
  expect(holders('Tablesledger.Arn', 'dynamodb:DeleteItem')).toEqual([]);
  expect(holders('Tablesledger.Arn', 'dynamodb:PutItem')).toEqual(['Dedup', 'Reprocess', 'Upload']);
  expect(holders('Tablescontrol.Arn', 'dynamodb:UpdateItem')).toEqual(['Dedup', 'Reprocess', 'Upload']);
  expect(holders('Tablessessions.Arn', 'dynamodb:GetItem')).toEqual(['Lookup', 'Mcp']);
});

test('R3.6 snapshots of the catalog are read by all that have one, written and dropped by one', () => {
  const of = (action: string) => holders('KnowledgeBucket.Arn/catalog/*', `s3:${action}`);
  expect(of('GetObject')).toEqual(['Dedup', 'Lookup', 'Mcp', 'Recompute', 'Reprocess', 'Upload']);
  expect([of('PutObject'), of('DeleteObject')]).toEqual([['Reprocess'], ['Reprocess']]);
});

test('only the function that a queue feeds may receive from it', () => {
  const receivers = ['Inbox', 'Admission', 'Recompute', 'Jobs'].map((queue) => [
    queue,
    holders(`${queue}Queue.Arn`, 'sqs:ReceiveMessage'),
    holders(`${queue}Queue.Arn`, 'sqs:SendMessage'),
  ]);
  expect(receivers).toEqual([
    ['Inbox', ['Upload'], []],
    ['Admission', ['Dedup'], ['Mcp', 'Reprocess', 'Upload']],
    ['Recompute', ['Recompute'], ['Dedup', 'Recompute', 'Reprocess', 'Upload']],
    ['Jobs', ['Reprocess'], []],
  ]);
});

test('no action holds a wildcard, and no resource but a folder of the bucket', () => {
  const all = Object.values(grants).flatMap((granted) => Object.entries(granted));
  expect(all.flatMap(([, names]) => names).filter((name) => name.includes('*'))).toEqual([]);
  const folders = all.map(([resource]) => resource).filter((resource) => resource.includes('*'));
  expect([...new Set(folders)].sort()).toEqual(
    ['bodies', 'catalog', 'inbox', 'knowledge_base', 'quarantine', 'vectors'].map(
      (folder) => `KnowledgeBucket.Arn/${folder}/*`,
    ),
  );
});

test('roles are trusted to one service each, and bring no policy of AWS along', () => {
  const roles = Object.values(resourcesOf(template, 'AWS::IAM::Role')).map(({ Properties }) => Properties);
  const trusting = roles.map((properties) => {
    const { Statement } = properties.AssumeRolePolicyDocument as { Statement: Statement[] };
    return Statement.map(({ Principal }) => Principal);
  });
  expect(trusting).toEqual([
    ...Array.from({ length: 6 }, () => [{ Service: 'lambda.amazonaws.com' }]),
    [{ Service: 'scheduler.amazonaws.com' }],
  ]);
  expect(roles.flatMap(({ ManagedPolicyArns, Policies }) => [ManagedPolicyArns, Policies])).toEqual(
    Array.from({ length: 14 }, () => undefined),
  );
});

test('the search domain answers roles, each for its own paths, and recompute not at all', () => {
  const [domain] = Object.values(resourcesOf(template, 'AWS::OpenSearchService::Domain'));
  const { Statement } = domain!.Properties.AccessPolicies as { Statement: Statement[] };
  const prefix = 'arn:AWS::Partition:es:AWS::Region:AWS::AccountId:domain/knowhub-dev/';
  const access = Statement.map(({ Principal, Action, Resource }) => [
    plain((Principal as { AWS: unknown }).AWS),
    listOf(Action)
      .map((action) => action.replace('es:ESHttp', ''))
      .join(' '),
    plain(Resource).replace(prefix, ''),
  ]);
  expect(access).toEqual([
    ['UploadRole.Arn', 'Head Get Put Post Delete', 'knowledge-*'],
    ['DedupRole.Arn', 'Head Get Put Post Delete', 'knowledge-*'],
    ['ReprocessRole.Arn', 'Head Get Put Post Delete', 'knowledge-*'],
    ['LookupRole.Arn', 'Get', 'knowledge-*/_alias'],
    ['LookupRole.Arn', 'Post', 'knowledge-*/_search'],
    ['LookupRole.Arn', 'Post', 'knowledge-*/_msearch'],
    ['LookupRole.Arn', 'Post', 'knowledge-*/_mget'],
    ['McpRole.Arn', 'Get', 'knowledge-*/_alias'],
    ['McpRole.Arn', 'Post', 'knowledge-*/_search'],
    ['McpRole.Arn', 'Post', 'knowledge-*/_msearch'],
    ['McpRole.Arn', 'Post', 'knowledge-*/_mget'],
  ]);
});

test('models: the ARNs that the stage gives and no others; stand-ins need none', () => {
  const profile = 'arn:aws:bedrock:eu-west-1:111122223333:inference-profile/eu.amazon.nova-pro-v1:0';
  const model = 'arn:aws:bedrock:eu-central-1::foundation-model/amazon.nova-pro-v1:0';
  const named = grantsOf(
    templateOf({
      models: {
        writer: { bedrock: { model: 'amazon.nova-pro-v1:0', profile: 'eu' } },
        writer_arns: [profile, model],
        embedder: 'stand-in',
      },
    }),
  );
  const invokable = (granted: Record<string, string[]>) =>
    Object.keys(granted).filter((resource) => granted[resource]?.includes('bedrock:InvokeModel'));
  expect(
    Object.fromEntries(Object.entries(named).map(([role, granted]) => [role, invokable(granted)])),
  ).toEqual({
    Upload: [profile, model],
    Dedup: [profile, model],
    Recompute: [profile, model],
    Lookup: [],
    Mcp: [],
    Reprocess: [profile, model],
    Sweep: [],
  });
});
