import { KnowHubError } from '#lib/core/errors.ts';
import { type Match, rankMatches } from '#lib/core/lookup-match.ts';
import { onCurrentIndex } from '#lib/usecases/index-name.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { knownItem, type LookupCall } from '#lib/usecases/lookup-call.ts';
import { leftOutByKeyword } from '#lib/usecases/lookup-l0.ts';

export interface Meaning {
  /** L0's matches first, then L1's (R6.3). */
  matches: Match[];
  /** L1 could not be asked: these are L0's alone. */
  keyword_only: boolean;
  stand_ins: string[];
}

/**
 * Asks L1: one embedding, then one round trip to the index. If the model or the index is away, what L0 found goes on
 * alone; without any the error is thrown (`ModelUnavailable`, `IndexUnavailable`, `Partial`, `Unclear`).
 */
export async function searchByMeaning(
  instance: Instance,
  call: LookupCall,
  keyword: readonly Match[],
): Promise<Meaning> {
  const { model, index, settings, log } = instance;
  try {
    const embedding = model.embed([call.query], 'query');
    const [[vector], hits] = await Promise.all([
      embedding,
      onCurrentIndex(instance, async (physical) =>
        index.search(physical, {
          vector: (await embedding)[0]!,
          text: call.query,
          domain: call.domain,
          scopes: call.scopes,
          limit: settings.search_depth,
        }),
      ),
    ]);
    const known = (id: string) => {
      const item = knownItem(instance, call, id);
      return call.domain === undefined || item?.domain === call.domain ? item : undefined;
    };
    const found = [...hits.by_vector, ...hits.by_text].flatMap(({ id }) => known(id) ?? []);
    const by_keyword = [...keyword, ...leftOutByKeyword(call.query, keyword, found)];
    const query = { text: call.query, vector: vector!, by_words_alone: model.embedder.stand_in };
    return {
      matches: rankMatches(query, by_keyword, hits, known, settings),
      keyword_only: false,
      stand_ins: model.embedder.stand_in ? [model.embedder.name] : [],
    };
  } catch (error) {
    const away = error instanceof KnowHubError && error.retryable;
    if (!away || keyword.length === 0) throw error;
    log.warn('lookup by keyword only', { request_id: call.request_id, code: error.code, why: error.message });
    return { matches: [...keyword], keyword_only: true, stand_ins: [] };
  }
}
