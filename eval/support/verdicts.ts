import { judgeViews } from '#lib/core/judge-view.ts';
import { fingerprint } from '#lib/core/normalise.ts';
import { isKnownType, rejects } from '#lib/core/relation-types.ts';
import { scopeAllows } from '#lib/core/relevance.ts';
import type { Model } from '#lib/ports.ts';
import { judge } from '#lib/usecases/judge.ts';
import type { LabelledPair, Text } from './labelled-pairs.ts';
import type { Running } from './measure-cosines.ts';

/** What was said of one newcomer and one stored text. */
export interface Verdict {
  /** `coined`: a type of the judge's own; `unreadable`: no answer that can be used, the newcomer is admitted (R4.5). */
  said: string;
  rejected: boolean;
  /** Model calls made; none where both are identical after normalisation, or may not be compared (R4.1). */
  calls: number;
}

export interface ScopedText extends Text {
  scopes?: string[] | undefined;
}

/** Judges one pair as the pipeline does, whether or not it would pass the floor. Throws `ModelUnavailable`. */
export async function verdictOn(
  model: Model,
  budget: number,
  newcomer: ScopedText,
  stored: ScopedText | undefined,
): Promise<Verdict> {
  if (!stored || !scopeAllows(newcomer.scopes ?? [], stored.scopes ?? []))
    return { said: 'none', rejected: false, calls: 0 };
  if (fingerprint(newcomer.task, newcomer.content) === fingerprint(stored.task, stored.content))
    return { said: 'duplicate', rejected: true, calls: 0 };
  const views = judgeViews(sourceOf(newcomer), [sourceOf(stored)], budget);
  const answer = await judge(model)(views.newcomer, [{ id: STORED_ID, ...views.candidates[0]! }]);
  const { calls } = answer;
  if (answer.kind === 'unreadable') return { said: 'unreadable', rejected: false, calls };
  const said = answer.relations[0]?.type ?? 'none';
  return { said: isKnownType(said) ? said : 'coined', rejected: answer.decision === 'rejected', calls };
}

const STORED_ID = 'knowledge-20260101-000000-0000000a';

const sourceOf = ({ task, content }: Text) => ({ kind: 'entry', task, title: '', body: content }) as const;

/**
 * What a right judge may say of a pair, by the set's label. Sentences of one set are given one task, so two that have
 * nothing to do with each other are other sides of it, or nothing; PAWS only says that two sentences differ.
 */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  duplicate: ['duplicate'],
  subset: ['subset'],
  superset: ['superset'],
  conflict: ['conflict'],
  sibling_weak_complement: ['complement', 'none'],
  none: ['none', 'complement'],
  neutral: ['none', 'complement'],
  not_duplicate: ['none', 'complement', 'conflict', 'superset'],
};

export const rightAnswers = ({ label }: Pick<LabelledPair, 'label'>): readonly string[] => RIGHT[label] ?? [];

/** How the verdicts on one relation of one set came out. */
export interface Scored {
  set: string;
  language: string;
  label: string;
  pairs: number;
  /** How often each type was said. */
  said: Record<string, number>;
  right: number;
  /** Rejected although the newcomer holds something new: knowledge is lost. */
  wrongly_rejected: number;
  /** Admitted although the stored item says all of it: something is stored twice. */
  admitted_twice: number;
  calls: number;
}

/** Judges all pairs, `at_once` at a time, and counts by set and label. Throws `ModelUnavailable`. */
export async function scoreVerdicts(
  model: Model,
  budget: number,
  pairs: readonly LabelledPair[],
  at_once: number,
  { signal, tell }: Running,
): Promise<Scored[]> {
  const rows = new Map<string, Scored>();
  const waiting = [...pairs];
  let done = 0;
  const work = async () => {
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      signal.throwIfAborted();
      count(rows, pair, await verdictOn(model, budget, pair.new, pair.stored));
      done += 1;
      tell(`${done}/${pairs.length} pairs judged`);
    }
  };
  await Promise.all(Array.from({ length: at_once }, work));
  return [...rows.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const ORDER = Object.keys(RIGHT);
const keyOf = ({ set, label }: Scored): string => `${String(ORDER.indexOf(label)).padStart(2, '0')} ${set}`;

function count(rows: Map<string, Scored>, pair: LabelledPair, { said, rejected, calls }: Verdict): void {
  const { set, language, label, relation } = pair;
  const key = `${set} ${label}`;
  const row = rows.get(key) ?? {
    ...{ set, language, label, pairs: 0, said: {} },
    ...{ right: 0, wrongly_rejected: 0, admitted_twice: 0, calls: 0 },
  };
  rows.set(key, row);
  row.pairs += 1;
  row.calls += calls;
  row.said[said] = (row.said[said] ?? 0) + 1;
  if (rightAnswers(pair).includes(said)) row.right += 1;
  if (rejected && !rejects(relation)) row.wrongly_rejected += 1;
  if (!rejected && rejects(relation)) row.admitted_twice += 1;
}
