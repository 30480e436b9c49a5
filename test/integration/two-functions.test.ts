import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotFound } from '#lib/core/errors.ts';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { admit } from '#lib/usecases/admit.ts';
import { getDocument } from '#lib/usecases/get-document.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { listDocuments } from '#lib/usecases/list-documents.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { removeDocument, removeItem } from '#lib/usecases/remove.ts';
import { review } from '#lib/usecases/review.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import type { DemoStores } from '../../bin/support/demo-stores.ts';
import { startEmulatedStores } from '../../bin/support/emulated-stores.ts';

/** Two functions over the same tables and buckets: dynalite and fauxqs, by the adapters of production. */
let stores: DemoStores;
beforeAll(async () => {
  stores = await startEmulatedStores();
});
afterAll(() => stores.close());

const PATH = 'ops/compaction.md';
const human = { principal: 'curator', scopes: [] };
const agent = { principal: 'agent', scopes: [] };

const text = (title: string, keyword: string, body: string) =>
  `---\ntitle: ${title}\nsummary: ${title}\nkeywords: [${keyword}]\ncovers: [${title} cover]\nwhen_to_retrieve: asked about ${title}\n---\n# ${title}\n\n${body}\n`;
const FIRST = text('Nightly compaction', 'LEDGER_NIGHTLY', 'It runs every night at two.');
const SECOND = text('Weekly compaction', 'LEDGER_WEEKLY', 'It runs on Sundays at noon.');

/** Decides, and leaves every projection to somebody else: rows, mirror and index stay as they were. */
const withoutProjecting = (instance: Instance): Instance => ({
  ...instance,
  projections: { ...instance.projections, takeLease: async () => undefined },
});

async function functions(projecting: boolean) {
  const system = await stores.open();
  await sweep(system.instance)();
  const one = projecting ? system.start() : withoutProjecting(system.start());
  const other = system.start();
  // A function for each way to ask: none has heard of a change by another call.
  const [by_path, by_map, by_list, by_keyword, by_old_keyword] = Array.from({ length: 5 }, system.start);
  const found = async (query: string, asked = other) =>
    (await lookup(asked)(agent, { query })).documents.map(({ id }) => id);
  return {
    one,
    other,
    found,
    async publish(content: string) {
      const { id } = await uploadDocument(one)(human, {
        category: 'ops',
        filename: 'compaction.md',
        content,
      });
      return { id, decide: () => admit(one)(id) };
    },
    /** What other functions say of the path, each at its first call after what was done. */
    async says() {
      const [nightly, weekly] = [
        await found('LEDGER_NIGHTLY', by_old_keyword),
        await found('LEDGER_WEEKLY', by_keyword),
      ];
      const at_path = await getDocument(by_path!)(agent, PATH).then(
        ({ content }) => /title: (\w+)/.exec(content)?.[1],
        (error: unknown) => {
          if (error instanceof NotFound) return 'nothing';
          throw error;
        },
      );
      const map = await knowledgeMap(by_map!)(agent);
      const mapped = ['Nightly', 'Weekly'].filter((word) => map.includes(`${word} compaction cover`));
      const listed = (await listDocuments(by_list!)(agent, { limit: 9 })).items.map(({ id, status }) => [
        id,
        status,
      ]);
      return { nightly, weekly, at_path, mapped, listed };
    },
  };
}

const nothing = { nightly: [], weekly: [], at_path: 'nothing', mapped: [], listed: [] };

test.each([
  ['once every projection has it', true],
  ['while no projection has heard of it', false],
])(
  'R6.9 R3.5 R3.6 what one function decides the other obeys at its next call: lookup, document, map and listing, %s',
  async (_, projecting) => {
    const { one, publish, says } = await functions(projecting);
    expect(await says()).toEqual(nothing);

    const first = await publish(FIRST);
    expect(await says()).toEqual(nothing);
    await first.decide();
    const nightly = {
      ...nothing,
      nightly: [first.id],
      at_path: 'Nightly',
      mapped: ['Nightly'],
      listed: [[first.id, 'approved']],
    };
    expect(await says()).toEqual(nightly);

    const second = await publish(SECOND);
    expect(await says()).toEqual(nightly);
    await second.decide();
    const weekly = {
      ...nothing,
      weekly: [second.id],
      at_path: 'Weekly',
      mapped: ['Weekly'],
      listed: [[second.id, 'approved']],
    };
    expect(await says()).toEqual(weekly);

    await review(one)(human, second.id, { action: 'check' });
    expect((await says()).listed).toEqual([[second.id, 'checked']]);
    await review(one)(human, second.id, { action: 'reject', reason: 'out of date' });
    expect(await says()).toEqual(nothing);
    await review(one)(human, second.id, { action: 'restore' });
    expect(await says()).toEqual(weekly);

    await removeDocument(one)(human, PATH);
    expect(await says()).toEqual(nothing);
  },
);

test('R6.9 an entry is found by meaning through the other function as soon as it is admitted, and no more once it is removed', async () => {
  const { one, found } = await functions(true);
  const { knowledge_id } = await addEntry(one)(human, {
    task: 'rotate the signing keys',
    content: 'Rotate the signing keys of the mailer every month.',
  });
  const query = 'how are signing keys of the mailer rotated';
  expect(await found(query)).toEqual([]);
  await admit(one)(knowledge_id);
  expect(await found(query)).toEqual([knowledge_id]);
  await removeItem(withoutProjecting(one))(human, knowledge_id);
  expect(await found(query)).toEqual([]);
});

test('R6.5 R6.6 R6.9 a session goes on in the other function: what one has handed over the other does not', async () => {
  const { one, other, publish } = await functions(true);
  const { id, decide } = await publish(FIRST);
  await decide();
  const asked = { query: 'LEDGER_NIGHTLY', session_id: 's', domain: 'ops' };
  expect((await lookup(one)(agent, asked)).documents.map((document) => document.id)).toEqual([id]);
  const again = await lookup(other)(agent, asked);
  expect(again).toMatchObject({
    documents: [],
    suppressed: [{ id, path: PATH, reason: 'already_returned' }],
    session: { searched_domains: ['ops'], returned: [id] },
  });
  expect(again.message).toContain('ops/compaction.md (Nightly compaction)');
});
