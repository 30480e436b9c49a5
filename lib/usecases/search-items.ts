import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { LookupDocument } from '#lib/core/lookup-reply.ts';
import { checkQuestion, parseLookup } from '#lib/core/lookup-request.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { hasFindable, lookupCall } from '#lib/usecases/lookup-call.ts';
import { searchByMeaning } from '#lib/usecases/lookup-l1.ts';
import { readDocuments } from '#lib/usecases/lookup-reply.ts';

export interface SearchInput {
  q: string;
  domain?: string | undefined;
  limit: number;
}

export const SearchReply = z.strictObject({
  documents: z.array(LookupDocument),
  /** Names of stand-in models that shaped the answer; absent when none did. */
  stand_ins: z.array(z.string()).optional(),
});
export type SearchReply = z.infer<typeof SearchReply>;

/**
 * Searches the live items that the caller may see by meaning and words, best first; no session is asked or written
 * (spec, section 7). Throws `InvalidInput`, and the error of the model or the index if one is away.
 */
export const searchItems =
  (instance: Instance) =>
  async (caller: Caller, { q, domain, limit }: SearchInput): Promise<SearchReply> => {
    const { clock, random, catalog } = instance;
    checkQuestion(q, 'q');
    const request = parseLookup({ query: q, domain });
    const call = lookupCall(request, caller.scopes, undefined, random.hex(8), clock.now());
    await catalog.refresh();
    if (!hasFindable(instance, call)) return { documents: [] };
    const { matches, stand_ins } = await searchByMeaning(instance, call, []);
    const chosen = matches.slice(0, limit).map(({ section, score, ...item }) => ({ item, score, section }));
    const documents = await readDocuments(instance, chosen);
    return { documents, ...(stand_ins.length > 0 && { stand_ins }) };
  };
