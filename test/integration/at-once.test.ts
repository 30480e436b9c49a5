import { expect, test } from 'vitest';
import { payloadOf } from '#lib/core/admission.ts';
import { KnowHubError, ModelUnavailable } from '#lib/core/errors.ts';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { admit } from '#lib/usecases/admit.ts';
import { importEntry } from '#lib/usecases/import-entry.ts';
import { removeDocument, removeItem } from '#lib/usecases/remove.ts';
import { review } from '#lib/usecases/review.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { DAY, MINUTE, SECOND } from '#test/support/clock.ts';
import { whileJudgeThinks } from '#test/support/held-judge.ts';
import { curator, file, knowledgeBase, stranger } from '#test/support/instance.ts';

const T = 'Timeout';
const ID = 'knowledge-20250101-000000-0000000a';
const written = () =>
  JSON.stringify({ title: 'w', summary: 'w', keywords: ['written'], covers: ['w'], when_to_retrieve: 'w' });

test('R3.1 R6.8 import under the id of a waiting scoped entry must not make its task public', async () => {
  const base = knowledgeBase();
  const secret = await base.entry('secret plan', 'a b c', { scopes: ['org:a'] });
  await importEntry(base.instance)(stranger, secret, { task: T, content: 'harmless' }).catch(() => undefined);
  await base.work();
  base.clock.pass(MINUTE);
  await base.sweep();
  await base.work();
  const told = base.model.completions.filter(({ prompt }) => prompt.startsWith('domain-summary'));
  expect(JSON.stringify(told)).not.toContain('secret plan');
  expect((await base.row(secret)).scopes).toEqual(base.instance.catalog.fold.items.get(secret)?.scopes);
});

test('R3.1 R4.1 import under the id of a waiting scoped entry: the judge is not shown its text for a public newcomer', async () => {
  const base = knowledgeBase();
  const secret = await base.entry(T, 'a b c', { scopes: ['org:a'] });
  await importEntry(base.instance)(stranger, secret, { task: T, content: 'harmless' }).catch(() => undefined);
  // The index is behind: the newcomer meets the tail after W.
  await base.ports.projections.takeLease('index', { token: 'x', at: base.clock.now() }, 0, Infinity);
  const waiting = await base.entry(T, 'b c d', { scopes: ['org:a'] });
  await importEntry(base.instance)(stranger, waiting, { task: T, content: 'harmless too' }).catch(
    () => undefined,
  );
  const { knowledge_id } = await addEntry(base.instance)(stranger, { task: T, content: 'b c' });
  await admit(base.instance)(knowledge_id);
  const told = base.model.completions.filter(({ prompt }) => prompt.startsWith('judge'));
  expect(JSON.stringify(told)).not.toContain('b c d');
});

test('R3.1 R3.5 import under the id of a waiting document must not take it off its path', async () => {
  const base = knowledgeBase();
  const { id } = await base.upload('payment/a.md', file(T, 'a b'));
  await importEntry(base.instance)(curator, id, { task: 'other', content: 'x' }).catch(() => undefined);
  await base.work();
  expect(base.instance.catalog.fold.paths.get('payment/a.md')?.holder).toBe(id);
});

test('R3.1 a line brought again in other words after a break: ledger, row and text agree', async () => {
  const base = knowledgeBase();
  const sound = base.model.script.embed!;
  base.model.script.embed = () => new ModelUnavailable('down');
  await importEntry(base.instance)(curator, ID, { task: T, content: 'secret', scopes: ['org:a'] }).catch(
    () => undefined,
  );
  base.model.script.embed = sound;
  await importEntry(base.instance)(curator, ID, { task: T, content: 'open' }).catch(() => undefined);
  const item = base.instance.catalog.fold.items.get(ID);
  const row = await base.row(ID);
  if (item) expect([row.scopes, row.fingerprint]).toEqual([item.scopes, item.fingerprint]);
});

test('R3.6 what was deleted while the judge thought is erased, vectors and section texts included', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a');
  const id = await base.entry(T, 'a b c');
  whileJudgeThinks(base.model, () => removeItem(base.another())(curator, id));
  await base.work();
  expect(await base.status(id)).toBe('removed');
  expect(await base.ports.vectors.sections(id, base.model.embedder.name)).toBeUndefined();
  expect(await base.ports.vectors.tasks([id])).toEqual([]);
});

test('R4.6 the sweep does not end a claim that a worker took a moment ago', async () => {
  const base = knowledgeBase();
  const id = await base.entry(T, 'a');
  base.ports.queue.take(1);
  base.clock.pass(2 * MINUTE);
  let first = true;
  base.options.before = async ({ port, method }) => {
    if (port !== 'items' || method !== 'get' || !first) return;
    first = false;
    await base.ports.items.claim(
      id,
      { token: 'worker', at: base.clock.now() },
      base.clock.now() + 5 * MINUTE,
    );
  };
  const report = await base.sweep();
  expect(report.claims_ended).toBe(0);
  expect((await base.row(id)).claim?.token).toBe('worker');
});

test('R3.2 API a check that read its row before the fields were written does not undo them in the catalog', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => new ModelUnavailable('down') } });
  const id = await base.published('payment/a.md', `---\ntitle: ${T}\n---\na b\n`);
  base.model.script.frontmatter = written;
  let first = true;
  base.options.before = async ({ port, method }) => {
    if (port !== 'ledger' || method !== 'put' || !first) return;
    first = false;
    await sweep(base.another())();
  };
  // put at the old head is refused, so the sweep's amendment comes first
  await review(base.instance)(curator, id, { action: 'check' });
  base.options.before = undefined;
  await base.sweep();
  const item = base.instance.catalog.fold.items.get(id)!;
  expect(item.live).toEqual(payloadOf(await base.row(id)));
});

test('R4.8 a text that the model refuses does not end the sweep', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => new ModelUnavailable('down') } });
  await base.published('payment/a.md', `---\ntitle: ${T}\n---\na b\n`);
  base.model.script.frontmatter = () => new KnowHubError('model_refused', 'the input was blocked');
  base.clock.pass(MINUTE);
  base.ports.queue.take(99);
  await sweep(base.instance)().catch(() => undefined);
  expect(base.ports.queue.take(99)).toEqual([{ type: 'recompute', domain_id: 'payment' }]);
});

test('R4.5 an item that the judge refuses gets unstuck without a human', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a');
  base.model.script.judge = () => new KnowHubError('model_refused', 'the input was blocked');
  const id = await base.entry(T, 'a b');
  for (let n = 0; n < 60; n += 1) {
    for (const m of base.ports.queue.take(9))
      if (m.type === 'admit') await admit(base.instance)(m.item_id).catch(() => undefined);
    base.clock.pass(MINUTE);
    await base.sweep();
  }
  expect(await base.status(id)).toBe('approved');
});

test('R3.6 a DELETE by path that broke off and is repeated ends the version that waits', async () => {
  const base = knowledgeBase();
  const { id } = await base.upload('payment/a.md', file(T, 'a b'));
  base.options.before = ({ port, method }) => {
    if (port === 'ledger' && method === 'put') throw new Error('the process died');
  };
  await removeDocument(base.instance)(curator, 'payment/a.md').catch(() => undefined);
  base.options.before = undefined;
  const answer = await removeDocument(base.another())(curator, 'payment/a.md').catch((e) => e.code);
  await base.work();
  expect([answer, await base.status(id)]).toEqual([{ id }, 'removed']);
});

test('R4.8 uploads that broke off are accepted although an import left many rows behind', async () => {
  const base = knowledgeBase();
  const sound = base.model.script.embed!;
  base.model.script.embed = () => new ModelUnavailable('down');
  for (let n = 0; n < 60; n += 1)
    await importEntry(base.instance)(curator, `knowledge-20250101-000000-000000${(n + 16).toString(16)}`, {
      task: `t${n}`,
      content: 'a',
    }).catch(() => undefined);
  base.model.script.embed = sound;
  base.clock.pass(SECOND);
  base.options.before = ({ port, method }) => {
    if (port === 'items' && method === 'accept') throw new Error('the process died');
  };
  await base.upload('payment/a.md', file(T, 'a b')).catch(() => undefined);
  base.options.before = undefined;
  for (let n = 0; n < 30; n += 1) {
    base.clock.pass(MINUTE);
    await base.sweep();
    await base.work();
  }
  expect(base.instance.catalog.fold.paths.get('payment/a.md')?.holder).toBeDefined();
});

test('R3.1 R4.8 a row that an import is about to bring in is not dropped by the sweep', async () => {
  const base = knowledgeBase();
  const sound = base.model.script.embed!;
  base.model.script.embed = () => new ModelUnavailable('down');
  await importEntry(base.instance)(curator, ID, { task: T, content: 'a' }).catch(() => undefined);
  base.model.script.embed = sound;
  base.clock.pass(DAY + MINUTE);
  // another running function imports again while the sweep looks at the row
  let first = true;
  const other = base.another();
  base.options.before = async ({ port, method }) => {
    if (port === 'projections' && method === 'takeLease' && !first)
      throw new KnowHubError('unclear', 'x', { retryable: true });
    if (port !== 'items' || method !== 'dropReceived' || !first) return;
    first = false;
    await importEntry(other)(curator, ID, { task: T, content: 'a' });
  };
  await sweep(base.another())();
  base.options.before = undefined;
  await base.sweep();
  expect(await base.status(ID)).toBe('approved');
});

test('R3.6 R6.9 removing an imported item works as soon as the ledger has it', async () => {
  const base = knowledgeBase();
  base.options.before = ({ port, method }) => {
    if (port === 'projections' && method === 'takeLease')
      throw new KnowHubError('unclear', 'x', { retryable: true });
  };
  await importEntry(base.instance)(curator, ID, { task: T, content: 'a' });
  expect(await removeItem(base.instance)(curator, ID).catch((e) => e.code)).toEqual({ id: ID });
});

test('R3.2 R4.8 fields stay missing when the amendment could not be made', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => new ModelUnavailable('down') } });
  const id = await base.published('payment/a.md', `---\ntitle: ${T}\n---\na b\n`);
  base.model.script.frontmatter = written;
  // A human rejects it while the model writes, and begins to restore it: the row is read before the fields are in it.
  const reading = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  let restored: Promise<unknown> | undefined;
  const other = base.another();
  let gets = 0;
  base.model.script.before = async (what) => {
    if (what !== 'complete') return;
    base.model.script.before = undefined;
    await review(base.another())(curator, id, { action: 'reject', reason: 'x' });
    base.options.before = async ({ port, method }) => {
      // restore has read its row, and takes its seq
      if (port === 'paths' && method === 'get' && gets++ === 0) {
        read.resolve();
        await reading.promise;
      }
    };
    restored = review(other)(curator, id, { action: 'restore' });
    await read.promise;
  };
  await base.sweep();
  reading.resolve();
  await restored;
  for (let n = 0; n < 3; n += 1) await base.sweep();
  expect((await base.row(id)).fields.missing).toEqual([]);
  expect(base.instance.catalog.fold.items.get(id)!.live).toEqual(payloadOf(await base.row(id)));
});

test('R3.2 an uploader that slept for hours leaves no item without a text', async () => {
  const base = knowledgeBase();
  let first = true;
  base.options.before = async ({ port, method }) => {
    if (port !== 'vectors' || method !== 'saveTask' || !first) return;
    first = false;
    base.clock.pass(3 * 60 * MINUTE);
    await sweep(base.another())();
  };
  const id = await base.entry(T, 'a').catch(() => undefined);
  for (let n = 0; n < 30; n += 1) {
    await base.work();
    base.clock.pass(MINUTE);
    await base.sweep();
  }
  // Refused, or accepted and decided; but not accepted and then nothing.
  if (id !== undefined)
    expect([await base.status(id), await base.ports.bodies.get(id, 'entry')]).toEqual(['approved', 'a']);
});
