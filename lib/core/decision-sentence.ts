import type { Ground } from '#lib/core/item.ts';
import type { PublicStatus } from '#lib/core/public-item.ts';

/** What a decision's sentence is made from; `grounds` are those that the reader may see. */
export interface DecisionFacts {
  status: PublicStatus;
  reason?: string | undefined;
  basis?: string | undefined;
  grounds: readonly Ground[];
  /** A human's own words. */
  note?: string | undefined;
  /** How often the judge could not be reached. */
  failures?: number | undefined;
}

/** Why an item has its status, in one sentence. Grounds that the reader may not see leave no trace in it. */
export function decisionSentence(facts: DecisionFacts): string {
  switch (facts.status) {
    case 'pending':
      return waiting(facts.failures ?? 0);
    case 'processing':
      return 'It is being compared with what is stored.';
    case 'checked':
      return 'A human checked it.';
    case 'approved':
      return APPROVED[facts.basis ?? ''] ?? 'It was admitted.';
    case 'rejected':
      return rejected(facts);
  }
}

function waiting(failures: number): string {
  if (failures === 0) return 'It waits to be compared with what is stored.';
  return `It waits: the judge could not be reached ${failures === 1 ? 'once' : `${failures} times`} so far.`;
}

const APPROVED: Readonly<Record<string, string>> = {
  no_candidates: 'It was admitted: nothing stored is near to it.',
  judge: 'It was admitted: the judge found something new in it.',
  last_resort: 'It was admitted without a verdict, as the judge gave none.',
  import: 'It was imported without a comparison.',
  human: 'A human restored it.',
};

function rejected({ reason, basis, grounds, note }: DecisionFacts): string {
  const leaning = grounds.map(({ id, type }) => `${type} of ${id}`).join(', ');
  const because = leaning === '' ? '.' : `: ${leaning}.`;
  switch (reason) {
    case 'superseded':
      return 'It was rejected: a newer version at its path came first.';
    case 'replaced':
      return 'It was replaced by a newer version at its path.';
    case 'condensed':
      return 'It was condensed into another item.';
    case 'blocked':
      return 'It was rejected: a human had rejected the same text before.';
    case 'human':
      return note === undefined ? 'A human rejected it.' : `A human rejected it: ${note}`;
    default:
      return basis === 'identical'
        ? `It was rejected: the same text is stored already${because}`
        : `It was rejected: it is known already${because}`;
  }
}
