import { searchable } from '#lib/adapters/memory/bm25.ts';
import type { Section, TextHit } from '#lib/core/rows.ts';

// Read again and again, and never changed; most are never asked for.
const known = new WeakMap<Section, ReadonlySet<string>>();

function termsOf(section: Section): ReadonlySet<string> {
  const terms = known.get(section) ?? new Set(searchable(section.text));
  known.set(section, terms);
  return terms;
}

/** The section that has most of the query's terms, the rarer the more; `undefined` where none has one. */
export function wordedSection(
  sections: readonly Section[],
  rarities: ReadonlyMap<string, number>,
): TextHit['section'] {
  let best: { n: number; told: number } | undefined;
  sections.forEach((section, n) => {
    const terms = termsOf(section);
    let told = 0;
    for (const [term, rarity] of rarities) if (terms.has(term)) told += rarity;
    if (told > (best?.told ?? 0)) best = { n, told };
  });
  if (!best) return undefined;
  const { heading, text } = sections[best.n]!;
  return { n: best.n, heading, text };
}
