import { expect, test } from 'vitest';
import { ItemRow } from '#lib/core/item.ts';
import { tombstone } from '#lib/core/tombstone.ts';
import { idOf } from '#test/support/ledger.ts';
import { decision } from '#test/support/rows.ts';

test('R3.6 of an erased item only its id, its version and its place in the ledger are left', () => {
  const grave = tombstone(idOf(1), 42, decision({ status: 'removed', attempt: 3 }));
  expect(grave).toStrictEqual({
    id: idOf(1),
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
    fields: {
      title: '',
      summary: '',
      keywords: [],
      covers: [],
      when_to_retrieve: '',
      generated: [],
      missing: [],
    },
    excerpt: '',
    body_hash: '',
    fingerprint: '',
    created_at: 0,
    updated_at: 0,
    status: 'removed',
    attempt: 3,
    pos: 42,
  });
  expect(ItemRow.parse(grave)).toEqual(grave);
});
