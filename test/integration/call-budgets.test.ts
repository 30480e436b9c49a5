import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatePorts } from '#lib/adapters/memory/gate.ts';
import { STANDIN_RELEVANCE_FLOOR, STANDIN_SIMILARITY_FLOOR } from '#lib/adapters/standin/embedder.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import type { Ports } from '#lib/ports.ts';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { admit } from '#lib/usecases/admit.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { type AwsStores, startAwsStores } from '#test/support/aws-stores.ts';

const caller = { principal: 'agent', scopes: [] };
const settings = { similarity_floor: STANDIN_SIMILARITY_FLOOR, relevance_floor: STANDIN_RELEVANCE_FLOOR };

let stores: AwsStores;
let ports: Ports;
/** Every request to AWS by its name, and every call to the index and to a model. */
let calls: string[] = [];

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** Stands in the list of calls where the decision is in the ledger. */
const DECIDED = 'decided';

const taken = (): { aws: string[]; models: string[] } => {
  const made = calls;
  calls = [];
  return {
    aws: made.filter((call) => !call.startsWith('model.')),
    models: made.filter((call) => call.startsWith('model.')),
  };
};

const instance = (): Instance => createInstance(ports, settings);

beforeAll(async () => {
  stores = await startAwsStores();
  stores.onRequest((operation) => calls.push(operation));
  const quiet = { ...stores.compose().instance, model: createStandinModel(), log: SILENT };
  ports = gatePorts(quiet, async (call, perform) => {
    if (call.port === 'index' || call.port === 'model') calls.push(`${call.port}.${call.method}`);
    const answer = await perform();
    if (call.port === 'ledger' && call.method === 'put') calls.push(DECIDED);
    return answer;
  });
});

afterAll(() => stores.stop());

/** Takes an item in and decides it; its projections are brought along by somebody else. */
async function stored(task: string, content: string): Promise<string> {
  const writer = instance();
  const { knowledge_id } = await addEntry(writer)(caller, { task, content });
  await admit(writer)(knowledge_id);
  taken();
  return knowledge_id;
}

/** An admission up to its place in the ledger: what the projections cost comes on top, one pass for many entries. */
async function decided(task: string, content: string) {
  const worker = instance();
  const { knowledge_id } = await addEntry(worker)(caller, { task, content });
  await worker.catalog.refresh();
  taken();
  const outcome = await admit(worker)(knowledge_id);
  const at = calls.indexOf(DECIDED);
  const projecting = calls.slice(at + 1);
  calls = calls.slice(0, at);
  return { outcome, ...taken(), projecting };
}

test('FIGURES design 8: an admission without candidates costs at most 10 calls to AWS, and only embeddings', async () => {
  await stored('Rotate the keys of the mailer', 'Use the vault, then restart the mailer.');
  const { outcome, aws: made, models } = await decided('Clean the coffee machine', 'Descale it every month.');
  expect(outcome).toMatchObject({ kind: 'decided', item: { status: 'approved' } });
  expect(made.length, made.join(' ')).toBeLessThanOrEqual(10);
  expect(new Set(models)).toEqual(new Set(['model.embed']));
});

test('FIGURES design 8: an admission with candidates costs at most 12 calls to AWS and one judgement', async () => {
  await stored('Restart the ledger of the shop', 'Stop the writers.');
  await stored('Restart the ledger of the shop', 'Wait for the replicas to catch up.');
  const {
    outcome,
    aws: made,
    models,
    projecting,
  } = await decided('Restart the ledger of the shop', 'Call the operator on duty before anything else.');
  expect(outcome).toMatchObject({ kind: 'decided', item: { status: 'approved' } });
  const relations = outcome.kind === 'decided' ? outcome.item.relations.length : 0;
  expect(relations).toBe(2);
  expect(made.length, made.join(' ')).toBeLessThanOrEqual(12);
  expect(models.filter((call) => call === 'model.complete')).toHaveLength(1);
  expect(projecting.length, projecting.join(' ')).toBeLessThanOrEqual(PROJECTING + relations);
});

/** One read of who is at it, three leases, what they write, W with the lease given back, two looks; relations on top. */
const PROJECTING = 17;

test('FIGURES R6.6 design 8: a lookup stopped by its domain costs one read of its session', async () => {
  await published();
  const asking = instance();
  await lookup(asking)(caller, { query: 'QUARTZ_42', domain: 'budgets', session_id: 'stopped' });
  taken();
  const cold = instance();
  const reply = await lookup(cold)(caller, {
    query: 'QUARTZ_42 again',
    domain: 'budgets',
    session_id: 'stopped',
  });
  expect(reply.documents).toEqual([]);
  expect(taken()).toEqual({ aws: ['Get'], models: [] });
});

test('FIGURES R6.2 design 8: a unique keyword match costs two round trips and no embedding', async () => {
  await published();
  const asking = instance();
  await asking.catalog.refresh();
  taken();
  const reply = await lookup(asking)(caller, { query: 'QUARTZ_42', session_id: 'unique' });
  expect(reply).toMatchObject({
    level: 'L0',
    confidence: 'high',
    documents: [{ path: 'budgets/quartz.md' }],
  });
  const { aws: made, models } = taken();
  // The tail beside the session, then the item beside the claim.
  expect([made.slice(0, 2).sort(), made.slice(2).sort(), models]).toEqual([
    ['Get', 'Query'],
    ['BatchGet', 'Update'],
    [],
  ]);
});

test('FIGURES R6.3 design 8: a lookup by meaning costs one embedding and one request to the index more', async () => {
  await published();
  // Two seconds would be little on a busy machine.
  const now = ports.clock.now();
  const asking = createInstance({ ...ports, clock: { ...ports.clock, now: () => now } }, settings);
  const query = 'how is the oscillator calibrated';
  await lookup(asking)(caller, { query, session_id: 'the first one' });
  // The name of the index is known from a call less than two seconds ago: two small reads otherwise.
  taken();
  const reply = await lookup(asking)(caller, { query, session_id: 'meaning' });
  expect(reply).toMatchObject({ level: 'L1', documents: [{ path: 'budgets/quartz.md' }] });
  const { aws: made, models } = taken();
  expect(models).toEqual(['model.embed']);
  expect(made.filter((call) => call === 'index.search')).toHaveLength(1);
  expect(made.filter((call) => call !== 'index.search').sort()).toEqual([
    'BatchGet',
    'Get',
    'Query',
    'Update',
  ]);
});

let document: Promise<void> | undefined;
/** One document with a keyword of its own. */
function published(): Promise<void> {
  document ??= (async () => {
    const writer = instance();
    const content =
      '---\ntitle: Calibrate the oscillator\nsummary: How the quartz oscillator is calibrated\nkeywords: [QUARTZ_42]\ncovers: [drift]\nwhen_to_retrieve: the clock drifts\n---\n# Calibrate the oscillator\n\nThe oscillator is calibrated against the reference once a year.\n';
    const { id } = await uploadDocument(writer)(caller, {
      category: 'budgets',
      filename: 'quartz.md',
      content,
    });
    await admit(writer)(id);
  })();
  return document;
}
