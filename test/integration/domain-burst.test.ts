import { expect, test } from 'vitest';
import { admit } from '#lib/usecases/admit.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { MINUTE, SECOND } from '#test/support/clock.ts';
import { file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const DOCUMENTS = 100;
const WORKERS = 8;

/** The functions `dedup` and `recompute`: what comes of a message decides whether it comes again. */
async function handle(base: KnowledgeBase, seconds: number): Promise<void> {
  const workers = Array.from({ length: WORKERS }, base.another);
  for (let second = 0; second < seconds; second += 1) {
    await Promise.all(
      workers.map(async (worker) => {
        const [message] = base.ports.queue.take(1);
        if (message?.type === 'admit') await admit(worker)(message.item_id);
        if (message?.type !== 'recompute') return;
        const outcome = await recomputeDomain(worker)(message.domain_id);
        if (outcome.kind === 'waits') await worker.queue.send(message, outcome.waits_ms);
        if (outcome.kind === 'unfinished') await worker.queue.send(message);
      }),
    );
    base.clock.pass(SECOND);
  }
}

test('R5.1 FIGURES 100 documents uploaded into one domain at once: 3 model calls, the text there within a minute of the last', async () => {
  const base = knowledgeBase({
    script: {
      domainSummary: ({ items, parts }) =>
        JSON.stringify({
          description: parts
            ? `merged: ${parts.map((part) => part.split('\n')[0]).join(' and ')}`
            : `${items.length}`,
          when_to_retrieve: 'when asked.',
        }),
    },
  });
  for (let n = 0; n < DOCUMENTS; n += 1) await base.upload(`payment/n${n}.md`, file(`Runbook ${n}`, `w${n}`));
  await handle(base, 60);
  const entries = await base.ports.ledger.readAfter(0, 2 * DOCUMENTS);
  expect(entries.map(({ event }) => event)).toEqual(Array(DOCUMENTS).fill('admitted'));
  const row = await base.ports.domains.get('payment');
  expect(base.model.calls('domain-summary')).toBe(3);
  expect(row).toMatchObject({ dirty_position: DOCUMENTS, computed_position: DOCUMENTS });
  expect(row?.description).toMatch(/^merged: \d+ when asked. and \d+ when asked.$/);
  expect(row?.updated_at).toBeLessThanOrEqual(entries.at(-1)!.at + MINUTE / SECOND);
});
