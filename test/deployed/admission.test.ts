import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import type { BedrockStub } from '#test/support/bedrock-stub.ts';
import { becomes, client, decided, document, item, status, upload } from './api.ts';
import { startBedrock } from './bedrock.ts';
import { textAt } from './bucket.ts';

let bedrock: BedrockStub;
beforeAll(async () => {
  bedrock = await startBedrock();
});
afterAll(() => bedrock?.stop());

const example = (path: string): string =>
  readFileSync(new URL(`../../examples/knowledge/${path}`, import.meta.url), 'utf8');

const pool = example('infrastructure/10-mysql-connection-pool.md');

const KnowledgeMap = z.object({ available_knowledge_domains: z.array(z.unknown()) });

const askedToJudge = (): number =>
  bedrock.requests.filter(
    ({ operation, body }) =>
      operation === 'converse' && JSON.stringify(body).includes('<data name=\\"newcomer\\">'),
  ).length;

test('R3.2 R4.2 R4.3 R4.4 a document is admitted, its duplicate rejected, its opposite admitted with the relation at both ends', async () => {
  const first = await upload('mysql/pool.md', pool);
  expect(first).toMatchObject({ path: 'mysql/pool.md', status: 'pending', unchanged: false, warnings: [] });
  expect(await decided(first.id)).toMatchObject({ status: 'approved', grounds: [], relations: [] });
  expect(askedToJudge()).toBe(0);
  expect(await document('mysql/pool.md')).toMatchObject({ id: first.id, content: pool });
  expect(await textAt('knowledge_base/mysql/pool.md')).toBe(pool);

  // In other words, so that the judge has to say it.
  const duplicate = await upload('mysql/pool-again.md', pool.replace('title: ', 'title: 关于 '));
  expect(await decided(duplicate.id)).toMatchObject({
    status: 'rejected',
    reason: 'known',
    basis: 'judge',
    grounds: [{ id: first.id, type: 'duplicate' }],
    relations: [],
  });
  expect(askedToJudge()).toBe(1);
  expect(await textAt('knowledge_base/mysql/pool-again.md')).toBeUndefined();
  expect((await item(first.id)).eval).toMatchObject({
    helpful: 2,
    helpful_history: [{ source: 'dedup', related_id: duplicate.id, relation_type: 'duplicate' }],
  });

  const opposite = await upload(
    'mysql/pool-peak.md',
    example('infrastructure/50-mysql-connection-pool-peak.md'),
  );
  expect(await decided(opposite.id)).toMatchObject({
    status: 'approved',
    grounds: [],
    relations: [{ type: 'conflict', target: first.id }],
  });
  expect((await status(first.id)).relations).toEqual([{ type: 'conflict', target: opposite.id }]);

  const same = await upload('mysql/pool.md', pool);
  expect(same).toMatchObject({ id: first.id, unchanged: true });
});

test('R3.2 R5.2 what an author leaves out, and the text of the domain, the model writes', async () => {
  const { id, generated } = await upload(
    'mail/restart.md',
    '# Restart the mailer\n\nRun `mailctl restart` on one node after the other.\n',
  );
  expect(generated.sort()).toEqual(['covers', 'keywords', 'summary', 'title', 'when_to_retrieve']);
  expect((await decided(id)).status).toBe('approved');
  const map = async () => {
    const { text } = await client.send({ method: 'GET', path: '/api/knowledge-map' });
    return KnowledgeMap.parse(parse(text)).available_knowledge_domains;
  };
  await becomes(
    map,
    expect.arrayContaining([
      {
        domain_id: 'mail',
        description: expect.stringContaining('mailer'),
        when_to_retrieve: expect.stringMatching(/mailer.*Search it once/),
        documents: [{ title: 'Restart the mailer', covers: expect.any(Array) }],
      },
    ]),
  );
});
