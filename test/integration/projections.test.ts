import { expect, test } from 'vitest';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { admit } from '#lib/usecases/admit.ts';
import { PROJECTIONS, projectAll } from '#lib/usecases/project.ts';
import { removeItem } from '#lib/usecases/remove.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { curator, file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const T = 'Restart the ledger';
const HELD = 'held by another';

/** Another worker is at all projections. */
async function hold({ ports: { projections }, clock }: KnowledgeBase): Promise<void> {
  for (const name of PROJECTIONS)
    await projections.takeLease(name, { token: HELD, at: clock.now() }, 0, Number.MAX_SAFE_INTEGER);
}

/** It died: nobody looks once more. */
async function letGo({ ports: { projections } }: KnowledgeBase): Promise<void> {
  for (const name of PROJECTIONS) await projections.releaseLease(name, HELD);
}

const positions = async ({ ports }: KnowledgeBase) =>
  Object.fromEntries((await ports.projections.getMany(PROJECTIONS)).map(({ name, W }) => [name, W]));

const named = ({ calls }: KnowledgeBase, from = 0): string[] =>
  calls.slice(from).map(({ port, method }) => `${port}.${method}`);

const counts = (calls: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(calls, (call) => call)].map(([call, all]) => [call, all.length]));

async function afterDecision(base: KnowledgeBase, id: string): Promise<string[]> {
  const from = base.calls.length;
  await admit(base.another())(id);
  const made = named(base, from);
  return made.slice(made.lastIndexOf('ledger.put') + 1);
}

test('R6.9 what another worker is carrying on costs one read, and no lease is asked for', async () => {
  const base = knowledgeBase();
  const id = await base.entry(T, 'a');
  await hold(base);
  expect(await afterDecision(base, id)).toEqual(['projections.getMany']);
});

test('R6.9 what another worker has projected already costs one read', async () => {
  const base = knowledgeBase();
  const id = await base.entry(T, 'a');
  let first = true;
  base.options.before = async ({ port, method }) => {
    if (port !== 'projections' || method !== 'getMany' || !first) return;
    first = false;
    await projectAll(base.another());
  };
  const from = base.calls.length;
  await admit(base.instance)(id);
  const made = named(base, from);
  expect(made.at(-1)).not.toBe('projections.takeLease');
  expect(counts(made)['projections.takeLease']).toBe(PROJECTIONS.length);
  expect(await positions(base)).toEqual({ records: 1, mirror: 1, index: 1 });
});

test('R6.9 who gives a lease back looks once more: what came in meanwhile is projected', async () => {
  for (const [port, method] of [
    ['items', 'applyDecision'],
    ['index', 'bulk'],
    ['projections', 'advance'],
  ]) {
    const base = knowledgeBase();
    const [first, second] = [await base.entry(T, 'a'), await base.entry('another task', 'b')];
    let met = false;
    base.options.before = async (call) => {
      if (call.port !== port || call.method !== method || met) return;
      met = true;
      await admit(base.another())(second);
    };
    await admit(base.instance)(first);
    expect([met, await positions(base)]).toEqual([true, { records: 2, mirror: 2, index: 2 }]);
  }
});

test('R6.9 who held a lease and had nothing to do looks once more, too', async () => {
  const base = knowledgeBase();
  await base.admitted('an earlier task', 'x');
  const id = await base.entry(T, 'a');
  let met = false;
  base.options.before = async ({ port, method, args }) => {
    if (port !== 'projections' || method !== 'releaseLease' || args[0] !== 'index' || met) return;
    met = true;
    await admit(base.another())(id);
  };
  await projectAll(base.instance);
  expect([met, await positions(base)]).toEqual([true, { records: 2, mirror: 2, index: 2 }]);
});

test('R6.9 many entries cost one pass: each row, each domain and W are written once', async () => {
  const base = knowledgeBase();
  await hold(base);
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) ids.push(await base.entry(`task ${n}`, `a${n}`));
  for (const id of ids) await admit(base.instance)(id);
  await letGo(base);
  const from = base.calls.length;
  await projectAll(base.instance);
  expect(counts(named(base, from))).toMatchObject({
    'items.applyDecision': 12,
    'domains.markDirty': 1,
    'index.bulk': 1,
    'projections.advance': 3,
    'items.getMany': 1,
    'vectors.tasks': 1,
    'vectors.sections': 12,
  });
  expect(named(base, from)).not.toContain('projections.releaseLease');
  expect(await positions(base)).toEqual({ records: 12, mirror: 12, index: 12 });
});

test('R6.9 an index that is late is written a hundred documents at a time', async () => {
  const base = knowledgeBase();
  await hold(base);
  for (let n = 1; n <= 101; n += 1) await base.admitted(`task ${n}`, `a${n}`);
  await letGo(base);
  const from = base.calls.length;
  await projectAll(base.instance);
  const bulks = base.calls.slice(from).filter(({ port, method }) => port === 'index' && method === 'bulk');
  expect(bulks.map(({ args }) => (args[1] as unknown[]).length)).toEqual([100, 1]);
  expect((await positions(base)).index).toBe(101);
});

test('R4.3 each duplicate in one pass gives its point', async () => {
  const base = knowledgeBase();
  const kept = await base.admitted(T, 'a b c');
  await hold(base);
  for (const words of ['a', 'b', 'c', 'a b']) await base.admitted(T, words);
  expect(await base.helpful(kept)).toBe(1);
  await letGo(base);
  await base.sweep();
  expect(await base.helpful(kept)).toBe(5);
});

test('R3.6 what was admitted and removed before anybody projected it leaves nothing', async () => {
  const base = knowledgeBase();
  const kept = await base.admitted(T, 'a');
  await hold(base);
  const gone = await base.admitted(T, 'b');
  await removeItem(base.instance)(curator, gone);
  await letGo(base);
  await base.sweep();
  const { relations, bodies, vectors } = base.ports;
  expect(await base.status(gone)).toBe('removed');
  expect(await relations.of(kept)).toEqual([]);
  expect([await bodies.get(gone, 'entry'), await vectors.tasks([gone])]).toEqual([undefined, []]);
});

test('R3.5 R2.4 a version that was replaced before anybody projected it keeps its relations', async () => {
  const base = knowledgeBase();
  const other = await base.admitted(T, 'x');
  await hold(base);
  const old = await base.published('payment/a.md', file(T, 'a'));
  await base.published('payment/a.md', file(T, 'b'));
  await letGo(base);
  await base.sweep();
  const rows = await base.ports.relations.of(old);
  expect(rows.map(({ from, to }) => [from, to])).toEqual([[old, other]]);
  expect(await base.status(old)).toBe('rejected replaced');
});

test('R6.9 a projection that is far behind is carried on as well, from the ledger', async () => {
  const base = knowledgeBase();
  await hold(base);
  for (let n = 0; n < 4; n += 1) await base.admitted(`task ${n}`, `a${n}`);
  await letGo(base);
  const instance = base.another();
  const forgetful = { ...instance, catalog: { ...instance.catalog, changesAfter: () => undefined } };
  await projectAll(forgetful);
  expect(await positions(base)).toEqual({ records: 4, mirror: 4, index: 4 });
  expect(await base.ports.items.due(base.clock.now() + 1e9, { pending: 1e15, processing: 1e15 }, 9)).toEqual(
    [],
  );
});

test('R6.9 one worker does not carry on for all for ever: after a while it gives way', async () => {
  const base = knowledgeBase();
  let n = 0;
  let taken = false;
  base.options.before = async ({ port, method }) => {
    if (port === 'clock' && method === 'sleep' && n > 0 && !taken) {
      taken = true;
      await hold(base);
    }
    if (port !== 'index' || method !== 'bulk' || taken) return;
    n += 1;
    const writer = base.another();
    const { knowledge_id } = await addEntry(writer)(curator, { task: `task ${n}`, content: `a${n}` });
    await admit(writer)(knowledge_id);
  };
  await base.admitted(T, 'a');
  expect([taken, n]).toEqual([true, 5]);
  await letGo(base);
  base.options.before = undefined;
  await sweep(base.another())();
  expect(await positions(base)).toEqual({ records: 6, mirror: 6, index: 6 });
});
