import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BedrockStub, byRules, refused } from '#test/support/bedrock-stub.ts';
import { becomes, decided, document, item, lookup, status, upload } from './api.ts';
import { startBedrock } from './bedrock.ts';
import { deployment } from './deployment.ts';
import { EARLY } from './first-sweep.ts';

/** A minute between two sweeps, and what is done in one. */
const A_SWEEP_MS = 90_000;

/** R6.9. */
const FOUND_WITHIN_MS = 5000;

let bedrock: BedrockStub;
beforeAll(async () => {
  bedrock = await startBedrock();
});
afterAll(() => bedrock?.stop());

const sqs = new SQSClient();

/** How many messages the admission queue holds, those that are being worked on, or failed and come again, included. */
async function messages(): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: deployment().outputs.AdmissionQueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
}

test('R3.2 R4.8 what a model that was away left undone, the schedule does: a field, and an admission whose message is gone', async () => {
  const away = refused('ServiceUnavailableException', 'the model is away', 503);
  bedrock.answer = async (request) => {
    const text = JSON.stringify(request.body);
    const writes = request.operation === 'converse' && text.includes('Lighthouse');
    const embeds = request.operation === 'invoke' && text.includes('Windmill');
    return writes || embeds ? away : byRules(request);
  };
  const fields = 'summary: Every evening.\nkeywords: [lamp]\nwhen_to_retrieve: It is dark.\n';
  const held = await messages();
  const lighthouse = await upload(
    'coast/lighthouse.md',
    `---\ntitle: Lighthouse\n${fields}---\n\nTurn the lamp on at dusk.\n`,
  );
  const windmill = await upload(
    'coast/windmill.md',
    `---\ntitle: Windmill\n${fields}covers: [wind]\n---\n\nTurn the sails out of a storm.\n`,
  );
  const asked = () => bedrock.requests.filter(({ body }) => JSON.stringify(body).includes('Windmill'));
  const by_upload = asked().length;
  expect((await decided(lighthouse.id)).status).toBe('approved');
  expect((await item(lighthouse.id)).fields).toMatchObject({
    covers: [],
    generated: [],
    missing: ['covers'],
  });
  // Its message was worked on, and is gone: the row alone says that it waits.
  await becomes(async () => asked().length > by_upload, true);
  await becomes(async () => (await messages()) <= held, true);
  expect((await status(windmill.id)).status).toBe('pending');

  bedrock.answer = byRules;
  await Promise.all([
    becomes(async () => (await item(lighthouse.id)).fields?.missing, [], A_SWEEP_MS),
    becomes(async () => (await status(windmill.id)).status, 'approved', A_SWEEP_MS),
  ]);
  const written = (await item(lighthouse.id)).fields!;
  expect(written.generated).toEqual(['covers']);
  expect(written.covers.length).toBeGreaterThan(0);
  const found = () => lookup({ query: 'sails in a storm', domain: 'coast' });
  await becomes(async () => (await found()).documents[0]?.id, windmill.id, FOUND_WITHIN_MS);
});

test('R4.8 what came in before the first sweep of a new deployment is admitted after it', async () => {
  await becomes(
    () =>
      document(EARLY.path).then(
        ({ content }) => content,
        () => 'not there',
      ),
    EARLY.content,
    A_SWEEP_MS,
  );
});
