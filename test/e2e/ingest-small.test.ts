import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { admit } from '#lib/usecases/admit.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { projectAll } from '#lib/usecases/project.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { checkByFold } from '../../bench/support/check-by-fold.ts';
import { runIngest } from '../../bench/support/ingest-run.ts';

const REAL = join(import.meta.dirname, '../../../shared/data/zh-runbooks');
const CALLER = { principal: 'test', scopes: [] };
const REFUND = '# Refunds\n\nA refund reaches the card within five working days.\n';

/** Beside the real ones: one text twice, and one that is blank. */
async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'knowhub-ingest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'payment'));
  await writeFile(join(folder, 'payment/refunds.md'), REFUND);
  await writeFile(join(folder, 'payment/refunds-again.md'), REFUND);
  await writeFile(join(folder, 'payment/blank.md'), ' \n');
  return folder;
}

test('R4.7 R4.8 R6.9 25 files pushed by the CLI, the local run killed in the middle, pushed again: all invariants hold', async () => {
  const options = {
    folders: [await ownFolder(), REAL],
    files: 25,
    keep: false,
    settings: { recompute_delay_ms: 1000 },
  };
  const facts = await runIngest(options, new AbortController().signal, () => undefined);
  expect(facts.violations).toEqual([]);
  expect(facts.files).toBe(25);
  expect(facts.refused).toEqual([{ origin: 'payment/blank.md', why: 'content is blank' }]);
  expect(facts.acknowledged_at_kill).toBeGreaterThanOrEqual(13);
  expect(facts.acknowledged_at_kill).toBeLessThan(24);
  expect(facts.kinds['rejected: duplicate']).toBe(1);
  expect(facts.shown.live + facts.shown.rejected).toBe(24);
  // Nothing was judged anew, or written twice; what the first push gave up while nobody answered came with the second.
  const { failed, ...taken } = facts.pushes[1]!.kinds;
  expect(failed).toBe(1);
  expect(Object.values(taken).reduce((sum, count) => sum + count, 0)).toBe(24);
  expect(taken.unchanged).toBeGreaterThanOrEqual(13);
  expect(facts.ledger_entries).toBe(24);
}, 240_000);

test('what the ingest checks find: a lost item, other bytes, an open mirror, a domain that is behind', async () => {
  const instance = createInstance(createMemoryPorts(), { recompute_delay_ms: 0 });
  const { id, path } = await uploadDocument(instance)(CALLER, {
    category: 'payment',
    filename: 'refunds.md',
    content: REFUND,
  });
  await admit(instance)(id);
  await projectAll(instance);
  const lost = 'knowledge-20260101-000000-00000000';
  const promised = { ids: new Set([id, lost]), texts: new Map([[path, `${REFUND}\n`]]) };
  expect((await checkByFold(instance, promised)).violations).toEqual([
    `1 ${lost} was accepted and never decided (row: none)`,
    '4 the text of payment is behind',
    `6 ${path} holds other bytes than the file`,
    '7 a sweep did {"domains_queued":1}',
  ]);

  await recomputeDomain(instance)('payment');
  const { etag } = (await instance.mirror.head(path))!;
  await instance.mirror.put(path, id, 'something else', etag);
  const right = { ids: new Set([id]), texts: new Map([[path, REFUND]]) };
  expect((await checkByFold(instance, right)).violations).toEqual([
    `6 the mirror of ${path} holds other bytes than ${id}`,
  ]);
});
