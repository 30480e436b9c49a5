import * as z from 'zod';
import type { Fields, Kind } from '#lib/core/item.ts';
import type { Section } from '#lib/core/rows.ts';
import { outline, splitSections } from '#lib/core/sections.ts';

/**
 * What a judge sees of one item. `outline` is the headings of a document, one a line, `''` for an entry. With
 * `complete` false, `content` holds only some sections of a text of `characters` code points.
 */
export const JudgeView = z.strictObject({
  task: z.string(),
  outline: z.string(),
  content: z.string(),
  complete: z.boolean(),
  characters: z.number().int().nonnegative(),
});
export type JudgeView = z.infer<typeof JudgeView>;

/** `body`: an entry's content, or a document's text without its frontmatter. */
export interface JudgeSource {
  kind: Kind;
  task: string;
  title: string;
  body: string;
}

export interface JudgeViewOptions {
  /** Code points for outline and content together (design, section 3). */
  budget?: number;
  /** Which sections count most when not all fit: the nearest to the other side. Without it the first ones. */
  prefer?: (section: Section) => number;
}

export const JUDGE_VIEW_BUDGET = 8000;

/** The part of the budget that a document's headings may take. */
const OUTLINE_SHARE = 0.25;

/** A document's task: title, summary, covers and when_to_retrieve, a line each (design, section 3). */
export function documentTask(
  fields: Pick<Fields, 'title' | 'summary' | 'covers' | 'when_to_retrieve'>,
): string {
  return [fields.title, fields.summary, ...fields.covers, fields.when_to_retrieve]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** One side of a judgement within the budget: whole, or whole sections of it and never half a character (R4.2). */
export function judgeView(
  { kind, task, title, body }: JudgeSource,
  { budget = JUDGE_VIEW_BUDGET, prefer = () => 0 }: JudgeViewOptions = {},
): JudgeView {
  const headings = kind === 'document' ? withinBudget(outline(body), budget * OUTLINE_SHARE) : '';
  const room = budget - codePoints(headings);
  const characters = codePoints(body);
  if (characters <= room) return { task, outline: headings, content: body, complete: true, characters };
  const content = chosenSections(splitSections(body, title), room, prefer);
  return { task, outline: headings, content, complete: false, characters };
}

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** The first lines that fit. */
function withinBudget(text: string, budget: number): string {
  const kept: string[] = [];
  let used = 0;
  for (const line of text.split('\n')) {
    used += codePoints(line) + 1;
    if (used > budget) break;
    kept.push(line);
  }
  return kept.join('\n');
}

const SEPARATOR = '\n\n';

/** The sections with the best score that fit, in the order in which they stand in the text. */
function chosenSections(
  sections: readonly Section[],
  room: number,
  prefer: (section: Section) => number,
): string {
  const ranked = sections
    .map((section, order) => ({ text: section.text, order, score: prefer(section) }))
    .sort((a, b) => b.score - a.score || a.order - b.order);
  const chosen: { text: string; order: number }[] = [];
  let used = 0;
  for (const { text, order } of ranked) {
    const size = codePoints(text) + (chosen.length > 0 ? SEPARATOR.length : 0);
    if (used + size > room) continue;
    used += size;
    chosen.push({ text, order });
  }
  if (chosen.length === 0) return [...(ranked[0]?.text ?? '')].slice(0, Math.max(0, room)).join('');
  return chosen
    .sort((a, b) => a.order - b.order)
    .map((section) => section.text)
    .join(SEPARATOR);
}
