import type { Draft, Entry } from '#lib/core/entry.ts';
import { PIPELINE } from '#lib/core/entry.ts';
import type { Fold, ItemState } from '#lib/core/fold-state.ts';
import type { Ground, Relation } from '#lib/core/item.ts';

/** The id of the nth item of a test. */
export const idOf = (n: number): string => `knowledge-20260317-143022-${n.toString(16).padStart(8, '0')}`;

type More = Partial<Draft>;

let decisions = 0;

/** What every entry says of its item; each item has a fingerprint of its own unless told otherwise. */
const draft = (event: Draft['event'], item_id: string, more: More): Draft => ({
  at: 1_773_757_822,
  by: PIPELINE,
  event,
  item_id,
  attempt: 1,
  decision_id: `decision-${(decisions += 1)}`,
  fingerprint: `fingerprint of ${item_id}`,
  scopes: [],
  ...more,
});

const human = (more: More): More => ({ by: 'a human', attempt: 2, ...more });

/** The payload of an item in a domain. */
export const payload = (domain = 'payment', title = 'a title'): NonNullable<Draft['live']> => ({
  kind: 'entry',
  domain,
  title,
  keywords: [],
  keywords_by_author: true,
  covers: [],
});

export const admitted = (id: string, more: More = {}): Draft =>
  draft('admitted', id, { live: payload(), relations: [], ...more });
export const rejected = (id: string, grounds: readonly Ground[], more: More = {}): Draft =>
  draft('rejected', id, { reason: 'known', grounds: [...grounds], ...more });
export const superseded = (id: string, more: More = {}): Draft =>
  draft('rejected', id, { reason: 'superseded', grounds: [], ...more });
export const humanRejected = (id: string, more: More = {}): Draft =>
  draft('rejected', id, human({ reason: 'human', grounds: [], ...more }));
export const checked = (id: string, more: More = {}): Draft => draft('checked', id, human(more));
export const restored = (id: string, more: More = {}): Draft =>
  draft('restored', id, human({ live: payload(), relations: [], ...more }));
export const removed = (id: string, more: More = {}): Draft => draft('removed', id, human(more));
export const amended = (id: string, more: More = {}): Draft =>
  draft('amended', id, { by: 'sweep', live: payload(), ...more });
export const imported = (id: string, more: More = {}): Draft =>
  draft('imported', id, { by: 'a human', live: payload(), ...more });
export const condensed = (id: string, sources: readonly string[], more: More = {}): Draft =>
  draft('condensed', id, { by: 'a human', sources: [...sources], live: payload(), ...more });

export const duplicateOf = (id: string): Ground => ({ id, type: 'duplicate' });
export const subsetOf = (id: string): Ground => ({ id, type: 'subset' });
export const blockedBy = (id: string): Ground => ({ id, type: 'blocked' });
export const relatedTo = (to: string, type: string, reverse = type): Relation => ({ to, type, reverse });

/** The drafts as entries, one position after the other. */
export const ledger = (...drafts: readonly Draft[]): Entry[] =>
  drafts.map((each, n) => ({ ...each, position: n + 1 }));

/** An item's status, with the reason of a rejection: `approved`, `rejected known`. */
export const statusOf = (f: Fold, id: string): string => {
  const item = f.items.get(id);
  return item === undefined ? 'unknown' : [item.status, item.reason].filter(Boolean).join(' ');
};

/** One item of the fold that must be there. */
export const itemOf = (f: Fold, id: string): ItemState => {
  const item = f.items.get(id);
  if (!item) throw new Error(`the fold does not know ${id}`);
  return item;
};
