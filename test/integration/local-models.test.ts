import { afterEach, expect, test } from 'vitest';
import { modelEnvironment } from '#lib/runtime/local/models.ts';
import { type HttpStub, startHttpStub } from '#test/support/http-stub.ts';

let stub: HttpStub | undefined;
afterEach(() => stub?.stop());

async function server(ids: readonly string[]): Promise<string> {
  const json = (value: object) => ({ status: 200, body: JSON.stringify(value) });
  stub = await startHttpStub(({ url }) => {
    if (url === '/v1/models') return json({ data: ids.map((id) => ({ id, object: 'model' })) });
    if (url === '/v1/embeddings') return json({ data: [{ embedding: [0.1, 0.2, 0.3], index: 0 }] });
    return { status: 404 };
  });
  return `${stub.url}/v1`;
}

const environment = async (models: string | undefined, variables = {}) => {
  const { EMBEDDER = 'null', WRITER = 'null' } = await modelEnvironment(
    { bedrock: false, models },
    variables,
  );
  return { embedder: JSON.parse(EMBEDDER) as unknown, writer: JSON.parse(WRITER) as unknown };
};

test('API without an option both halves are stand-ins; with --bedrock the stack chooses', async () => {
  expect(await environment(undefined)).toEqual({ embedder: 'stand-in', writer: 'stand-in' });
  expect(await modelEnvironment({ bedrock: true, models: undefined }, {})).toEqual({});
});

test('API a server is asked what it has, and its embedder how many dimensions', async () => {
  const url = await server(['llama3.2', 'nomic-embed-text']);
  expect(await environment(`${url}/`)).toEqual({
    embedder: { openai: { url, model: 'nomic-embed-text', dimensions: 3 } },
    writer: { openai: { url, model: 'llama3.2' } },
  });
});

test('API a server that only embeds leaves the writing to the stand-in', async () => {
  const url = await server(['multilingual-e5-small']);
  expect(await environment(url)).toEqual({
    embedder: { openai: { url, model: 'multilingual-e5-small', dimensions: 3 } },
    writer: 'stand-in',
  });
});

test('API names that are given are taken unasked, with the key', async () => {
  const url = await server([]);
  const variables = { MODELS_KEY: 'sk-1', MODELS_EMBEDDER: 'mine', MODELS_WRITER: 'yours' };
  expect(await environment(url, variables)).toEqual({
    embedder: { openai: { url, key: 'sk-1', model: 'mine', dimensions: 3 } },
    writer: { openai: { url, key: 'sk-1', model: 'yours' } },
  });
  expect(stub?.requests.map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/embeddings', 'Bearer sk-1'],
  ]);
});

test('API a server that has nothing, or is not there, is named with what to do', async () => {
  const url = await server([]);
  await expect(environment(url)).rejects.toThrow('name them by MODELS_EMBEDDER and MODELS_WRITER');
  await expect(environment(`${stub!.url}/v9`)).rejects.toThrow(/v9\/models does not answer.*404/);
  await stub!.stop();
  await expect(environment(url)).rejects.toThrow(/--models: .*\/models does not answer.*fetch failed/);
});
