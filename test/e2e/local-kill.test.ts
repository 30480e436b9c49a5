import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { call, type LocalProcess, newDataFolder, startLocal, until } from '#test/support/local-process.ts';

const Uploaded = z.object({ id: z.string(), path: z.string() });
const Page = z.object({ items: z.array(z.object({ id: z.string(), path: z.string(), status: z.string() })) });
const Status = z.object({ status: z.string() });

let data: Awaited<ReturnType<typeof newDataFolder>>;
let local: LocalProcess;
beforeAll(async () => {
  data = await newDataFolder();
  local = await startLocal(data.path);
});
afterAll(async () => {
  await local?.end('SIGKILL');
  await data.remove();
});

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
const documents = TOPICS.flatMap((topic) =>
  ['weekly', 'broken'].map((kind) => ({
    category: topic,
    filename: `${kind}-${topic}.md`,
    content: `# What to do with ${kind} ${topic}\n\nFor ${kind} ${topic} call the ${topic} team and open a ${kind} ticket.\n`,
  })),
);

/** Those that were acknowledged, by id; what a killed process did not answer is not among them. */
async function push(acknowledged: (id: string) => void): Promise<void> {
  await Promise.all(
    documents.map(async (document) => {
      const reply = await call(`${local.url}/api/documents`, 'POST', document).catch(() => undefined);
      if (reply?.status === 202 || reply?.status === 200) acknowledged(Uploaded.parse(reply.body).id);
    }),
  );
}

test('R4.8 killed in the middle of twenty uploads, started and pushed again: all are decided, none is there twice', async () => {
  const before = new Set<string>();
  let killed: Promise<unknown> | undefined;
  await push((id) => {
    before.add(id);
    if (before.size === 7) killed = local.end('SIGKILL');
  });
  await killed;
  expect(before.size).toBeGreaterThanOrEqual(7);

  local = await startLocal(data.path);
  expect(local.out()).toContain('The last run was killed');
  const after = new Set<string>();
  await push((id) => after.add(id));
  expect(after.size).toBe(documents.length);

  const statuses = await until(
    () =>
      Promise.all(
        [...before, ...after].map(
          async (id) => Status.parse((await call(`${local.url}/api/knowledge/status/${id}`)).body).status,
        ),
      ),
    (found) => found.every((status) => status !== 'pending' && status !== 'processing'),
  );
  const { items } = Page.parse((await call(`${local.url}/api/documents?limit=100`)).body);
  const paths = items.map(({ path }) => path).sort();
  expect(paths).toEqual(documents.map(({ category, filename }) => `${category}/${filename}`).sort());
  // The second push changed nothing about what the first had brought in.
  expect(new Set(items.map(({ id }) => id))).toEqual(after);
  for (const id of before) expect(after).toContain(id);
  expect(new Set(statuses)).toEqual(new Set(['approved']));
  const pending = await call(`${local.url}/api/knowledge/pending`);
  expect(pending.body).toEqual({ items: [] });
});
