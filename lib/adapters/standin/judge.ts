import type { Clause } from '#lib/adapters/standin/clauses.ts';
import { clausesOf } from '#lib/adapters/standin/clauses.ts';
import type { Statements } from '#lib/adapters/standin/compare.ts';
import { contradict, statements, unsaid, weightOf } from '#lib/adapters/standin/compare.ts';
import type { TaskTerms } from '#lib/adapters/standin/same-task.ts';
import { sameTask, taskTerms } from '#lib/adapters/standin/same-task.ts';
import { identifiersOf, isNegated, numbersOf } from '#lib/adapters/standin/slots.ts';
import type { JudgeView } from '#lib/core/judge-view.ts';
import { rejects, reverseOf } from '#lib/core/relation-types.ts';
import type { JudgeInput, JudgeOutput } from '#prompts/judge-relations.ts';

/** Share of a text's words that must be said on the other side for it to be covered. */
const COVERED = 0.95;
/** Words that may be left over, however long the text: more is a sentence that somebody would miss. */
const LEFT_OVER = 4;

/** Clauses of a text in which even a short clause says what it is about. */
const SHORT_TEXT = 20;
/** Share of common clauses from which two long texts are versions of one. */
const VERSION = 0.3;

/** Code points of a view for these rules: they read whole documents for nothing, and judge parts badly. */
export const STANDIN_JUDGE_BUDGET = 200_000;

interface Side {
  view: JudgeView;
  task: TaskTerms;
  said: Statements;
}

/**
 * Judges by rules: clause sets, number slots, a small list of antonyms (R4.2). It has no knowledge of the world: a
 * paraphrase in other words is a complement to it, and so is a contradiction that only knowledge can see.
 */
export function judgeByRules({ newcomer, candidates }: JudgeInput): JudgeOutput {
  const mine = sideOf(newcomer);
  const relations = candidates
    .map((candidate) => ({ old_id: candidate.id, type: relate(mine, candidate) }))
    .filter(({ type }) => type !== 'none')
    .map((relation) => ({ ...relation, reverse_type: reverseOf(relation.type) }));
  const rejected = relations.some(({ type }) => rejects(type));
  return { final_decision: rejected ? 'rejected' : 'approved', relations };
}

const sideOf = (view: JudgeView): Side => ({
  view,
  task: taskTerms(view.task),
  said: statements(clausesOf(view.content)),
});

function relate(mine: Side, candidate: JudgeView): string {
  if (!sameTask(mine.task, taskTerms(candidate.task))) return 'none';
  const theirs = sideOf(candidate);
  if (mine.view.complete && theirs.view.complete && mine.view.content === candidate.content)
    return 'duplicate';
  const added = unsaid(mine.said, theirs.said);
  const lost = unsaid(theirs.said, mine.said);
  if (contradict(added, lost, areClose(mine.said, theirs.said, added))) return 'conflict';

  const iAmCovered = isCovered(mine, added);
  const theyAreCovered = isCovered(theirs, lost);
  // Of a text that is shown in part the rest may say anything: it covers, but is never covered.
  if (iAmCovered && theyAreCovered && mine.view.complete && theirs.view.complete) return 'duplicate';
  if (iAmCovered && mine.view.complete) return 'subset';
  if (theyAreCovered && theirs.view.complete) return 'superset';
  return 'complement';
}

/** Two short texts, or two versions of one: there a short clause with another figure is about the same thing. */
const areClose = (a: Statements, b: Statements, added: readonly Clause[]): boolean =>
  Math.min(a.clauses.length, b.clauses.length) <= SHORT_TEXT ||
  1 - added.length / a.clauses.length >= VERSION;

/** Whether what is left over is too little to be knowledge: few words, and no figure, name or "not" among them. */
function isCovered({ said }: Side, left: readonly Clause[]): boolean {
  const weight = weightOf(left);
  if (left.some((clause) => numbersOf(clause) !== '' || identifiersOf(clause) !== '' || isNegated(clause)))
    return false;
  return said.weight > 0 && weight <= LEFT_OVER && 1 - weight / said.weight >= COVERED;
}
