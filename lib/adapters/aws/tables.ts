/** One secondary index. Sparse: a row is in it only while it has both key attributes. */
export interface TableIndex {
  partition: string;
  sort?: string;
  /** `ALL`, or the attributes that come beside the keys; none = the keys alone. */
  projection: 'ALL' | readonly string[];
}

export interface TableDefinition {
  partition: string;
  sort?: string;
  /** Types of all attributes that are a key somewhere: `S` string, `N` number. */
  attributes: Readonly<Record<string, 'S' | 'N'>>;
  indexes: Readonly<Record<string, TableIndex>>;
  /** Attribute with the epoch second after which DynamoDB may delete the row. */
  ttl?: string;
}

/** The six tables (design, section 3): the stack and the local run both create them from this. On demand, no streams. */
export const TABLES = {
  /** `part`: `meta`, `text`, `vector`, `eval`, `history#<position>`. */
  items: {
    partition: 'id',
    sort: 'part',
    attributes: {
      id: 'S',
      part: 'S',
      waiting: 'S',
      due_at: 'N',
      incomplete: 'S',
      created_at: 'N',
      body: 'S',
    },
    indexes: {
      /** Rows that wait: `pending` and `processing` by `next_at`, `received` by `created_at`. */
      due: { partition: 'waiting', sort: 'due_at', projection: [] },
      /** Rows with fields that wait for the model. */
      incomplete: { partition: 'incomplete', sort: 'created_at', projection: ['status', 'retry_at'] },
      /** Texts of entries in id order, for the sweep of orphans. */
      texts: { partition: 'body', sort: 'id', projection: ['stored_at'] },
    },
  },
  /** One row a relation; `edge` is `type#to`. */
  relations: {
    partition: 'from',
    sort: 'edge',
    attributes: { from: 'S', edge: 'S', to: 'S', type: 'S', reverse_type: 'S' },
    indexes: {
      by_to: { partition: 'to', sort: 'from', projection: 'ALL' },
      by_type: { partition: 'type', sort: 'from', projection: 'ALL' },
      /** Only rows whose reverse is a type of its own. */
      by_reverse: { partition: 'reverse_type', sort: 'from', projection: 'ALL' },
    },
  },
  /** `part`: `text`, `bucket#<n>`. */
  domains: {
    partition: 'domain_id',
    sort: 'part',
    attributes: { domain_id: 'S', part: 'S' },
    indexes: {},
  },
  ledger: {
    partition: 'ledger',
    sort: 'position',
    attributes: { ledger: 'S', position: 'N' },
    indexes: {},
  },
  /** `name`: `pointer`, `projection#<name>`, `path#<path>`, `relation_types`. */
  control: { partition: 'name', attributes: { name: 'S' }, indexes: {} },
  sessions: { partition: 'key', attributes: { key: 'S' }, indexes: {}, ttl: 'expires_at' },
} as const satisfies Record<string, TableDefinition>;

/** The six of them, as the design names them. */
export type Table = keyof typeof TABLES;

/** What each table is called in a deployment. */
export type TableNames = Readonly<Record<Table, string>>;
