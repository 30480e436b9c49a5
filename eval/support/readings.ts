import { writeFrontmatter } from '#lib/adapters/standin/writers.ts';
import { documentTask } from '#lib/core/judge-view.ts';
import type { LabelledPair, Text } from './labelled-pairs.ts';

/**
 * What of a labelled text is taken for the item's task, whose vectors are compared (R4.1).
 * - `sentence`: the sentence.
 * - `entry`: the section's heading, as the author of an entry would name it.
 * - `document`: title, summary, covers and when_to_retrieve as the product joins them; the title is the heading, the
 *   rest is written from the section by the stand-in's rules.
 * - `summary`: that summary alone: two authors whose titles have nothing in common.
 */
export type Reading = 'sentence' | 'entry' | 'document' | 'summary';

export const readingsOf = ({ kind }: Pick<LabelledPair, 'kind'>): readonly Reading[] =>
  kind === 'sentence' ? ['sentence'] : ['entry', 'document', 'summary'];

/** The task of one side of a pair under a reading. */
export function taskIn(reading: Reading, { task, content }: Text): string {
  if (reading === 'sentence') return content;
  if (reading === 'entry') return task;
  const fields = writeFrontmatter({
    path: 'general/section.md',
    body: content,
    authored: reading === 'document' ? { title: task } : {},
    missing: [],
  });
  return reading === 'document' ? documentTask(fields) : fields.summary || task;
}
