import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { type LocalRun, startLocalRun } from '#lib/runtime/local/run.ts';
import { call, keepTemplate, newDataFolder, ROOT, START_MS, until } from '#test/support/local-process.ts';
import { HANDLERS } from '../../bin/support/handlers.ts';

process.env.POWERTOOLS_METRICS_DISABLED = 'true';

let data: Awaited<ReturnType<typeof newDataFolder>>;
let local: LocalRun;
const start = async () => {
  const options = { port: 0, data: data.path, opensearch: undefined, bedrock: false, models: undefined };
  local = await startLocalRun(ROOT, HANDLERS, options, { LOG_LEVEL: 'ERROR' });
  await keepTemplate(data.path);
};
beforeEach(async () => {
  data = await newDataFolder();
  await start();
}, START_MS);
afterEach(async () => {
  await local.stop();
  await data.remove();
});

const documents = Array.from({ length: 4 }, (_, n) => ({
  category: 'outage',
  filename: `step-${n}.md`,
  content: `# Step ${n} of an outage\n\nIn step ${n} team ${n} is called by name.\n`,
}));
const upload = (document: (typeof documents)[number]) => call(`${local.url}/api/documents`, 'POST', document);
const statusOf = async (id: string) =>
  z.object({ status: z.string() }).parse((await call(`${local.url}/api/knowledge/status/${id}`)).body).status;

test.each([
  ['DynamoDB', 'stopDynamo'],
  ['S3 and SQS', 'stopS3AndSqs'],
] as const)(
  'R4.8 %s gone under the process: 503 in JSON, and nothing that was accepted is lost',
  async (_, stop) => {
    const accepted = await Promise.all(documents.slice(0, 3).map(upload));
    expect(accepted.map(({ status }) => status)).toEqual([202, 202, 202]);
    await local.aws[stop]();

    const began = performance.now();
    const refused = await upload(documents[3]!);
    expect(refused).toEqual({
      status: 503,
      body: { error: { code: 'unclear', message: expect.any(String) }, request_id: expect.any(String) },
    });
    expect(performance.now() - began).toBeLessThan(31_000);
    const health = await call(`${local.url}/api/health`);
    expect(health.body).toMatchObject({ status: 'degraded' });

    await local.stop();
    await start();
    expect((await upload(documents[3]!)).status).toBe(202);
    for (const { body } of accepted) {
      const { id } = z.object({ id: z.string() }).parse(body);
      expect(
        await until(
          () => statusOf(id),
          (status) => !['pending', 'processing'].includes(status),
        ),
      ).toBe('approved');
    }
  },
);
