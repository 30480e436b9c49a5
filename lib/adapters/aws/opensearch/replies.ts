import * as z from 'zod';
import type { OpenSearchAnswer } from '#lib/adapters/aws/opensearch/client.ts';
import { IndexUnavailable, KnowHubError, Partial, Unclear } from '#lib/core/errors.ts';
import type { TextHit, VectorHit } from '#lib/core/rows.ts';

/** Foreign shapes are read loosely: only what is used is looked at. */
const Cause = z.object({ type: z.string().default(''), reason: z.string().nullish() });
const Fault = Cause.extend({ root_cause: z.array(Cause).optional() });
const FaultReply = z.object({ error: Fault });

/** A hundred vectors of a thousand numbers come with a search: checked by hand, a tenth of the time. */
const Vector = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'number'),
  'not a vector',
);
/** The engine rounds to float32, and writes the shortest decimal of that. */
const rounded = (vector: readonly number[]): number[] => vector.map(Math.fround);

const hitsOf = <Hit extends z.ZodType>(hit: Hit) => z.object({ hits: z.object({ hits: z.array(hit) }) });
const Whole = z.object({
  timed_out: z.boolean(),
  _shards: z.object({
    total: z.number(),
    successful: z.number(),
    skipped: z.number().default(0),
    failed: z.number(),
  }),
});

const Nearest = hitsOf(z.object({ _id: z.string(), _source: z.object({ task_vector: Vector }) }));
const Section = z.object({
  _nested: z.object({ offset: z.number() }),
  _source: z.object({ heading: z.string(), text: z.string(), vector: Vector }),
});
const WordedSection = z.object({
  _nested: z.object({ offset: z.number() }),
  _source: z.object({ heading: z.string(), text: z.string() }),
});
const Texts = hitsOf(
  z.object({
    _id: z.string(),
    _score: z.number(),
    inner_hits: z.object({ sections: hitsOf(WordedSection) }),
  }),
);
const Sections = hitsOf(z.object({ _id: z.string(), inner_hits: z.object({ sections: hitsOf(Section) }) }));
const Many = z.object({ responses: z.array(z.looseObject({ status: z.number().optional() })) });
const Documents = z.object({
  docs: z.array(
    z.union([
      FaultReply,
      z.object({ _id: z.string(), found: z.literal(false) }),
      z.object({
        _id: z.string(),
        found: z.literal(true),
        _version: z.number(),
        _source: z.object({ live: z.boolean() }),
      }),
    ]),
  ),
});

const AWAY = ['index_not_found_exception', 'index_closed_exception'];
/** The index is not there, or closed: nothing is wrong with what was asked. */
export const isAway = (body: unknown): boolean =>
  AWAY.includes(FaultReply.safeParse(body).data?.error.type ?? '');

function reasonOf({ status, body }: OpenSearchAnswer): string {
  const fault = FaultReply.safeParse(body).data?.error;
  if (!fault) return `status ${status}`;
  const { type, reason } = fault.root_cause?.[0] ?? fault;
  return `${status} ${type}: ${(reason ?? '').slice(0, 300)}`;
}

/**
 * What a refused call means. An index that is not there, an engine that is out of reach, overloaded or lets nobody in:
 * `IndexUnavailable`. A write that fails on the way may have happened: `Unclear`. The rest is a fault of ours.
 */
export function faultOf(answer: OpenSearchAnswer, call: 'read' | 'write'): KnowHubError {
  const { status, body } = answer;
  const reason = `the search engine answers ${reasonOf(answer)}`;
  if (status === 404 || isAway(body) || status === 401 || status === 403) return new IndexUnavailable(reason);
  if (status === 408 || status === 429 || status >= 500)
    return call === 'write' ? new Unclear(reason) : new IndexUnavailable(reason);
  return new KnowHubError('index_refused', reason);
}

/** A reply that does not look as it should is not all there. */
function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (data === undefined) throw new Partial(`the search engine's answer cannot be read: ${error?.message}`);
  return data;
}

/** Every shard must have answered, in time: less is never read as "nothing there". */
function assertWhole(body: unknown): void {
  const { timed_out, _shards: shards } = read(Whole, body);
  if (timed_out) throw new Partial('the search timed out');
  if (shards.failed > 0 || shards.skipped > 0 || shards.successful < shards.total)
    throw new Partial(`the search reached ${shards.successful - shards.skipped} of ${shards.total} shards`);
}

export function nearestOf(body: unknown): { id: string; vector: number[] }[] {
  assertWhole(body);
  const { hits } = read(Nearest, body).hits;
  return hits.map(({ _id, _source }) => ({ id: _id, vector: rounded(_source.task_vector) }));
}

/** The replies of a multi-search, each checked; `count` were asked for. */
export function repliesOf(body: unknown, count: number): unknown[] {
  const { responses } = read(Many, body);
  if (responses.length !== count) throw new Partial(`${responses.length} of ${count} searches were answered`);
  for (const reply of responses)
    if (FaultReply.safeParse(reply).success)
      throw faultOf({ status: reply.status ?? 500, body: reply }, 'read');
  return responses;
}

/** A hit without the section that it was found by is not all there. */
export function vectorHitsOf(body: unknown): VectorHit[] {
  assertWhole(body);
  return read(Sections, body).hits.hits.map(({ _id, inner_hits }) => {
    const [section] = inner_hits.sections.hits.hits;
    if (!section) throw new Partial(`the section of ${_id} is missing`);
    const { heading, text, vector } = section._source;
    return { id: _id, section: section._nested.offset, heading, text, vector: rounded(vector) };
  });
}

/** Equal scores by id. */
export function textHitsOf(body: unknown): TextHit[] {
  assertWhole(body);
  return read(Texts, body)
    .hits.hits.map(({ _id, _score, inner_hits }) => {
      const [section] = inner_hits.sections.hits.hits;
      const found = section && { n: section._nested.offset, ...section._source };
      return { id: _id, score: _score, ...(found && { section: found }) };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

export function presentOf(body: unknown, count: number): { id: string; version: number; live: boolean }[] {
  const { docs } = read(Documents, body);
  if (docs.length !== count) throw new Partial(`${docs.length} of ${count} documents were answered`);
  return docs.flatMap((document) => {
    if ('error' in document) {
      if (isAway(document)) throw new IndexUnavailable(`the search engine answers ${document.error.type}`);
      throw new Partial(`a document cannot be read: ${document.error.type}`);
    }
    return document.found
      ? [{ id: document._id, version: document._version, live: document._source.live }]
      : [];
  });
}

/** Names by which the indices are known to the engine. */
export const indexNames = (body: unknown): string[] =>
  Object.keys(read(z.record(z.string(), z.unknown()), body)).sort();

/** Has the whole cluster taken it in? A create that is not acknowledged may still happen. */
export function assertAcknowledged(body: unknown): void {
  const { data } = z
    .object({ acknowledged: z.literal(true), shards_acknowledged: z.literal(true).optional() })
    .safeParse(body);
  if (!data) throw new Unclear('the search engine has not acknowledged it in time');
}

export function assertRefreshed(body: unknown): void {
  const { data } = z.object({ _shards: z.object({ failed: z.literal(0) }) }).safeParse(body);
  if (!data) throw new Unclear('the search engine has not refreshed every shard');
}
