import * as z from 'zod';
import { hasDirection } from '#lib/adapters/aws/opensearch/queries.ts';
import { faultOf, isAway } from '#lib/adapters/aws/opensearch/replies.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { IndexDocument, Removal } from '#lib/core/rows.ts';

/** Half of what AWS takes in one call on its smaller instances (10 MiB). */
const MOST_BYTES = 5 * 1024 * 1024;

export interface Batch {
  ids: string[];
  lines: string[];
}

/**
 * The lines of a bulk call, cut into calls of at most 5 MB. The version is ours (the ledger position): with
 * `external` one that is not higher than what is there changes nothing.
 */
export function batches(documents: readonly (IndexDocument | Removal)[], now: number): Batch[] {
  const made: Batch[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    const { id, version } = document;
    const lines = [
      JSON.stringify({ index: { _id: id, version, version_type: 'external' } }),
      JSON.stringify(sourceOf(document, now)),
    ];
    const more = Buffer.byteLength(lines[0]!) + Buffer.byteLength(lines[1]!) + 2;
    if (bytes + more > MOST_BYTES) {
      made.push({ ids: [], lines: [] });
      bytes = 0;
    }
    const last = made.at(-1)!;
    last.ids.push(id);
    last.lines.push(...lines);
    bytes += more;
  }
  return made;
}

/** What is not live keeps nothing but that, and since when. */
function sourceOf(document: IndexDocument | Removal, now: number): object {
  if (!('task_vector' in document) || !document.live) return { live: false, removed_at: now };
  const { domain, scopes, title, keywords, about, task_vector, sections } = document;
  return {
    live: true,
    domain,
    scopes,
    title,
    keywords,
    about,
    ...(hasDirection(task_vector) && { task_vector }),
    sections: sections.map(({ heading, text, vector }) => ({
      heading,
      text,
      ...(hasDirection(vector) && { vector }),
    })),
  };
}

const Item = z.object({ _id: z.string(), status: z.number(), error: z.unknown().optional() });
const Reply = z.object({ items: z.array(z.object({ index: Item })) });

export interface Written {
  /** Ids that the engine refuses for good: they do not fit the mapping (400). */
  refused: string[];
  /** Some had been written before, by this version or a newer one (409): no refusal. */
  conflicts: boolean;
}

/** What became of each document. Anything else than these leaves the whole batch unclear. */
export function writtenIn(body: unknown, { ids }: Batch): Written {
  const { data } = Reply.safeParse(body);
  const items = data?.items.map(({ index }) => index) ?? [];
  if (items.length !== ids.length || items.some(({ _id }, n) => _id !== ids[n]))
    throw new Unclear(`the search engine answered for ${items.length} of ${ids.length} documents`);
  const failed = items.find(
    (item) => item.status >= 300 && item.status !== 409 && (item.status !== 400 || isAway(item)),
  );
  if (failed) throw faultOf({ status: failed.status, body: failed }, 'write');
  return {
    refused: items.filter(({ status }) => status === 400).map(({ _id }) => _id),
    conflicts: items.some(({ status }) => status === 409),
  };
}
