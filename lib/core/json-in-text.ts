/** Attempts after which a text full of stray braces is given up: each attempt may read to the end. */
const ATTEMPTS = 50;

/** The outermost JSON objects in a model's text, fenced or wrapped in prose, in order (R4.5). */
export function jsonObjectsIn(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  let from = text.indexOf('{');
  for (let attempt = 0; from >= 0 && attempt < ATTEMPTS; attempt += 1) {
    const end = endOfObject(text, from);
    const value = parseObject(text.slice(from, end));
    if (value !== undefined) found.push(value);
    from = text.indexOf('{', value === undefined ? from + 1 : end);
  }
  return found;
}

/** Where the object that opens at `from` ends; at `from` itself if the text ends before. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && (depth -= 1) === 0) return at + 1;
  }
  return from;
}

/** The object that a text with a brace at its beginning is, if it is JSON. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
