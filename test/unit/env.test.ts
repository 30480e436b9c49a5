import { afterEach, expect, test } from 'vitest';
import { parseEnv, readEnv } from '#lib/runtime/env.ts';
import { environment } from '#test/support/environment.ts';

test('the environment is parsed with its defaults, JSON included', () => {
  const env = parseEnv({
    ...environment,
    SETTINGS: '{"top_k": 5}',
    INBOX_RULES: '[{"prefix": "private/", "scopes": ["org:a"]}]',
    UNRELATED: 'x',
  });
  expect(env).toMatchObject({
    KNOWHUB_FUNCTION: 'lookup',
    LOG_LEVEL: 'INFO',
    AUTH: 'iam',
    JWT_SCOPES_CLAIM: 'scope',
    PATH_ENCODING: 'decoded',
    MAX_RECEIVES: 5,
    OPENSEARCH_REPLICAS: 1,
    EMBEDDER: { bedrock: { model: 'amazon.titan-embed-text-v2:0', family: 'titan', dimensions: 1024 } },
    WRITER: 'stand-in',
    SETTINGS: { top_k: 5 },
    INBOX_RULES: [{ prefix: 'private/', scopes: ['org:a'] }],
  });
  expect(env).not.toHaveProperty('UNRELATED');
});

test('settings that are not stated stay the defaults of the settings themselves', () => {
  expect(parseEnv(environment).SETTINGS).toEqual({});
});

test('everything that is wrong with the environment is named at once, and no value', () => {
  const wrong = {
    ...environment,
    BUCKET: undefined,
    OPENSEARCH_URL: 'secret',
    AUTH: 'nobody-secret',
    SETTINGS: '{secret',
    INBOX_RULES: '[{"prefix": 1}]',
    MAX_RECEIVES: '0',
    EMBEDDER: '{"bedrock": {"model": "secret"}}',
  };
  const problem = () => parseEnv(wrong);
  for (const name of [
    'BUCKET',
    'OPENSEARCH_URL',
    'AUTH',
    'SETTINGS',
    'INBOX_RULES.0.prefix',
    'MAX_RECEIVES',
    'EMBEDDER',
  ])
    expect(problem).toThrow(`\n  ${name}: `);
  expect(problem).not.toThrow(/secret/);
});

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

test('the environment of the process is read at the call, and importing the functions reads nothing', async () => {
  for (const name of ['upload', 'dedup', 'recompute', 'lookup', 'mcp', 'reprocess']) {
    const { handler } = await import(`../../functions/${name}/handler.ts`);
    expect(handler).toBeTypeOf('function');
  }
  expect(readEnv).toThrow('the environment is not usable');
  Object.assign(process.env, environment);
  expect(readEnv().BUCKET).toBe(environment.BUCKET);
});
