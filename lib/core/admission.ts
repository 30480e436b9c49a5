import type { Basis, Draft, LivePayload } from '#lib/core/entry.ts';
import { PIPELINE } from '#lib/core/entry.ts';
import { attemptOf, type Fold, isLiveState, isRemoved, pathOf } from '#lib/core/fold-state.ts';
import type { Fields, Ground, ItemRow, RejectReason } from '#lib/core/item.ts';
import { blocksOf, liveAfter, type Newcomer, twinsOf } from '#lib/core/relevance.ts';

/** One relation from the newcomer, as the judge said it; `ground`: a rejection may rest on it. */
export interface Judged {
  type: string;
  reverse: string;
  ground: boolean;
}

/** What the judge has said so far on the way to one decision (protocol, "Append": `judged`, `rel`). */
export interface View {
  /** Position of the last look. */
  judged: number;
  relations: ReadonlyMap<string, Judged>;
  /** Model that judged, if one was asked. */
  model?: string | undefined;
  /** The judge was given up (R4.5): why. */
  last_resort?: string | undefined;
}

/** What the pipeline does next for the newcomer at this fold. */
export type NextStep =
  | { do: 'recall' }
  /** `position`: the fold's, of this look; `standing`: what was judged before and still holds. */
  | { do: 'judge'; position: number; newly_live: string[]; standing: Map<string, Judged> }
  | { do: 'reject'; reason: RejectReason; basis: Basis; grounds: Ground[] }
  | { do: 'admit'; relations: Map<string, Judged> };

/**
 * The pipeline's `build` (protocol, "Append"): called at every head until it says reject or admit. What is decided
 * without a model, by path, twin or block, is decided afresh each time, so that nothing rests on a twin or a block
 * that is gone: then the recall in full is still to come.
 */
export function nextStep(f: Fold, me: Newcomer, view: View | undefined): NextStep {
  if (me.path !== undefined && pathOf(f, me.path).maxseq > (me.path_seq ?? 0))
    return { do: 'reject', reason: 'superseded', basis: 'superseded', grounds: [] };
  const twins = twinsOf(f, me);
  if (twins.length > 0)
    return { do: 'reject', reason: 'known', basis: 'identical', grounds: twins.map(ground('duplicate')) };
  const blocks = blocksOf(f, me);
  if (blocks.length > 0)
    return {
      do: 'reject',
      reason: 'blocked',
      basis: 'blocked',
      grounds: blocks.map((id) => ({ id, type: 'blocked' })),
    };
  if (!view) return { do: 'recall' };
  const standing = stillStanding(f, view);
  const newly_live = liveAfter(f, me, view.judged).map(({ id }) => id);
  if (newly_live.length > 0) return { do: 'judge', position: f.position, newly_live, standing };
  const grounds = [...standing].filter(([, { ground }]) => ground).map(([id, { type }]) => ({ id, type }));
  if (grounds.length > 0) return { do: 'reject', reason: 'known', basis: 'judge', grounds };
  return { do: 'admit', relations: standing };
}

const ground =
  (type: string) =>
  (x: { id: string }): Ground => ({ id: x.id, type });

/** Relations to items that are live, and as they were when they were judged: an amended one counts as new. */
function stillStanding(f: Fold, view: View): Map<string, Judged> {
  return new Map(
    [...view.relations].filter(([id]) => {
      const x = f.items.get(id);
      return isLiveState(x) && x.live_pos <= view.judged;
    }),
  );
}

/** Is this attempt decided already, by whomever, or the item gone? */
export const isDecided = (f: Fold, row: Pick<ItemRow, 'id' | 'attempt'>): boolean =>
  isRemoved(f, row.id) || attemptOf(f, row.id) >= row.attempt;

export function newcomerOf(row: ItemRow): Newcomer {
  const { id, path, path_seq, scopes, fingerprint } = row;
  return { id, path, path_seq, scopes, fingerprint };
}

/** What the catalog keeps of the item while it is live. */
export function payloadOf(row: Pick<ItemRow, 'kind' | 'domain' | 'task'> & { fields: Fields }): LivePayload {
  const { title, keywords, covers, generated } = row.fields;
  return {
    kind: row.kind,
    domain: row.domain,
    title: title === '' ? firstLine(row.task) : title,
    keywords,
    keywords_by_author: !generated.includes('keywords'),
    covers,
  };
}

const TITLE_CODE_POINTS = 200;
const firstLine = (text: string): string =>
  [...(text.split('\n')[0] ?? '')].slice(0, TITLE_CODE_POINTS).join('');

/** The pipeline's entry for a step that decides. `at` in epoch seconds. */
export function decisionDraft(
  row: ItemRow,
  step: Extract<NextStep, { do: 'reject' | 'admit' }>,
  view: View | undefined,
  stamp: { at: number; decision_id: string },
): Draft {
  const common = {
    ...stamp,
    by: PIPELINE,
    item_id: row.id,
    attempt: row.attempt,
    ...(row.path !== undefined && { path: row.path, path_seq: row.path_seq }),
    fingerprint: row.fingerprint,
    scopes: row.scopes,
    ...(view?.model !== undefined && { model: view.model }),
  };
  if (step.do === 'reject') {
    const { reason, basis, grounds } = step;
    return { ...common, event: 'rejected', reason, basis, grounds };
  }
  const relations = [...step.relations].map(([to, { type, reverse }]) => ({ to, type, reverse }));
  const last_resort = view?.last_resort;
  return {
    ...common,
    event: 'admitted',
    relations,
    live: payloadOf(row),
    basis: last_resort !== undefined ? 'last_resort' : view?.model !== undefined ? 'judge' : 'no_candidates',
    ...(last_resort !== undefined && { needs_review: last_resort }),
  };
}
