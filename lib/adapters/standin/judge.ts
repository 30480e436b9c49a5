import type { Clause } from '#lib/adapters/standin/clauses.ts';
import { clausesOf } from '#lib/adapters/standin/clauses.ts';
import type { Statements } from '#lib/adapters/standin/compare.ts';
import { contradict, statements, unsaid, weightOf } from '#lib/adapters/standin/compare.ts';
import type { TaskTerms } from '#lib/adapters/standin/same-task.ts';
import { sameTask, taskTerms } from '#lib/adapters/standin/same-task.ts';
import type { JudgeView } from '#lib/core/judge-view.ts';
import { rejects, reverseOf } from '#lib/core/relation-types.ts';
import type { JudgeInput, JudgeOutput } from '#prompts/judge-relations.ts';

/** Share of a text's words that must be said on the other side for it to be covered. */
const COVERED = 0.95;
/** Words that may be left over, however long the text: more is a new paragraph. */
const LEFT_OVER = 8;
/** How far the lengths of two texts that are only shown in part may differ and still be one text. */
const SAME_LENGTH = 0.02;

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
  if (contradict(added, lost)) return 'conflict';

  const iAmCovered = isCovered(mine, added);
  const theyAreCovered = isCovered(theirs, lost);
  if (iAmCovered && theyAreCovered) {
    if (mine.view.complete && theirs.view.complete) return 'duplicate';
    if (mine.view.complete) return 'subset';
    if (theirs.view.complete) return 'superset';
    return sameShape(mine.view, theirs.view) ? 'duplicate' : 'complement';
  }
  if (iAmCovered && mine.view.complete) return 'subset';
  if (theyAreCovered && theirs.view.complete) return 'superset';
  return 'complement';
}

/** Whether what is left over is too little to be knowledge: few words, and no figure, name or "not" among them. */
function isCovered({ said }: Side, left: readonly Clause[]): boolean {
  const weight = weightOf(left);
  if (left.some(({ numbers, identifiers, negated }) => numbers !== '' || identifiers !== '' || negated))
    return false;
  return said.weight > 0 && weight <= LEFT_OVER && 1 - weight / said.weight >= COVERED;
}

/** Two long texts of which only parts are shown: the rest is taken for equal only with the same headings and length. */
const sameShape = (a: JudgeView, b: JudgeView): boolean =>
  a.outline === b.outline &&
  Math.abs(a.characters - b.characters) <= SAME_LENGTH * Math.max(a.characters, b.characters);
