import type { DocumentBodies } from '#lib/adapters/aws/s3/document-bodies.ts';
import type { Bodies } from '#lib/ports.ts';

/** Entries' texts, by item: the half of the Bodies port that lies in DynamoDB beside the item's row. */
export interface EntryBodies {
  /** Stores the text if the item has none. */
  put(id: string, text: string): Promise<void>;
  get(id: string): Promise<string | undefined>;
  /** Those without a text are left out; a cut answer throws `Partial`. */
  getMany(ids: readonly string[]): Promise<Map<string, string>>;
  erase(id: string): Promise<void>;
  /** Ids of texts stored before `before` (epoch milliseconds), in id order after `after`. */
  list(after: string, before: number, limit: number): Promise<string[]>;
}

/** The Bodies port: documents in S3, entries' texts in DynamoDB. */
export function createBodies(documents: DocumentBodies, entries: EntryBodies): Bodies {
  const half = { document: documents, entry: entries };
  return {
    put: (id, kind, text) => half[kind].put(id, text),
    get: (id, kind) => half[kind].get(id),
    async getMany(bodies) {
      const ids = Map.groupBy(bodies, ({ kind }) => kind);
      const [texts, entryTexts] = await Promise.all(
        (['document', 'entry'] as const).map((kind) => {
          const wanted = ids.get(kind)?.map(({ id }) => id) ?? [];
          return wanted.length > 0 ? half[kind].getMany(wanted) : new Map<string, string>();
        }),
      );
      return new Map([...texts!, ...entryTexts!]);
    },
    erase: (id, kind) => half[kind].erase(id),
    async list(after, before, limit) {
      const [documentIds, entryIds] = await Promise.all([
        documents.list(after, before, limit),
        entries.list(after, before, limit),
      ]);
      return [
        ...documentIds.map((id) => ({ id, kind: 'document' as const })),
        ...entryIds.map((id) => ({ id, kind: 'entry' as const })),
      ]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit);
    },
  };
}
