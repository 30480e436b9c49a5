import type { Fields, ItemRow } from '#lib/core/item.ts';

/** The fields of an item about which nobody wrote anything. */
export const noFields: Fields = {
  title: '',
  summary: '',
  keywords: [],
  covers: [],
  when_to_retrieve: '',
  generated: [],
  missing: [],
};

/** An entry's row that waits, with what a test says of it. */
export const itemRow = (row: Pick<ItemRow, 'id'> & Partial<ItemRow>): ItemRow => ({
  kind: 'entry',
  domain: 'general',
  task: 'a task',
  message_id: '',
  types: [],
  tags: {},
  tag_keys: [],
  scopes: [],
  owner: 'agent:runner',
  resource_ids: [],
  source: {},
  metadata: '',
  fields: noFields,
  excerpt: '',
  body_hash: '',
  fingerprint: `fingerprint of ${row.id}`,
  created_at: 1_773_757_822,
  updated_at: 1_773_757_822,
  status: 'pending',
  attempt: 1,
  pos: 0,
  ...row,
});
