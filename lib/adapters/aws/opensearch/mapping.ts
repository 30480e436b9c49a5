export interface IndexLayout {
  /** Of every vector; a property of the embedder. */
  dimensions: number;
  shards: number;
  replicas: number;
}

/** Chinese, Japanese and Korean as bigrams, other words lower-cased. */
const TEXT = { type: 'text', analyzer: 'cjk' };

/**
 * Lucene's HNSW everywhere, named in full: the default engine (faiss) needs a native library, and a node without it
 * dies at the first document.
 */
const vector = (dimension: number) => ({
  type: 'knn_vector',
  dimension,
  space_type: 'cosinesimil',
  method: { name: 'hnsw', engine: 'lucene' },
});

/** The body that creates an index. `alias` is the only name that writes go to (see `writeAlias`). */
export const indexBody = ({ dimensions, shards, replicas }: IndexLayout, alias: string) => ({
  settings: {
    index: {
      knn: true,
      number_of_shards: shards,
      number_of_replicas: replicas,
      // Said aloud, although it is the default: unsaid, an idle index is not refreshed, and `wait_for` waits on.
      refresh_interval: '1s',
    },
  },
  mappings: {
    dynamic: 'strict',
    properties: {
      live: { type: 'boolean' },
      removed_at: { type: 'date', format: 'epoch_millis' },
      domain: { type: 'keyword' },
      scopes: { type: 'keyword' },
      title: TEXT,
      keywords: TEXT,
      about: TEXT,
      // The sections' texts once more, as the whole item's: see `textBody`.
      text: TEXT,
      task_vector: vector(dimensions),
      sections: {
        type: 'nested',
        properties: {
          heading: { type: 'keyword', index: false, doc_values: false },
          // Which section has the words of a hit: see `textBody`.
          text: { ...TEXT, index_options: 'freqs', copy_to: 'text' },
          vector: vector(dimensions),
        },
      },
    },
  },
  aliases: { [alias]: {} },
});

/**
 * Writes name this alias and require one (`require_alias`): an index that was dropped has taken its alias along, so
 * that no write can make it anew, whatever the cluster's `action.auto_create_index` says.
 */
export const writeAlias = (index: string): string => `${index}-write`;
