import type { Asked, Kind, Measured } from './lookup-run.ts';

/** Requests of one call at most (design, section 8); waits for an answer, the index's included. */
export const BUDGETS: Readonly<Record<Kind, Budget>> = {
  'stopped by its domain': { DynamoDB: 1, OpenSearch: 0, embeddings: 0, round_trips: 1 },
  'stopped by its keyword': { DynamoDB: 2, OpenSearch: 0, embeddings: 0, round_trips: 1 },
  'L0, unique': { DynamoDB: 4, OpenSearch: 0, embeddings: 0, round_trips: 2 },
  L1: { DynamoDB: 4, OpenSearch: 1, embeddings: 1, round_trips: 3 },
};

/** Once in two seconds the name of the index is read: its pointer, then its row. */
export const NAME_OF_THE_INDEX = { DynamoDB: 2, round_trips: 2 };

export interface Budget {
  DynamoDB: number;
  OpenSearch: number;
  embeddings: number;
  round_trips: number;
}

export const used = ({ requests, embeddings, round_trips }: Asked): Budget => ({
  DynamoDB: requests.DynamoDB ?? 0,
  OpenSearch: requests.OpenSearch ?? 0,
  embeddings,
  round_trips,
});

/** What is wrong with the calls that were measured, one sentence a kind; nothing, as a rule. */
export function overBudget({ kind, asked }: Measured): string[] {
  return asked.flatMap((each) => {
    const budget = BUDGETS[kind];
    // Of calls seconds apart each reads it; a test with a clock that stands holds the budget without.
    const named = kind === 'L1';
    const others = Object.keys(each.requests).filter((service) => !(service in budget));
    const over = (Object.keys(budget) as (keyof Budget)[]).filter((what) => {
      const more = named && what in NAME_OF_THE_INDEX ? 2 : 0;
      return used(each)[what] > budget[what] + more;
    });
    return [...over, ...others].map((what) => `${kind}: ${what} over its budget in ${each.calls} calls`);
  });
}
