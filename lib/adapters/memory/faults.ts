import type { Call } from '#lib/adapters/memory/gate.ts';
import { ModelUnavailable, Partial, Unclear } from '#lib/core/errors.ts';

/** What can happen to one call (cases/crash.md). */
export const FAULTS = [
  'killed before',
  'killed after',
  'done twice',
  'done, answer lost',
  'unclear, done later',
  'unclear, never done',
  'frozen',
  'partial',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What the caller hears of a call whose answer did not come. */
export const noAnswer = ({ port, method }: Call): Error =>
  port === 'model'
    ? new ModelUnavailable(`${port}.${method} timed out`)
    : new Unclear(`${port}.${method} timed out`);

const LISTINGS: ReadonlySet<string> = new Set([
  'items.due',
  'items.received',
  'items.missingFields',
  'bodies.list',
  'vectors.listSections',
  'mirror.list',
  'domains.list',
  'index.list',
  'snapshots.list',
]);
const WHOLE: ReadonlySet<string> = new Set([
  'items.getMany',
  'bodies.getMany',
  'projections.getMany',
  'vectors.tasks',
  'index.nearest',
  'index.search',
  'index.present',
  'index.bulk',
]);

/** Can the call be answered in part? */
export const canBePartial = ({ port, method }: Call): boolean =>
  LISTINGS.has(`${port}.${method}`) || WHOLE.has(`${port}.${method}`) || method === 'readAfter';

/** A partial answer: a page with a gap, half a listing; where completeness is promised, the error that says so. */
export function partialAnswer(call: Call, answer: unknown): unknown {
  if (WHOLE.has(`${call.port}.${call.method}`)) throw new Partial(`${call.port}.${call.method} came in part`);
  const list = answer as unknown[];
  if (call.method === 'readAfter') return list.filter((_, n) => n !== Math.floor((list.length - 1) / 2));
  return list.slice(0, Math.floor(list.length / 2));
}
