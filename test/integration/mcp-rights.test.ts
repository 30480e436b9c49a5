import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExchange } from '#lib/runtime/mcp/exchange.ts';
import { createRouter } from '#lib/runtime/router.ts';
import { mcpRoutes } from '#lib/runtime/routes/mcp.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { admit } from '#lib/usecases/admit.ts';
import { storeCatalog } from '#lib/usecases/store-catalog.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { gatewayEvent } from '#test/support/api.ts';
import { type AwsStores, startAwsStores } from '#test/support/aws-stores.ts';
import { file } from '#test/support/instance.ts';
import { MCP_RIGHTS } from '#test/support/mcp-rights.ts';

const WORDS = 'a pod that hangs while it terminates, and its finalizer waits';
const caller = { principal: 'curator', scopes: [] };

let stores: AwsStores;
let runtime: Runtime;
/** Each `resource action`, as the role's grants name them. */
const used = new Set([
  // S3 asks for it where an object is not there.
  'KnowledgeBucket.Arn s3:ListBucket',
]);

/** What a request does to what, in the words of the stack's template. */
function useOf(operation: string, input: Record<string, unknown>): string[] {
  const called = (table: unknown) => Object.entries(stores.tables).find(([, name]) => name === table)![0];
  if (input.QueueUrl !== undefined) return [`AdmissionQueue.Arn sqs:${operation}`];
  if (operation === 'ListObjectsV2') return ['KnowledgeBucket.Arn s3:ListBucket'];
  if (input.Bucket !== undefined)
    return [`KnowledgeBucket.Arn/${String(input.Key).split('/')[0]}/* s3:${operation}`];
  if (input.RequestItems !== undefined)
    return Object.keys(input.RequestItems as object).map(
      (table) => `Tables${called(table)}.Arn dynamodb:BatchGetItem`,
    );
  const actions: Record<string, string> = {
    Get: 'GetItem',
    Put: 'PutItem',
    Update: 'UpdateItem',
    Delete: 'DeleteItem',
    Query: 'Query',
    Scan: 'Scan',
  };
  const index = typeof input.IndexName === 'string' ? `/index/${input.IndexName}` : '';
  return [`Tables${called(input.TableName)}.Arn${index} dynamodb:${actions[operation]}`];
}

beforeAll(async () => {
  stores = await startAwsStores();
  const compose = () => stores.compose({ LOG_LEVEL: 'ERROR', MCP_SESSION_KEY: 'a key of the test' });
  const writer = compose();
  for (const name of ['drain', 'cordon']) {
    const content = file(name, `# Of ${name}\n\n${WORDS}, as ${name} has it.`);
    const { id } = await uploadDocument(writer.instance)(caller, {
      category: 'ops',
      filename: `${name}.md`,
      content,
    });
    await admit(writer.instance)(id);
  }
  await storeCatalog({ ...writer.instance, settings: { ...writer.instance.settings, snapshot_every: 1 } });
  stores.onRequest((operation, input) => {
    for (const use of useOf(operation, input)) used.add(use);
  });
  runtime = { ...compose(), meter: () => undefined };
});
afterAll(() => stores.stop());

test('API all that is done over MCP is within the rights of its role, and none of them is for nothing', async () => {
  const exchange = createExchange(runtime);
  const routes = mcpRoutes.map((route) => ({ ...route, exchange }));
  const router = createRouter(runtime.instance, { ...runtime, routes });
  let session: Record<string, string> = {};
  let id = 0;
  const say = async (method: string, params: object = {}, again = false): Promise<string> => {
    if (!again) id += 1;
    const body = { jsonrpc: '2.0', id, method, params };
    const reply = await router(gatewayEvent('POST', '/mcp', { body, headers: session }));
    const given = reply.headers['mcp-session-id'];
    if (given !== undefined) session = { 'mcp-session-id': given };
    expect(reply.body).not.toMatch(/"isError":true|"error":/);
    return reply.body;
  };
  const call = (name: string, args: object, again = false) =>
    say('tools/call', { name, arguments: args }, again);

  const initialize = () =>
    say('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
  await initialize();
  await say('resources/read', { uri: 'knowhub://map' });
  await say('prompts/get', { name: 'executor' });
  expect(await call('lookup_knowledge', { query: 'drain', domain: 'ops' })).toContain('Found 1 document');
  expect(await call('lookup_knowledge', { query: 'drain', domain: 'ops' })).toContain('searched already');
  await call('get_document', { path: 'ops/drain.md' });
  await call('save_knowledge', { task: 'a task', content: 'its content' });
  await initialize();
  const by_meaning = { query: WORDS };
  const first = await call('lookup_knowledge', by_meaning);
  const lines: string[] = JSON.parse(first).result.content[0].text.split('\n');
  const section = lines.find((line) => line.startsWith('section: '))!.slice('section: '.length);
  // The excerpt begins with it; once is enough.
  expect(lines).not.toContain(section);
  const timeless = (answer: string) => answer.replaceAll(/"took_ms":\d+/g, '');
  expect(timeless(await call('lookup_knowledge', by_meaning, true))).toBe(timeless(first));
  // Whoever comes second finds that its claim is refused.
  await initialize();
  await Promise.all(['drain', 'Drain', 'DRAIN'].map((query) => call('lookup_knowledge', { query })));
  await router(gatewayEvent('DELETE', '/mcp', { headers: session }));

  const granted = Object.entries(MCP_RIGHTS).flatMap(([resource, actions]) =>
    actions.map((action) => `${resource} ${action}`),
  );
  expect([...used].sort()).toEqual(granted.sort());
});
