import { cut } from '#lib/core/limits.ts';

/** The first `codePoints` characters of a text, followed by `...` when it goes on (R6.4). */
export function excerpt(text: string, codePoints: number): { excerpt: string; truncated: boolean } {
  const start = cut(text, codePoints);
  return start.length < text.length
    ? { excerpt: `${start}...`, truncated: true }
    : { excerpt: text, truncated: false };
}
