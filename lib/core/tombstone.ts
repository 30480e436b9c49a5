import { type Decision, type ItemRow, NO_FIELDS } from '#lib/core/item.ts';

/** A row without what the item said: that it was there, and up to which position (protocol, "Project"). */
export const tombstone = (id: string, position: number, { attempt }: Pick<Decision, 'attempt'>): ItemRow => ({
  id,
  kind: 'entry',
  domain: '',
  task: '',
  message_id: '',
  types: [],
  tags: {},
  tag_keys: [],
  scopes: [],
  owner: '',
  resource_ids: [],
  source: {},
  metadata: '',
  fields: NO_FIELDS,
  excerpt: '',
  body_hash: '',
  fingerprint: '',
  created_at: 0,
  updated_at: 0,
  status: 'removed',
  attempt,
  pos: position,
});
