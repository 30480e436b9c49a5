import { randomBytes, randomInt } from 'node:crypto';
import type { Entry } from '#lib/core/entry.ts';
import { type Decision, type Fields, type ItemRow, Status } from '#lib/core/item.ts';
import type { HelpfulPoint, PathRow, RelationRow, SectionVector, TaskVector } from '#lib/core/rows.ts';

/** Characters that stores and wires get wrong: beyond the BMP, joined, combining, right to left, quotes, names of JavaScript. */
export const UNICODE = 'é e\u0301 支付 🚀👩‍👩‍👧 𠮷 שלום "q" \'q\' \\ \t\r\n <x> &amp; __proto__ %2F';

/** `digits` random hex digits: what keeps the rows of two tests on one store apart. */
export const uniqueHex = (digits = 8): string => randomBytes(digits).toString('hex').slice(0, digits);

export const uniqueId = (): string => `knowledge-20260701-120000-${uniqueHex()}`;

/** Ids in ascending order with nobody else's between them, and `before`, which is less than all of them. */
export function neighbouringIds(count: number): { before: string; ids: string[] } {
  const number = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0');
  const before = `knowledge-${number(8)}-${number(6)}-`;
  return { before, ids: Array.from({ length: count }, (_, n) => before + String(n).padStart(8, '0')) };
}

export const uniquePath = (filename = 'runbook.md'): string => `contract-${uniqueHex()}/${filename}`;

export const allBut = (status: Status): Status[] => Status.options.filter((each) => each !== status);

export const fields = (overrides: Partial<Fields> = {}): Fields => ({
  title: 'Pool exhausted',
  summary: 'What to do when the pool is exhausted.',
  keywords: ['HikariCP'],
  covers: ['pool exhausted'],
  when_to_retrieve: 'Asked about the pool.',
  generated: [],
  missing: [],
  ...overrides,
});

const emptyFields = (): Fields =>
  fields({ title: '', summary: '', keywords: [], covers: [], when_to_retrieve: '' });

/** An entry that waits for its judgement, under an id of its own. */
export const itemRow = (overrides: Partial<ItemRow> = {}): ItemRow => ({
  id: uniqueId(),
  kind: 'entry',
  domain: 'payment',
  task: 'Find out why the pool is exhausted',
  message_id: '',
  types: ['strategy'],
  tags: { team: 'core' },
  tag_keys: ['team'],
  scopes: ['org:acme'],
  owner: 'agent:runner',
  resource_ids: [],
  source: {},
  metadata: '',
  fields: emptyFields(),
  excerpt: 'Raise maximumPoolSize.',
  body_hash: 'b0d1',
  fingerprint: 'f1e9',
  created_at: 1_767_225_600,
  updated_at: 1_767_225_600,
  status: 'pending',
  attempt: 1,
  pos: 0,
  ...overrides,
});

/** What is left of an item that was erased: that it was there, and up to which position. */
export const tombstone = (id: string, pos: number, attempt: number): ItemRow =>
  itemRow({
    id,
    domain: '',
    task: '',
    types: [],
    tags: {},
    tag_keys: [],
    scopes: [],
    owner: '',
    excerpt: '',
    body_hash: '',
    fingerprint: '',
    created_at: 0,
    updated_at: 0,
    status: 'removed',
    attempt,
    pos,
  });

export const decision = (overrides: Partial<Decision> = {}): Decision => ({
  status: 'approved',
  attempt: 1,
  grounds: [],
  relations: [],
  ...overrides,
});

export const entry = (position: number, overrides: Partial<Entry> = {}): Entry => ({
  position,
  at: 1_767_225_600,
  by: 'pipeline',
  event: 'admitted',
  item_id: uniqueId(),
  attempt: 1,
  decision_id: uniqueHex(16),
  fingerprint: 'f1e9',
  scopes: [],
  ...overrides,
});

export const pathRow = (overrides: Partial<PathRow> = {}): PathRow => ({
  path: uniquePath(),
  seq: 1,
  latest_id: uniqueId(),
  body_hash: 'b0d1',
  scopes: [],
  owner: 'agent:runner',
  ...overrides,
});

export const relationRow = (overrides: Partial<RelationRow> = {}): RelationRow => ({
  from: uniqueId(),
  to: uniqueId(),
  type: 'complement',
  reverse: 'complement',
  pos: 1,
  ...overrides,
});

/** Float32 values, as everything that is stored has been rounded to them. */
export const vectorOf = (dimensions: number, seed: number): number[] =>
  Array.from({ length: dimensions }, (_, n) => Math.fround(Math.sin(seed + n) / Math.sqrt(dimensions)));

export const taskVector = (overrides: Partial<TaskVector> = {}): TaskVector => ({
  id: uniqueId(),
  model: 'stand-in',
  vector: vectorOf(8, 1),
  sketch: [0, 1, 0xffff_ffff],
  ...overrides,
});

export const sectionVector = (overrides: Partial<SectionVector> = {}): SectionVector => ({
  heading: 'Pool > Size',
  text: 'Raise maximumPoolSize.',
  vector: vectorOf(8, 2),
  ...overrides,
});

export const point = (overrides: Partial<HelpfulPoint> = {}): HelpfulPoint => ({
  source: 'dedup',
  related_id: uniqueId(),
  relation_type: 'duplicate',
  ground_id: uniqueId(),
  timestamp: 1_767_225_600,
  scopes: [],
  ...overrides,
});
