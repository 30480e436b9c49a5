import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { documentFields, parseFrontmatter } from '#lib/core/frontmatter.ts';
import { createLookupWorld } from '#test/support/lookup-fixture.ts';
import { N2_DOCUMENTS, N2_QUERIES, n2Upload } from '../../bin/support/n2-session.ts';
import { replayN2 } from '../../bin/support/replay-n2.ts';

const file = new URL('../../../shared/cases/session-n2.json', import.meta.url);
const recorded = z
  .object({ documents: z.array(z.string()), queries: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

async function n2World() {
  const world = await createLookupWorld();
  for (const { category, filename, ...document } of N2_DOCUMENTS)
    await world.store({ path: `${category}/${filename}`, ...document });
  return world;
}

test('R6.6 the replay asks what was asked in the recorded session', () => {
  expect(N2_QUERIES.map(({ query }) => query)).toEqual(recorded.queries);
  expect(N2_DOCUMENTS.map(({ category, filename }) => `${category}/${filename}`)).toEqual(recorded.documents);
});

test('R6.6 N2 with domains: 2 useful answers, each document once, every further call costs one read', async () => {
  const { ports } = await n2World();
  const replay = await replayN2(ports, { session_id: '7c517329', name_domain: true });
  expect(replay).toMatchObject({ served: 2, stopped: 18, returned: recorded.documents });
  const further = replay.calls.filter(({ reply }) => reply.documents.length === 0);
  expect(further.map(({ store_calls, model_calls }) => [store_calls, model_calls])).toEqual(
    Array.from({ length: 18 }, () => [1, 0]),
  );
  for (const { reply, domain } of further) {
    expect(reply.message).toContain(domain);
    expect(reply.message).toContain(recorded.documents[domain === 'api' ? 1 : 0]);
  }
});

test('R6.6 N2 without domains: 2 useful answers, each document once', async () => {
  const { ports } = await n2World();
  const replay = await replayN2(ports, { session_id: '7c517329', name_domain: false });
  expect(replay).toMatchObject({ served: 2, stopped: 18, returned: recorded.documents });
  const by_keyword = replay.calls.filter(({ model_calls }) => model_calls === 0);
  expect(by_keyword.length).toBeGreaterThanOrEqual(15);
});

test('R2.2 R6.6 the replayed documents can be uploaded: their frontmatter is read as written', () => {
  for (const document of N2_DOCUMENTS) {
    const parsed = parseFrontmatter(n2Upload(document).content);
    const { title, summary, keywords, covers, when_to_retrieve } = document;
    expect(parsed.body).toBe(document.body);
    expect(documentFields(parsed.fields, parsed.warnings)).toMatchObject({
      authored: { title, summary, keywords, covers, when_to_retrieve },
      warnings: [],
    });
  }
});
