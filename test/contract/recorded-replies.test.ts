import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BedrockWriter } from '#lib/adapters/aws/bedrock/configuration.ts';
import { createBedrockWriter } from '#lib/adapters/aws/bedrock/writer.ts';
import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { OpenAiWriter } from '#lib/adapters/openai/configuration.ts';
import { createOpenAiWriter } from '#lib/adapters/openai/model.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import type { Model } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { judge } from '#lib/usecases/judge.ts';
import { summariseDomain } from '#lib/usecases/summarise-domain.ts';
import { describe as describeDocument } from '#lib/usecases/write-fields.ts';
import { SEARCH_ONCE } from '#prompts/domain-summary.ts';
import { type BedrockStub, refused, replied, startBedrockStub } from '#test/support/bedrock-stub.ts';
import type { HttpStub } from '#test/support/http-stub.ts';
import { entryView } from '#test/support/judge-views.ts';
import { bodyOf, json, refusal, startOpenAiStub } from '#test/support/openai-stub.ts';
import { type Family, kindsOf, shaped } from '#test/support/recorded-shape.ts';

const OLD = 'knowledge-20260701-120000-0a1b2c3d';
const BODY = '# Pool exhausted\n\nRaise maximumPoolSize when the HikariCP connection pool is exhausted.\n';
const FIELDS = {
  title: 'Pool exhausted',
  summary: 'How to raise the connection pool.',
  keywords: ['HikariCP', 'maximumPoolSize'],
  covers: ['connection pool exhausted'],
  when_to_retrieve: 'When the connection pool is exhausted.',
};
const TEXT = {
  description: 'Trouble with the connection pool.',
  when_to_retrieve: `On it. ${SEARCH_ONCE.en}`,
};

/** What each prompt is answered, another answer to it, and what comes of a call with a model. */
const PROMPTS = {
  'judge-relations': {
    answer: {
      final_decision: 'rejected',
      relations: [{ old_id: OLD, type: 'duplicate', reverse_type: 'duplicate' }],
    },
    other: { final_decision: 'approved', relations: [] },
    async run(model: Model) {
      const view = entryView('Pool exhausted', 'Raise it.');
      const judged = await judge(model)(view, [{ id: OLD, ...view }]);
      return judged.kind === 'unreadable' ? 'no answer' : judged.relations;
    },
    outcome: [{ to: OLD, type: 'duplicate', reverse: 'duplicate', ground: true }],
  },
  frontmatter: {
    answer: FIELDS,
    other: { ...FIELDS, title: 'Pool', summary: 'HikariCP is exhausted.' },
    async run(model: Model) {
      const document = { path: 'api/pool.md', body: BODY, authored: {} };
      const { generated, missing, ...fields } = await describeDocument(instanceOf(model), document);
      return missing.length > 0 ? 'no answer' : fields;
    },
    outcome: FIELDS,
  },
  'domain-summary': {
    answer: TEXT,
    other: { ...TEXT, description: 'Nothing but the pool.' },
    async run(model: Model) {
      const source = { id: OLD, title: 'Pool exhausted', summary: 'Connection pool.', when_to_retrieve: '' };
      const summary = await summariseDomain(instanceOf(model), 'api', [source], 1);
      if (summary.kind !== 'written') return 'no answer';
      const { description, when_to_retrieve } = summary;
      return { description, when_to_retrieve };
    },
    outcome: TEXT,
  },
};
type Prompt = keyof typeof PROMPTS;

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined };
const clock = { now: () => 0, sleep: async () => undefined };
const random = { hex: (digits: number) => '0'.repeat(digits), fraction: () => 0 };
const instanceOf = (model: Model) =>
  createInstance({ ...createMemoryPorts({ clock, random, model }), log: silent });

/** `parsed`: the answer is in it. `sent_back`: it is readable, and wrong. `again`: there is nothing to read in it. */
type Outcome = 'parsed' | 'sent_back' | 'again';
const EXPECTED: Record<Family, Record<string, Outcome>> = {
  claude: {
    'tool-call': 'parsed',
    'reasoning-then-tool-call': 'parsed',
    'redacted-reasoning-then-text': 'parsed',
    'words-then-tool-call': 'parsed',
    'extra-keys': 'parsed',
    'lists-as-text': 'parsed',
    'input-as-text': 'parsed',
    fenced: 'parsed',
    'prose-around': 'parsed',
    'two-tool-calls': 'sent_back',
    incomplete: 'sent_back',
    'prose-only': 'again',
    refusal: 'again',
    guardrail: 'again',
    'cut-tool-call': 'again',
    'cut-text': 'again',
    'cut-reasoning': 'again',
  },
  nova: {
    'tool-call': 'parsed',
    'thinking-then-tool-call': 'parsed',
    'thinking-then-text': 'parsed',
    'extra-keys': 'parsed',
    'lists-as-text': 'parsed',
    'wrapped-input': 'parsed',
    'call-as-text': 'parsed',
    fenced: 'parsed',
    'prose-around': 'parsed',
    'empty-input': 'sent_back',
    'prose-only': 'again',
    refusal: 'again',
    'malformed-tool-call': 'again',
    'malformed-output': 'again',
    'cut-tool-call': 'again',
    'cut-thinking': 'again',
  },
  openai: {
    'json-schema': 'parsed',
    'vllm-reasoning-content': 'parsed',
    'vllm-reasoning': 'parsed',
    'vllm-thoughts': 'parsed',
    'vllm-thoughts-unopened': 'parsed',
    'ollama-reasoning': 'parsed',
    'tool-calls-null': 'parsed',
    'content-parts': 'parsed',
    'tool-calls': 'parsed',
    'tool-call-as-text': 'parsed',
    fenced: 'parsed',
    'prose-around': 'parsed',
    'extra-keys': 'parsed',
    'lists-as-text': 'parsed',
    'two-answers': 'sent_back',
    incomplete: 'sent_back',
    'prose-only': 'again',
    refusal: 'again',
    'content-filter': 'again',
    cut: 'again',
    'vllm-cut-thoughts': 'again',
    'ollama-cut-reasoning': 'again',
  },
};
const FAMILIES = Object.keys(EXPECTED) as Family[];
const CASES = FAMILIES.flatMap((family) =>
  Object.entries(EXPECTED[family]).flatMap(([kind, outcome]) =>
    (Object.keys(PROMPTS) as Prompt[]).map((prompt) => ({ family, kind, prompt, outcome })),
  ),
);

let bedrock: BedrockStub;
let openai: HttpStub;
let client: BedrockRuntimeClient;
beforeAll(async () => {
  [bedrock, openai] = await Promise.all([startBedrockStub(), startOpenAiStub()]);
  client = new BedrockRuntimeClient({
    endpoint: bedrock.url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(async () => {
  client.destroy();
  await Promise.all([bedrock.stop(), openai.stop()]);
});

const { embedder, embed } = createStandinModel();
const NAMES = { claude: 'anthropic.claude-sonnet-4-6', nova: 'amazon.nova-pro-v1:0' } as const;

/** A model of the family that answers with these replies in turn, the last one again and again; and its requests. */
function modelOf(family: Family, ...replies: string[]): { model: Model; turns: () => number[] } {
  const next = () => (replies.length > 1 ? replies.shift()! : replies[0]!);
  bedrock.requests.length = 0;
  openai.requests.length = 0;
  bedrock.answer = () => replied(next());
  openai.answer = () => json(next());
  const writer =
    family === 'openai'
      ? createOpenAiWriter(OpenAiWriter.parse({ url: `${openai.url}/v1`, model: 'qwen3' }))
      : createBedrockWriter(client, BedrockWriter.parse({ model: NAMES[family] }));
  const said = (body: Record<string, unknown>) => (body.messages as unknown[]).length;
  const turns = () =>
    family === 'openai'
      ? openai.requests.map((request) => said(bodyOf(request)) - 1)
      : bedrock.requests.map(({ body }) => said(body));
  return { model: { embedder, embed, ...writer }, turns };
}

test.each(FAMILIES)('R4.5 every recorded shape of %s is in the table', (family) => {
  expect(kindsOf(family).sort()).toEqual(Object.keys(EXPECTED[family]).sort());
});

describe('a reply as a model of the family may write it', () => {
  test.each(CASES)('R4.5 $family, $kind to $prompt: $outcome', async ({ family, kind, prompt, outcome }) => {
    const { answer, other, run, outcome: right } = PROMPTS[prompt];
    const reply = shaped(family, kind, answer, other);
    const { model, turns } = modelOf(family, reply, shaped(family, GOOD[family], answer, other));
    expect(await run(model)).toEqual(right);
    // The judge is asked anew where there is nothing to send back; the writers are told what was wrong.
    const second = outcome === 'sent_back' || prompt !== 'judge-relations' ? 3 : 1;
    expect(turns()).toEqual(outcome === 'parsed' ? [1] : [1, second]);
  });

  test.each(CASES.filter(({ outcome }) => outcome !== 'parsed'))(
    'R4.5 $family, $kind to $prompt again and again: no answer, in the end',
    async ({ family, kind, prompt, outcome }) => {
      const { answer, other, run } = PROMPTS[prompt];
      const { model, turns } = modelOf(family, shaped(family, kind, answer, other));
      expect(await run(model)).toBe('no answer');
      expect(turns()).toHaveLength(outcome === 'again' && prompt === 'judge-relations' ? 3 : 2);
    },
  );
});

const GOOD = { claude: 'tool-call', nova: 'tool-call', openai: 'json-schema' } as const;

describe('a server or model that does not take what the others take', () => {
  test.each(Object.keys(PROMPTS) as Prompt[])(
    'R4.5 %s: where a schema is refused, the answer is read from plain text',
    async (prompt) => {
      const { answer, other, run, outcome } = PROMPTS[prompt];
      const { model } = modelOf('openai', '');
      openai.answer = (request) =>
        'response_format' in bodyOf(request)
          ? refusal("'response_format' of type 'json_schema' is not supported with this model.")
          : json(shaped('openai', 'fenced', answer, other));
      expect(await run(model)).toEqual(outcome);
    },
  );

  test.each(Object.keys(PROMPTS) as Prompt[])(
    'R4.5 %s: where Nova writes a call that Bedrock cannot read, it is asked for text, this once',
    async (prompt) => {
      const { answer, other, run, outcome } = PROMPTS[prompt];
      const { model } = modelOf('nova', '');
      bedrock.answer = ({ body }) =>
        'toolConfig' in body
          ? refused(
              'ModelErrorException',
              'Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.',
              424,
            )
          : replied(shaped('nova', 'thinking-then-text', answer, other));
      expect(await run(model)).toEqual(outcome);
      expect(await run(model)).toEqual(outcome);
      expect(bedrock.requests.map(({ body }) => 'toolConfig' in body)).toEqual([true, false, true, false]);
    },
  );
});
