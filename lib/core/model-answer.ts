import * as z from 'zod';
import { jsonObjectsIn } from '#lib/core/json-in-text.ts';

/** What an answer looks like: any of `keys` tells it from what is wrapped around it; `lists` are its keys of lists. */
export interface AnswerShape {
  keys: readonly string[];
  lists: readonly string[];
}

type Json = Record<string, unknown>;

/** How deep an answer may be wrapped: in the call of a tool, and in the arguments of that. */
const WRAPPINGS = 2;

/**
 * The objects in a model's reply that may be its answer, in order, as models really write them: fenced or in prose,
 * wrapped (`{"name": "answer", "arguments": {…}}`), as JSON within JSON, and with lists that came as text (R4.5).
 */
export function answersIn(text: string, shape: AnswerShape): Json[] {
  const inner = parsed(text);
  const objects = jsonObjectsIn(typeof inner === 'string' ? inner : text);
  return objects.map((object) => withLists(unwrapped(object, shape, WRAPPINGS) ?? object, shape));
}

/** The one answer of this schema in a reply, keys that nobody asked for left out; or, for the model, what is wrong. */
export function readAnswer<Shape extends z.ZodRawShape>(
  text: string,
  schema: z.ZodObject<Shape>,
): { answer: z.output<z.ZodObject<Shape>> } | { problem: string } {
  const keys = Object.keys(schema.shape);
  const lists = keys.filter((key) => schema.shape[key] instanceof z.ZodArray);
  const loose = schema.strip();
  const read = answersIn(text, { keys, lists }).map((value) => loose.safeParse(value));
  const answers = read.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (new Set(answers.map((answer) => JSON.stringify(answer))).size > 1)
    return { problem: 'The answer holds several different JSON objects. Answer with exactly one.' };
  const [answer] = answers;
  if (answer !== undefined) return { answer };
  const error = read.at(-1)?.error;
  return { problem: error ? problemOf(error) : 'The answer holds no complete JSON object.' };
}

const problemOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');

function unwrapped(object: Json, shape: AnswerShape, wrappings: number): Json | undefined {
  if (shape.keys.some((key) => key in object)) return object;
  if (wrappings === 0) return undefined;
  for (const value of Object.values(object)) {
    const inner = typeof value === 'string' ? parsed(value) : value;
    const found = isJson(inner) ? unwrapped(inner, shape, wrappings - 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

function withLists(object: Json, { lists }: AnswerShape): Json {
  const read = lists.flatMap((key) => {
    const value = object[key];
    const list = typeof value === 'string' ? parsed(value) : undefined;
    return Array.isArray(list) ? [[key, list] as const] : [];
  });
  return { ...object, ...Object.fromEntries(read) };
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
