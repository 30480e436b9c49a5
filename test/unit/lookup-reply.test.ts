import { expect, test } from 'vitest';
import type { KnownItem } from '#lib/core/lookup-match.ts';
import { LookupReply, lookupDocument, StoredAnswer } from '#lib/core/lookup-reply.ts';
import { idOf } from '#test/support/ledger.ts';
import { fields, itemRow } from '#test/support/rows.ts';

const item: KnownItem = {
  id: idOf(1),
  kind: 'document',
  path: 'infra/pool.md',
  title: 'Pool exhausted',
  domain: 'infra',
  covers: ['pool sizing'],
  keywords: ['HikariCP'],
  keywords_by_author: true,
  scopes: [],
};
const row = itemRow({ id: item.id, fields: fields(), excerpt: 'Raise maximumPoolSize.' });

/** As it is handed over, from its beginning. */
const document = {
  id: item.id,
  kind: 'document',
  path: 'infra/pool.md',
  title: 'Pool exhausted',
  domain: 'infra',
  covers: ['pool sizing'],
  when_to_retrieve: 'Asked about the pool.',
  excerpt: 'Raise maximumPoolSize.',
  truncated: false,
  score: 1,
  section: '',
};

test('R6.4 without a section a document is shown from its beginning', () => {
  expect(lookupDocument(item, row, 1, undefined, 2000)).toStrictEqual(document);
});

test('R6.4 a section that matched is shown in its place, with its heading, cut like any excerpt', () => {
  const section = { heading: 'Pool > Size', text: 'Twice the cores.' };
  expect(lookupDocument(item, row, 0.5, section, 2000)).toStrictEqual({
    ...document,
    excerpt: 'Pool > Size\n\nTwice the cores.',
    score: 0.5,
    section: 'Pool > Size',
  });
  expect(lookupDocument(item, row, 0.5, section, 5)).toMatchObject({ excerpt: 'Pool ...', truncated: true });
});

test('R6.4 what a row holds of a long document shows that it goes on', () => {
  const long = { ...row, excerpt: `${'x'.repeat(2000)}...` };
  const { excerpt, truncated } = lookupDocument(item, long, 1, undefined, 2000);
  expect({ excerpt, truncated }).toEqual({ excerpt: long.excerpt, truncated: true });
});

test('R6.1 the contract of a reply: these fields, and no others', () => {
  const reply = {
    request_id: 'abcd1234',
    level: 'L0+L1',
    confidence: 'low',
    documents: [document],
    message: 'Found 1 document.',
    suppressed: [{ id: idOf(2), path: '', reason: 'already_returned' }],
    session: { searched_domains: ['infra'], returned: [idOf(1)] },
    took_ms: 4.5,
  };
  expect(LookupReply.parse(reply)).toEqual(reply);
  const by_stand_ins = { ...reply, stand_ins: ['stand-in-hash-512'] };
  expect(LookupReply.parse(by_stand_ins)).toEqual(by_stand_ins);
  for (const more of [{ vector: [] }, { session: {} }, { documents: [{ ...document, vector: [] }] }])
    expect(LookupReply.safeParse({ ...reply, ...more }).success).toBe(false);
});

test.each(['found', 'nothing_new', 'nothing_found'])(
  'R6.1 an answer that a session kept is read again, for a repeat of its request: %s',
  (outcome) => {
    const kept = {
      asked: 'a hash',
      outcome,
      domain: 'infra',
      level: 'L1',
      confidence: 'high',
      keyword_only: false,
      stand_ins: [],
      documents: [
        { id: idOf(1), score: 1, section: null, scopes: [] },
        { id: idOf(2), score: 0.5, section: 3, scopes: ['org:acme'] },
      ],
      suppressed: [{ id: idOf(3), reason: 'domain_searched' }],
    };
    expect(StoredAnswer.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  },
);

test('R6.1 a session keeps no text of a document', () => {
  const kept = StoredAnswer.shape.documents.element;
  expect(kept.safeParse({ id: idOf(1), score: 1, section: null, scopes: [], excerpt: 'text' }).success).toBe(
    false,
  );
});
