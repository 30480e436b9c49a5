import * as z from 'zod';
import type { Fields, Kind } from '#lib/core/item.ts';
import { nearest } from '#lib/core/nearest-sections.ts';
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

/** Of a text's sections, a number for each: the highest come first. */
type Preference = (sections: readonly Section[]) => (section: Section) => number;

export interface JudgeViewOptions {
  /** Code points for outline and content together (design, section 3). */
  budget?: number;
  /** Asked when not all sections fit: how much each of them counts. Without it the first ones are taken. */
  prefer?: Preference;
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
  { budget = JUDGE_VIEW_BUDGET, prefer = () => () => 0 }: JudgeViewOptions = {},
): JudgeView {
  const characters = codePoints(body);
  const complete = characters <= budget;
  // A text that fits is never cut for the sake of its own headings.
  const share = Math.min(budget * OUTLINE_SHARE, complete ? budget - characters : budget);
  const headings = kind === 'document' ? withinBudget(outline(body), share) : '';
  if (complete) return { task, outline: headings, content: body, complete, characters };
  const sections = splitSections(body, title);
  const content = chosenSections(sections, budget - codePoints(headings), prefer(sections));
  return { task, outline: headings, content, complete, characters };
}

/**
 * Both sides of a judgement, each within the budget (R4.2): of a text that does not fit, the sections nearest to the
 * other side; of the newcomer's those nearest to each candidate in turn. `candidates` in the order given.
 */
export function judgeViews(
  newcomer: JudgeSource,
  candidates: readonly JudgeSource[],
  budget = JUDGE_VIEW_BUDGET,
): { newcomer: JudgeView; candidates: JudgeView[] } {
  const known = new Map<JudgeSource, Section[]>();
  const sectionsOf = (source: JudgeSource): Section[] => {
    const sections = known.get(source) ?? splitSections(source.body, source.title);
    known.set(source, sections);
    return sections;
  };
  const viewOf = (source: JudgeSource, others: readonly JudgeSource[]): JudgeView =>
    judgeView(source, { budget, prefer: (sections) => nearest(sections, others.map(sectionsOf)) });
  return {
    newcomer: viewOf(newcomer, candidates),
    candidates: candidates.map((candidate) => viewOf(candidate, [newcomer])),
  };
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

/** The sections with the best score that fit, in the order in which they stand in the text; there is one at least. */
function chosenSections(
  sections: readonly Section[],
  room: number,
  score: (section: Section) => number,
): string {
  const ranked = sections
    .map((section, order) => ({ text: section.text, order, score: score(section) }))
    .sort((a, b) => b.score - a.score);
  const chosen: { text: string; order: number }[] = [];
  let used = 0;
  for (const { text, order } of ranked) {
    const size = codePoints(text) + (chosen.length > 0 ? SEPARATOR.length : 0);
    if (used + size > room) continue;
    used += size;
    chosen.push({ text, order });
  }
  if (chosen.length === 0) return [...ranked[0]!.text].slice(0, Math.max(0, room)).join('');
  return chosen
    .sort((a, b) => a.order - b.order)
    .map((section) => section.text)
    .join(SEPARATOR);
}
