import type { JudgeView } from '#lib/core/judge-view.ts';

export const wordsOf = (content: string): Set<string> =>
  new Set(content.toLowerCase().split(/\s+/).filter(Boolean));

const negated = (word: string): string => (word.startsWith('!') ? word.slice(1) : `!${word}`);

export const titleOf = (task: string): string => task.split('\n')[0]!.trim();

/**
 * The right answer in this world: a content is a set of words, `!a` contradicts `a`. From the newcomer to the stored
 * one; tasks that differ are always none (R2.4).
 */
export function relate(
  newcomer: Pick<JudgeView, 'task' | 'content'>,
  stored: Pick<JudgeView, 'task' | 'content'>,
): string {
  if (titleOf(newcomer.task) !== titleOf(stored.task)) return 'none';
  const mine = wordsOf(newcomer.content);
  const theirs = wordsOf(stored.content);
  if ([...mine].some((word) => theirs.has(negated(word)))) return 'conflict';
  const covered = mine.isSubsetOf(theirs);
  const covers = mine.isSupersetOf(theirs);
  if (covered && covers) return 'duplicate';
  return covered ? 'subset' : covers ? 'superset' : 'complement';
}
