import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Parser,
  type YAMLMap,
} from 'yaml';

/** What a block of YAML says; `broken` = not YAML, `refused` = YAML that only an attacker writes. */
export type YamlReading =
  | { kind: 'mapping'; entries: Map<string, unknown>; warnings: string[] }
  | { kind: 'nothing' | 'other' | 'broken' | 'refused' };

/** Fields that are lists, whatever their author wrote (R3.3). */
export const LIST_FIELDS: ReadonlySet<string> = new Set(['keywords', 'covers']);

/** Fields that are one text. */
export const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'summary',
  'category',
  'when_to_retrieve',
  'owner',
]);

const DEEPEST = 64;
/** Nodes and characters that aliases may add to a block: enough for people, not for a bomb. */
const ALIASED = 16_384;

const OPTIONS = {
  // Every scalar stays a string as written; no tag is ever run.
  schema: 'failsafe',
  resolveKnownTags: false,
  stringKeys: true,
  // The library compares each key with all before it; we find duplicates while converting.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

const NULLS: ReadonlySet<string> = new Set(['null', 'Null', 'NULL', '~']);

class Refused extends Error {}

/** Reads YAML without resolving anything but its own aliases. Never throws (R3.3). */
export function readYaml(source: string): YamlReading {
  try {
    const tokens = [...new Parser().parse(source)];
    // Composing recurses, and V8 dies, uncatchably, when a regular expression is compiled at the end of the stack.
    if (isDeep(tokens)) return { kind: 'refused' };
    const documents = [...new Composer(OPTIONS).compose(tokens, true, source.length)];
    const [document] = documents;
    if (document === undefined) return { kind: 'nothing' };
    if (documents.length > 1 || document.errors.length > 0) return { kind: 'broken' };
    return converted(document, source);
  } catch (error) {
    return { kind: error instanceof Refused ? 'refused' : 'broken' };
  }
}

function isDeep(tokens: CST.Token[]): boolean {
  let level: (CST.Token | null | undefined)[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((token) => {
      if (token?.type === 'document') return [token.value];
      return token && 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : [];
    });
  }
  return false;
}

interface Value {
  value: unknown;
  /** Nodes and characters in it. */
  cost: number;
}

const NOTHING: Value = { value: '', cost: 1 };

function converted(document: Document.Parsed, source: string): YamlReading {
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === '')) return { kind: 'nothing' };
  if (!isMap(root)) return { kind: 'other' };
  const warnings = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(() => 'unknown_tag');
  const values = converter(warnings);
  const { entries } = values.mapping(root, (name, value) => slip(name, value, source));
  return { kind: 'mapping', entries, warnings };
}

/** Turns nodes into strings, lists and plain objects; refuses aliases that explode, throws on unknown ones. */
function converter(warnings: string[]) {
  const anchors = new Map<string, Value>();
  let aliased = 0;

  const mapping = (map: YAMLMap, mend: (name: string, value: unknown) => string | string[] | undefined) => {
    const entries = new Map<string, unknown>();
    let cost = 1;
    for (const pair of map.items) {
      const key = convert(pair.key);
      const name = String(key.value);
      const mended = mend(name, pair.value);
      const value = mended ? { value: mended, cost: 1 } : isNull(pair.value) ? NOTHING : convert(pair.value);
      if (mended) warnings.push(`recovered:${name}`);
      if (entries.has(name)) warnings.push(`duplicate_key:${name}`);
      entries.set(name, value.value);
      cost += key.cost + value.cost;
    }
    return { entries, cost };
  };

  const convert = (node: unknown): Value => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) throw new Error('unknown alias');
      aliased += target.cost;
      if (aliased > ALIASED) throw new Refused();
      return target;
    }
    let result = NOTHING;
    if (isScalar(node)) {
      const text = String(node.value ?? '');
      result = { value: text, cost: 1 + text.length };
    } else if (isSeq(node)) {
      const items = node.items.map(convert);
      result = {
        value: items.map(({ value }) => value),
        cost: 1 + items.reduce((sum, { cost }) => sum + cost, 0),
      };
    } else if (isMap(node)) {
      const { entries, cost } = mapping(node, () => undefined);
      // Own properties whatever the key is called, `__proto__` included.
      result = { value: Object.fromEntries(entries), cost };
    }
    if ((isScalar(node) || isCollection(node)) && node.anchor) anchors.set(node.anchor, result);
    return result;
  };

  return { mapping };
}

/** An explicit null where a value is due; in a list, `null` is the word that its author wrote. */
function isNull(node: unknown): boolean {
  return isScalar(node) && node.type === 'PLAIN' && node.tag === undefined && NULLS.has(node.source ?? '');
}

/** YAML that is a slip of the pen in a known field: `- Redis: full` in a list of labels, a wiki link as title. */
function slip(name: string, value: unknown, source: string): string | string[] | undefined {
  const written = (node: unknown): string | undefined => {
    if (!isCollection(node) || !node.range) return undefined;
    const text = source.slice(node.range[0], node.range[1]).trim();
    return text.includes('\n') ? undefined : text;
  };
  if (TEXT_FIELDS.has(name)) {
    const text = written(value);
    return text?.startsWith('[[') ? text : undefined;
  }
  if (!LIST_FIELDS.has(name) || !isSeq(value)) return undefined;
  const items = value.items.map((item) => (isMap(item) && !item.flow ? written(item) : undefined));
  if (items.every((item) => item === undefined)) return undefined;
  return value.items.map((item, n) => items[n] ?? (isScalar(item) ? String(item.value ?? '') : ''));
}
