import type { IndexDocument, Removal, SearchQuery } from '#lib/core/rows.ts';

export const ids = (hits: readonly { id: string }[]): string[] => hits.map(({ id }) => id);

/** A section with a text of its own. */
export const section = (heading: string, vector: number[]) => ({ heading, text: `${heading} text`, vector });

/** A live document; of two the one with the lower version is nearer to `[1, 0, 0, 0]`. */
export function document(id: string, version: number, more: Partial<IndexDocument> = {}): IndexDocument {
  return {
    id,
    version,
    live: true,
    domain: 'infra',
    scopes: [],
    title: 'pool',
    keywords: [],
    about: '',
    task_vector: [1, 0, 0, version / 1024],
    sections: [section('S', [1, 0, 0, version / 1024])],
    ...more,
  };
}

export const removal = (id: string, version: number): Removal => ({ id, version, live: false });

/** Finds every document that says nothing else. */
export const query = (more: Partial<SearchQuery> = {}): SearchQuery => ({
  vector: [1, 0, 0, 0],
  text: 'pool',
  scopes: [],
  limit: 100,
  ...more,
});
