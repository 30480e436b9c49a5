import { readdirSync, readFileSync } from 'node:fs';

export type Family = 'claude' | 'nova' | 'openai';
type Json = Record<string, unknown>;

const folder = (family: Family) => new URL(`./recorded/${family}/`, import.meta.url);

/** Kinds of replies of which a family's shape is recorded. */
export const kindsOf = (family: Family): string[] =>
  readdirSync(folder(family)).map((name) => name.replace(/\.json$/, ''));

/** The recorded shape of a reply, with this answer where its markers stand (README.md of the folder says which). */
export function shaped(family: Family, kind: string, answer: Json, other: Json): string {
  const shape: unknown = JSON.parse(readFileSync(new URL(`${kind}.json`, folder(family)), 'utf8'));
  const text = JSON.stringify(answer);
  const [first = ''] = Object.keys(answer);
  const objects: Readonly<Record<string, Json>> = {
    '@input': answer,
    '@other-input': other,
    '@input-cut': { [first]: answer[first] },
    '@input-with-reasoning': withReasoning(answer),
    '@input-lists-as-text': listsAsText(answer),
  };
  const texts: Readonly<Record<string, string>> = {
    '@json-with-reasoning': JSON.stringify(withReasoning(answer)),
    '@json-lists-as-text': JSON.stringify(listsAsText(answer)),
    '@json-incomplete': JSON.stringify({ [first]: answer[first] }),
    '@json-cut': text.slice(0, Math.floor(text.length * 0.6)),
    '@json': text,
    '@other': JSON.stringify(other),
  };
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each)]));
    if (typeof value !== 'string') return value;
    return (
      objects[value] ??
      Object.entries(texts).reduce((line, [marker, put]) => line.replaceAll(marker, () => put), value)
    );
  };
  return JSON.stringify(filled(shape));
}

const withReasoning = (answer: Json): Json => ({
  reasoning: 'They {look} alike.',
  ...answer,
  confidence: '0.9',
});

const listsAsText = (answer: Json): Json =>
  Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, Array.isArray(value) ? JSON.stringify(value) : value]),
  );
