import { InvalidInput } from '#lib/core/errors.ts';

/** DynamoDB takes 32 levels in a row; what lies deeper than this would come to nothing after it was accepted. */
const DEEPEST = 24;

/**
 * The value of a caller's JSON. Throws `InvalidInput` that names `field` where the text is no JSON or nested too deeply,
 * and the key where a text holds half a character or a number is none that can be stored.
 */
export function parseJson(text: string, field = 'body'): unknown {
  if (depthOf(text) > DEEPEST)
    throw new InvalidInput(field, `${field}: nested deeper than ${DEEPEST} levels`);
  try {
    return JSON.parse(text, storable);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput(field, `${field}: not JSON`);
  }
}

function storable(key: string, value: unknown): unknown {
  if (!key.isWellFormed()) throw new InvalidInput('body', 'body: a name holds half a character');
  const name = key || 'body';
  if (typeof value === 'string' && !value.isWellFormed())
    throw new InvalidInput(name, `${name} holds half a character`);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new InvalidInput(name, `${name}: a number that cannot be stored`);
  return value;
}

/** Deepest nesting of brackets outside strings; right for any text that is JSON. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, (depth += 1));
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}
