import type { Entry } from '#lib/core/entry.ts';
import { PIPELINE } from '#lib/core/entry.ts';
import type { MapDocument, MapDomain } from '#lib/core/knowledge-map.ts';
import { idOf } from '#test/support/ledger.ts';

/** What the map shows of an item; what is left out is empty, or a document. */
interface Shown {
  domain: string;
  title: string;
  covers?: string[];
  scopes?: string[];
  kind?: 'document' | 'entry';
}

/** The nth entry of a ledger in which every item is admitted. */
export const admitted = (
  { domain, title, covers = [], scopes = [], kind = 'document' }: Shown,
  n: number,
): Entry => ({
  position: n + 1,
  at: 1_767_225_600,
  by: PIPELINE,
  event: 'admitted',
  item_id: idOf(n),
  attempt: 1,
  decision_id: `d${n}`,
  fingerprint: `f${n}`,
  scopes,
  live: { kind, domain, title, keywords: [], keywords_by_author: false, covers },
});

/** A domain whose documents are a plain list. */
export type Listed = MapDomain & { documents: readonly MapDocument[] };

export const domain = (domain_id: string, documents: readonly MapDocument[] = []): Listed => ({
  domain_id,
  description: `about ${domain_id}`,
  when_to_retrieve: `asked about ${domain_id}`,
  items: documents.length,
  documents,
});
