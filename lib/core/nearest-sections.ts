import { normalise } from '#lib/core/normalise.ts';
import type { Section } from '#lib/core/rows.ts';
import { resemblance, sketch } from '#lib/core/sketch.ts';

/** Resemblance from which two sections speak of one thing; unrelated prose of one language stays below. */
const NEAR = 0.2;

/** Below every turn. */
const FAR = 1000;

/**
 * How much each of these sections says about the other sides: a number by which they are ordered, for `judgeView`.
 * Section is held against section, since a section is a small part of any long text, however near. What stands word
 * for word on the other side comes after what is near and differs: two versions of one long text are told apart by the
 * section that changed. Of several other sides each has its nearest first, so that none takes all the room.
 */
export function nearest(
  sections: readonly Section[],
  others: readonly (readonly Section[])[],
): (section: Section) => number {
  const sketches = new Map(sections.map(({ text }) => [text, sketch(text)]));
  const best = new Map<string, number>();
  for (const other of others) {
    const scores = [...againstOne(sketches, other)].sort(([, a], [, b]) => b - a);
    scores.forEach(([text, score], turn) => {
      // What is far from this side has no turn. A score is at most 1: it decides among those of one turn.
      const value = score < NEAR ? score - FAR : score / 2 - turn;
      best.set(text, Math.max(value, best.get(text) ?? value));
    });
  }
  return ({ text }) => best.get(text) ?? 0;
}

function againstOne(
  sketches: ReadonlyMap<string, readonly number[]>,
  other: readonly Section[],
): Map<string, number> {
  const theirs = other.map(({ text }) => sketch(text));
  const said = new Set(other.map(({ text }) => normalise(text)));
  return new Map(
    [...sketches].map(([text, mine]) => [
      text,
      said.has(normalise(text)) ? NEAR : Math.max(0, ...theirs.map((their) => resemblance(mine, their))),
    ]),
  );
}
