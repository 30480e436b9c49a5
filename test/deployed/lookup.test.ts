import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BedrockStub } from '#test/support/bedrock-stub.ts';
import { becomes, client, decided, lookup, upload } from './api.ts';
import { startBedrock } from './bedrock.ts';

const session_id = 'deployed-lookup';

let bedrock: BedrockStub;
let drain: string;
let payment: string;
beforeAll(async () => {
  bedrock = await startBedrock();
  const example = (path: string) =>
    readFileSync(new URL(`../../examples/knowledge/${path}`, import.meta.url), 'utf8');
  ({ id: drain } = await upload('clusters/drain.md', example('infrastructure/40-drain-kubernetes-node.md')));
  ({ id: payment } = await upload('clusters/refund.md', example('payment/20-refund-not-received.md')));
  for (const id of [drain, payment]) expect((await decided(id)).status).toBe('approved');
});
afterAll(() => bedrock?.stop());

test('R6.2 a keyword that one document alone has finds it without a model', async () => {
  const before = bedrock.requests.length;
  const reply = await lookup({ query: 'what does kubectl cordon do?' });
  expect(reply).toMatchObject({ level: 'L0', confidence: 'high', message: 'Found 1 document.' });
  expect(reply.documents.map(({ id, path, score }) => ({ id, path, score }))).toEqual([
    { id: drain, path: 'clusters/drain.md', score: 1 },
  ]);
  expect(bedrock.requests.length).toBe(before);
});

test('R6.3 R6.5 R6.6 other words find a section by meaning; the domain is then searched, and a second call stops without a model', async () => {
  const query = 'a pod hangs while it terminates, its finalizer waits';
  // R6.9: within 5 s.
  await becomes(async () => (await lookup({ query, domain: 'clusters' })).level, 'L1', 5000);
  const found = await lookup({ query, session_id, domain: 'clusters' });
  expect(found.level).toBe('L1');
  expect(found.documents[0]).toMatchObject({
    id: drain,
    section: expect.stringContaining('A drain that does not finish'),
    excerpt: expect.stringContaining('finalizer'),
  });
  expect(found.session.searched_domains).toEqual(['clusters']);
  expect(bedrock.requests.at(-1)).toMatchObject({ operation: 'invoke', body: { inputText: query } });

  const before = bedrock.requests.length;
  const stopped = await lookup({ query: 'how to upgrade a kernel', session_id, domain: 'clusters' });
  expect(stopped).toMatchObject({
    level: 'none',
    documents: [],
    message: expect.stringMatching(
      /"clusters" was searched already.*clusters\/drain\.md.*Other words will not help/,
    ),
  });
  expect(stopped.suppressed).toContainEqual({
    id: drain,
    path: 'clusters/drain.md',
    reason: 'already_returned',
  });
  expect(bedrock.requests.length).toBe(before);

  await client.send({ method: 'DELETE', path: `/api/sessions/${session_id}` });
  const again = await lookup({ query, session_id, domain: 'clusters' });
  expect(again.documents[0]?.id).toBe(drain);
});
