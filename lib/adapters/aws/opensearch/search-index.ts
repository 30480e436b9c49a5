import { batches, writtenIn } from '#lib/adapters/aws/opensearch/bulk.ts';
import {
  NoAnswer,
  type OpenSearchAnswer,
  type OpenSearchCall,
  type OpenSearchConnection,
} from '#lib/adapters/aws/opensearch/client.ts';
import { indexBody, writeAlias } from '#lib/adapters/aws/opensearch/mapping.ts';
import {
  hasDirection,
  nearestBody,
  oldRemovals,
  sectionsBody,
  textBody,
} from '#lib/adapters/aws/opensearch/queries.ts';
import {
  assertAcknowledged,
  assertRefreshed,
  faultOf,
  indexNames,
  nearestOf,
  presentOf,
  repliesOf,
  textHitsOf,
  vectorHitsOf,
} from '#lib/adapters/aws/opensearch/replies.ts';
import { Conflict, IndexUnavailable, Unclear } from '#lib/core/errors.ts';
import type { Clock, SearchIndex } from '#lib/ports.ts';

const TOMBSTONE_TTL_MS = 24 * 3600 * 1000;
/** What every physical index is called first (protocol, "Project"). */
const FAMILY = 'knowledge-';

export interface OpenSearchIndexOptions {
  connection: OpenSearchConnection;
  clock: Pick<Clock, 'now'>;
  /** Of every vector: the embedder's. */
  dimensions: number;
  shards?: number;
  replicas?: number;
  /** Before every name, so that several can share a cluster. Lower case, without `_` or `-` in front. */
  prefix?: string;
  /** `true` refreshes at once, for tests; `wait_for` waits up to a second for the next refresh. */
  refresh?: 'wait_for' | 'true';
}

/**
 * The search index in OpenSearch with k-NN (held to its contract on 3.5). Every call is one HTTP call, never retried (a bulk over
 * 5 MB is several). Errors: `IndexUnavailable` missing or out of reach, `Partial` an answer with less than
 * everything, `Unclear` a write that may have happened.
 */
export function createOpenSearchIndex(options: OpenSearchIndexOptions): SearchIndex {
  const {
    connection,
    clock,
    dimensions,
    shards = 1,
    replicas = 1,
    prefix = '',
    refresh = 'wait_for',
  } = options;
  const nameOf = (physical: string) => encodeURIComponent(prefix + physical);
  const read = async (call: OpenSearchCall) => body(await send(connection, call, 'read'), 'read');
  const write = async (call: OpenSearchCall) => body(await send(connection, call, 'write'), 'write');

  /** Removals that nobody needs any more. What fails here is done after the next removal. */
  const reap = (physical: string) =>
    connection({
      method: 'POST',
      path: `/${nameOf(physical)}/_delete_by_query`,
      query: { conflicts: 'proceed' },
      body: oldRemovals(clock.now() - TOMBSTONE_TTL_MS),
    }).catch(() => undefined);

  return {
    async exists(physical) {
      const answer = await send(connection, { method: 'HEAD', path: `/${nameOf(physical)}` }, 'read');
      if (answer.status === 404) return false;
      body(answer, 'read');
      return true;
    },
    async create(physical) {
      const call: OpenSearchCall = {
        method: 'PUT',
        path: `/${nameOf(physical)}`,
        body: indexBody({ dimensions, shards, replicas }, writeAlias(prefix + physical)),
      };
      const answer = await send(connection, call, 'write');
      if (JSON.stringify(answer.body).includes('resource_already_exists_exception'))
        throw new Conflict(`there is an index ${physical} already`);
      assertAcknowledged(body(answer, 'write'));
    },
    async list() {
      const names = indexNames(await read({ method: 'GET', path: `/${nameOf(FAMILY)}*/_alias` }));
      return names.map((name) => name.slice(prefix.length));
    },
    async drop(physical) {
      const answer = await send(connection, { method: 'DELETE', path: `/${nameOf(physical)}` }, 'write');
      if (answer.status !== 404) assertAcknowledged(body(answer, 'write'));
    },
    async bulk(physical, documents) {
      const path = `/${encodeURIComponent(writeAlias(prefix + physical))}/_bulk`;
      const refused: string[] = [];
      let conflicts = false;
      for (const batch of batches(documents, clock.now())) {
        const query = { require_alias: true, refresh };
        const answer = await send(connection, { method: 'POST', path, query, lines: batch.lines }, 'write');
        // One document that is too large for the engine stays so.
        const tooLarge = answer.status === 413 && batch.ids.length === 1;
        const written = tooLarge
          ? { refused: batch.ids, conflicts: false }
          : writtenIn(body(answer, 'write'), batch);
        refused.push(...written.refused);
        conflicts ||= written.conflicts;
      }
      // What another call wrote a moment ago is waited for by that call alone: here nothing was written.
      if (conflicts) assertRefreshed(await write({ method: 'POST', path: `/${nameOf(physical)}/_refresh` }));
      if (documents.some(({ live }) => !live)) await reap(physical);
      return { refused };
    },
    async nearest(physical, vector, k, scopes) {
      if (!hasDirection(vector)) return [];
      return nearestOf(
        await read({
          method: 'POST',
          path: `/${nameOf(physical)}/_search`,
          query: { allow_partial_search_results: false },
          body: nearestBody(vector, k, scopes),
        }),
      );
    },
    async search(physical, query) {
      const near = hasDirection(query.vector);
      const searches = [textBody(query), ...(near ? [sectionsBody(query)] : [])];
      const header = JSON.stringify({ allow_partial_search_results: false });
      const reply = await read({
        method: 'POST',
        path: `/${nameOf(physical)}/_msearch`,
        lines: searches.flatMap((search) => [header, JSON.stringify(search)]),
      });
      const [by_text, by_vector] = repliesOf(reply, searches.length);
      return { by_vector: near ? vectorHitsOf(by_vector) : [], by_text: textHitsOf(by_text) };
    },
    async present(physical, ids) {
      if (ids.length === 0) return [];
      const reply = await read({
        method: 'POST',
        path: `/${nameOf(physical)}/_mget`,
        // Realtime: what is written counts, refreshed or not.
        query: { realtime: true, _source_includes: 'live' },
        body: { ids },
      });
      return presentOf(reply, ids.length);
    },
  };
}

async function send(
  connection: OpenSearchConnection,
  call: OpenSearchCall,
  kind: 'read' | 'write',
): Promise<OpenSearchAnswer> {
  try {
    return await connection(call);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw kind === 'write' && error.sent
      ? new Unclear(error.message, error)
      : new IndexUnavailable(error.message, error);
  }
}

function body(answer: OpenSearchAnswer, kind: 'read' | 'write'): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw faultOf(answer, kind);
}
