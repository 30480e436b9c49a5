import type { NoAnswer, OpenSearchAnswer, OpenSearchCall } from '#lib/adapters/aws/opensearch/client.ts';
import { createOpenSearchIndex } from '#lib/adapters/aws/opensearch/search-index.ts';
import type { IndexDocument, SearchQuery } from '#lib/core/rows.ts';

/** The stub's clock, epoch milliseconds. */
export const NOW = 1_782_900_000_000;

type Changes<Row> = { [Key in keyof Row]?: Row[Key] };

/** The adapter over answers that are told beforehand; what it sends is written down. */
export function openSearchStub(...answers: (OpenSearchAnswer | NoAnswer)[]) {
  const calls: OpenSearchCall[] = [];
  const index = createOpenSearchIndex({
    connection: async (call) => {
      calls.push(call);
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`no answer for ${call.method} ${call.path}`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    clock: { now: () => NOW },
    dimensions: 2,
    shards: 3,
    replicas: 1,
    prefix: 'dev-',
  });
  return { index, calls };
}

export const ok = (body: unknown): OpenSearchAnswer => ({ status: 200, body });
export const fault = (status: number, type = ''): OpenSearchAnswer => ({
  status,
  body: { error: { type, reason: 'because' }, status },
});
export const shards = (more: object = {}) => ({ total: 3, successful: 3, skipped: 0, failed: 0, ...more });
export const hits = (found: object[] = [], more: object = {}) => ({
  timed_out: false,
  _shards: shards(),
  hits: { hits: found },
  ...more,
});
export const item = (id: string, status: number, type = 'x_exception') => ({
  index: { _id: id, status, ...(status >= 300 && { error: { type, reason: 'because' } }) },
});
export const items = (...found: object[]) => ok({ errors: true, items: found });

export const document = (id: string, more: Changes<IndexDocument> = {}): IndexDocument => ({
  id,
  version: 7,
  live: true,
  domain: 'infra',
  scopes: ['org:a'],
  title: 'Pool',
  keywords: ['pool'],
  about: 'about',
  task_vector: [1, 0.5],
  sections: [{ heading: 'Size', text: 'size', vector: [0.25, 1] }],
  ...more,
});
export const query = (more: Changes<SearchQuery> = {}): SearchQuery => ({
  vector: [1, 0],
  text: 'pool size',
  scopes: ['org:a'],
  domain: 'infra',
  limit: 20,
  ...more,
});

export const linesOf = (call: OpenSearchCall | undefined): unknown[] =>
  call!.lines!.map((line) => JSON.parse(line));
