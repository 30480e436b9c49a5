import { expect, test } from 'vitest';
import * as z from 'zod';
import { call, until } from '#test/support/local-process.ts';
import { localRun } from '#test/support/local-run.ts';

const Uploaded = z.object({ id: z.string(), path: z.string() });
const Page = z.object({ items: z.array(z.object({ id: z.string(), path: z.string(), status: z.string() })) });
const Waiting = z.object({ items: z.array(z.unknown()) });
const Status = z.object({ status: z.string() });

const local = localRun();

const TOPICS = [
  'alarms',
  'backups',
  'caches',
  'disks',
  'exports',
  'firewalls',
  'gateways',
  'hosts',
  'images',
  'jobs',
];
interface Document {
  category: string;
  filename: string;
  content: string;
}

const documentsOf = (kinds: readonly string[]): Document[] =>
  TOPICS.flatMap((topic) =>
    kinds.map((kind) => ({
      category: topic,
      filename: `${kind}-${topic}.md`,
      content: `# What to do with ${kind} ${topic}\n\nFor ${kind} ${topic} call the ${topic} team and open a ${kind} ticket.\n`,
    })),
  );

/** What became of the items, once nothing waits any more. */
async function decisions(ids: Iterable<string>): Promise<string[]> {
  await until(
    async () => Waiting.parse((await call(`${local.url}/api/knowledge/pending`)).body),
    ({ items }) => items.length === 0,
  );
  return Promise.all(
    [...ids].map(
      async (id) => Status.parse((await call(`${local.url}/api/knowledge/status/${id}`)).body).status,
    ),
  );
}

/** Those that were acknowledged, by id; what a killed process did not answer is not among them. */
async function push(documents: readonly Document[], acknowledged: (id: string) => void): Promise<void> {
  await Promise.all(
    documents.map(async (document) => {
      const reply = await call(`${local.url}/api/documents`, 'POST', document).catch(() => undefined);
      if (reply?.status === 202 || reply?.status === 200) acknowledged(Uploaded.parse(reply.body).id);
    }),
  );
}

test('R4.8 killed in the middle of twenty uploads, started and pushed again: all are decided, none is there twice', async () => {
  const documents = documentsOf(['weekly', 'broken']);
  const before = new Set<string>();
  let killed: Promise<unknown> | undefined;
  await push(documents, (id) => {
    before.add(id);
    if (before.size === 7) killed = local.end('SIGKILL');
  });
  await killed;
  expect(before.size).toBeGreaterThanOrEqual(7);

  await local.restart();
  expect(local.out()).toContain('The last run was killed');
  const after = new Set<string>();
  await push(documents, (id) => after.add(id));
  expect(after.size).toBe(documents.length);

  const statuses = await decisions([...before, ...after]);
  const { items } = Page.parse((await call(`${local.url}/api/documents?limit=100`)).body);
  const paths = items.map(({ path }) => path).sort();
  expect(paths).toEqual(documents.map(({ category, filename }) => `${category}/${filename}`).sort());
  // The second push changed nothing about what the first had brought in.
  expect(new Set(items.map(({ id }) => id))).toEqual(after);
  for (const id of before) expect(after).toContain(id);
  expect(new Set(statuses)).toEqual(new Set(['approved']));
});

test('R4.8 Ctrl-C in the middle of uploads lets them end, within 5 seconds, and what was accepted is decided later', async () => {
  const accepted = new Set<string>();
  let ended: ReturnType<typeof local.end> | undefined;
  await push(documentsOf(['monthly', 'failing']), (id) => {
    accepted.add(id);
    if (accepted.size === 3) ended = local.end('SIGINT');
  });
  const { code, took_ms } = await ended!;
  expect(code).toBe(0);
  expect(took_ms).toBeLessThan(5000);

  await local.restart();
  expect(local.out()).not.toContain('The last run was killed');
  expect(new Set(await decisions(accepted))).toEqual(new Set(['approved']));
});
