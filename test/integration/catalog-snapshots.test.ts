import { expect, test, vi } from 'vitest';
import { decodeSnapshot } from '#lib/core/catalog-snapshot.ts';
import { SNAPSHOT_SCHEMA } from '#lib/core/catalog-snapshot-write.ts';
import type { Entry } from '#lib/core/entry.ts';
import { Unclear } from '#lib/core/errors.ts';
import { foldOf } from '#lib/core/fold.ts';
import { findByKeyword } from '#lib/core/keyword-index.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { project } from '#lib/usecases/project.ts';
import { removeItem } from '#lib/usecases/remove.ts';
import { storeCatalog } from '#lib/usecases/store-catalog.ts';
import { curator, file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import { plainFold } from '#test/support/plain-fold.ts';

const everyThird = () => knowledgeBase({ settings: { snapshot_every: 3 } });

/** Positions of the snapshots that are there. */
const stored = async ({ ports }: KnowledgeBase): Promise<number[]> =>
  (await ports.snapshots.list()).map(({ position }) => position);

const named = (base: KnowledgeBase): string[] =>
  base.calls.splice(0).map(({ port, method }) => `${port}.${method}`);

/** What an instance that has just started asks of stores when it reads the catalog. */
async function started(base: KnowledgeBase): Promise<{ instance: Instance; calls: string[] }> {
  const instance = base.another();
  base.calls.length = 0;
  await instance.catalog.refresh();
  return { instance, calls: named(base) };
}

const fromFirst = async ({ ports }: KnowledgeBase) =>
  plainFold(foldOf(await ports.ledger.readAfter(0, 10_000)));

/** So many amendments of the first item, in the ledger and nowhere else. */
async function amend({ ports }: KnowledgeBase, count: number): Promise<void> {
  const [first] = await ports.ledger.readAfter(0, 1);
  const head = (await ports.ledger.readAfter(0, 10_000)).at(-1)!.position;
  for (let position = head + 1; position <= head + count; position += 1) {
    const decision_id = `amended ${position}`;
    const entry: Entry = { ...first!, event: 'amended', by: 'sweep', position, decision_id };
    await ports.ledger.put(entry);
  }
}

test('R6.9 a snapshot is written when the ledger is so far past the last one, and not before', async () => {
  const base = everyThird();
  for (const n of [1, 2]) await base.admitted(`task ${n}`, `a${n}`);
  await base.sweep();
  expect(await stored(base)).toEqual([]);
  await base.admitted('task 3', 'a3');
  expect(await base.sweep()).toMatchObject({ snapshots_written: 1 });
  expect(await stored(base)).toEqual([3]);
  await base.admitted('task 4', 'a4');
  expect(await base.sweep()).toMatchObject({ snapshots_written: 0 });
  expect(await stored(base)).toEqual([3]);
});

test('R6.9 the last two are kept, and what lies after the head of the ledger is none of it', async () => {
  const base = everyThird();
  for (let n = 1; n <= 9; n += 1) {
    await base.admitted(`task ${n}`, `a${n}`);
    await base.sweep();
  }
  expect(await stored(base)).toEqual([6, 9]);
  await base.ports.snapshots.put(SNAPSHOT_SCHEMA, 40, new Uint8Array(8));
  await base.sweep();
  expect(await stored(base)).toEqual([6, 9]);
});

test('FIGURES R6.9 a function that starts reads the snapshot and the tail; once it runs, the tail alone', async () => {
  const base = everyThird();
  for (const n of [1, 2, 3]) await base.published(`d/${n}.md`, file(`keyword ${n}`, 'a'));
  await base.sweep();
  await base.published('d/4.md', file('keyword 4', 'b'));
  const { instance, calls } = await started(base);
  expect(calls).toEqual(['snapshots.list', 'snapshots.get', 'ledger.readAfter', 'ledger.readAfter']);
  expect(plainFold(instance.catalog.fold)).toEqual(await fromFirst(base));
  const found = (n: number) => findByKeyword(instance.catalog.keywords, `keyword ${n}`, () => true);
  expect([found(1).length, found(4).length]).toEqual([1, 1]);
  await instance.catalog.refresh();
  expect(named(base)).toEqual(['ledger.readAfter']);
});

test('FIGURES R6.9 where there is no snapshot a start costs one question more, once', async () => {
  const base = knowledgeBase();
  const { instance, calls } = await started(base);
  expect(calls).toEqual(['snapshots.list', 'ledger.readAfter']);
  await instance.catalog.refresh();
  expect(named(base)).toEqual(['ledger.readAfter']);
});

test('R6.9 calls that start together read the snapshot once', async () => {
  const base = everyThird();
  for (const n of [1, 2, 3]) await base.published(`d/${n}.md`, file(`keyword ${n}`, 'a'));
  await base.sweep();
  const fresh = base.another();
  base.calls.length = 0;
  const query = (n: number) => lookup(fresh)(curator, { query: `keyword ${n}`, session_id: `s${n}` });
  const replies = await Promise.all([1, 2, 3].map(query));
  expect(replies.map(({ documents }) => documents.map(({ path }) => path))).toEqual([
    ['d/1.md'],
    ['d/2.md'],
    ['d/3.md'],
  ]);
  expect(named(base).filter((call) => call.startsWith('snapshots'))).toEqual([
    'snapshots.list',
    'snapshots.get',
  ]);
});

test('R3.6 what is deleted is in no snapshot after the next sweep, those of other versions included', async () => {
  const base = knowledgeBase({ settings: { snapshot_every: 2 } });
  const id = await base.published('d/secret.md', file('secret', 'a'));
  for (const n of [1, 2, 3]) {
    await base.published(`d/${n}.md`, file(`other ${n}`, 'b'));
    await base.sweep();
  }
  await base.ports.snapshots.put(SNAPSHOT_SCHEMA + 1, 3, new Uint8Array(8));
  expect(await stored(base)).toEqual([2, 4, 3]);
  await removeItem(base.instance)(curator, id);
  await base.sweep();
  expect(await stored(base)).toEqual([5]);
  const bytes = (await base.ports.snapshots.get(SNAPSHOT_SCHEMA, 5))!;
  expect(Buffer.from(bytes).includes('other 1')).toBe(true);
  for (const encoding of ['utf8', 'utf16le'] as const)
    expect(Buffer.from(bytes).includes(Buffer.from('about secret', encoding))).toBe(false);
  expect(decodeSnapshot(bytes).fold().items.get(id)).toMatchObject({ status: 'removed', live: undefined });
});

test('R3.6 an erasure drops the snapshots that hold it where no new one can be written, too', async () => {
  const base = everyThird();
  const id = await base.admitted('task 1', 'a1');
  for (const n of [2, 3]) await base.admitted(`task ${n}`, `a${n}`);
  await base.sweep();
  await removeItem(base.instance)(curator, id);
  base.options.before = ({ port, method }) => {
    if (port === 'snapshots' && method === 'put') throw new Unclear('no answer');
  };
  await base.sweep();
  expect(await stored(base)).toEqual([]);
  base.options.before = () => undefined;
  for (const n of [4, 5]) await base.admitted(`task ${n}`, `a${n}`);
  await base.sweep();
  expect(await stored(base)).toEqual([6]);
});

test.each<[string, (base: KnowledgeBase) => Promise<void>]>([
  [
    'damaged',
    async ({ ports }) => {
      const bytes = (await ports.snapshots.get(SNAPSHOT_SCHEMA, 3))!;
      bytes[bytes.length >> 1]! ^= 1;
      await ports.snapshots.put(SNAPSHOT_SCHEMA, 3, bytes);
    },
  ],
  [
    'of another version',
    async ({ ports }) => {
      const bytes = (await ports.snapshots.get(SNAPSHOT_SCHEMA, 3))!;
      await ports.snapshots.remove(SNAPSHOT_SCHEMA, 3);
      await ports.snapshots.put(SNAPSHOT_SCHEMA + 1, 3, bytes);
    },
  ],
  [
    'under another position than its own',
    async ({ ports }) => {
      const bytes = (await ports.snapshots.get(SNAPSHOT_SCHEMA, 3))!;
      await ports.snapshots.remove(SNAPSHOT_SCHEMA, 3);
      await ports.snapshots.put(SNAPSHOT_SCHEMA, 4, bytes);
    },
  ],
  [
    'of a ledger that went another way since',
    async ({ ports }) => {
      const readAfter = ports.ledger.readAfter.bind(ports.ledger);
      ports.ledger.readAfter = async (position, limit) =>
        (await readAfter(position, limit)).map((entry) =>
          entry.position === 3 ? { ...entry, decision_id: 'another' } : entry,
        );
    },
  ],
  [
    'out of reach',
    async ({ options }) => {
      options.before = ({ port }) => {
        if (port === 'snapshots') throw new Unclear('no answer');
      };
    },
  ],
])('R6.9 a snapshot that is %s is passed over with a warning: the ledger alone tells', async (_, spoil) => {
  const base = everyThird();
  for (const n of [1, 2, 3, 4]) {
    await base.admitted(`task ${n}`, `a${n}`);
    if (n === 3) await base.sweep();
  }
  await spoil(base);
  const warn = vi.spyOn(base.ports.log, 'warn');
  const { instance } = await started(base);
  expect(plainFold(instance.catalog.fold)).toEqual(await fromFirst(base));
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});

test('R6.9 where the latest snapshot cannot be read the one before it is', async () => {
  const base = everyThird();
  for (let n = 1; n <= 6; n += 1) {
    await base.admitted(`task ${n}`, `a${n}`);
    await base.sweep();
  }
  await base.ports.snapshots.put(SNAPSHOT_SCHEMA, 6, new Uint8Array(8));
  const { instance, calls } = await started(base);
  expect(calls.filter((call) => call === 'snapshots.get')).toHaveLength(2);
  expect(plainFold(instance.catalog.fold)).toEqual(await fromFirst(base));
});

test('R6.9 where the store does not answer for the latest snapshot it is not asked for the one before', async () => {
  const base = everyThird();
  for (let n = 1; n <= 6; n += 1) {
    await base.admitted(`task ${n}`, `a${n}`);
    await base.sweep();
  }
  base.options.before = ({ port, method }) => {
    if (port === 'snapshots' && method === 'get') throw new Unclear('no answer');
  };
  const { instance, calls } = await started(base);
  expect(calls.filter((call) => call === 'snapshots.get')).toHaveLength(1);
  expect(plainFold(instance.catalog.fold)).toEqual(await fromFirst(base));
});

test('R6.9 R4.7 an instance far behind goes on from a newer snapshot; who holds its fold sees it whole', async () => {
  const base = knowledgeBase({ settings: { snapshot_every: 700, reload_behind: 500 } });
  const id = await base.published('d/a.md', file('keyword', 'a'));
  const behind = base.another();
  const held = await behind.catalog.refresh();
  await amend(base, 1500);
  await storeCatalog(base.another());
  await amend(base, 10);
  base.calls.length = 0;
  const [f] = await Promise.all([behind.catalog.refresh(), behind.catalog.refresh()]);
  expect(f).toBe(held);
  expect(plainFold(held)).toEqual(await fromFirst(base));
  expect(held.items.get(id)).toMatchObject({ live_pos: 1511 });
  // The page that tells that it is far behind, and the tail after the snapshot; not the 1,000 entries between.
  const read = base.calls.filter(({ port, method }) => port === 'ledger' && method === 'readAfter');
  expect(read.map(({ args }) => args[0])).not.toContain(1001);
  expect(base.calls.filter(({ method }) => method === 'get')).toHaveLength(1);
});

test('R4.7 a projection that is far behind starts from a snapshot that is not after its W', async () => {
  const base = knowledgeBase({ settings: { snapshot_every: 100 } });
  await base.published('d/a.md', file('keyword', 'a'));
  await amend(base, 300);
  await base.sweep();
  expect(await stored(base)).toEqual([301]);
  await amend(base, 10);
  const fresh = base.another();
  base.calls.length = 0;
  await project(fresh)('records');
  const read = base.calls.filter(({ port, method }) => port === 'ledger' && method === 'readAfter');
  expect(Math.min(...read.map(({ args }) => args[0] as number))).toBe(300);
  expect(await base.ports.projections.get('records')).toMatchObject({ W: 311 });
});
