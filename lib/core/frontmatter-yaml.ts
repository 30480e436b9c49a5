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
    const [document, second] = new Composer(OPTIONS).compose(tokens, true, source.length);
    if (second !== undefined || document?.errors.length !== 0) return { kind: 'broken' };
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
  if (root === null) return { kind: 'nothing' };
  if (!isMap(root)) return { kind: 'other' };
  const warnings = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(() => 'unknown_tag');
  const meant = new Map<unknown, string>();
  for (const { key, value } of root.items) {
    const name = String(isScalar(key) ? key.value : key);
    const found = slips(name, value, source);
    for (const [node, text] of found) meant.set(node, text);
    if (found.length > 0) warnings.push(`recovered:${name}`);
  }
  const { mapping } = converter(meant, warnings);
  return { kind: 'mapping', entries: mapping(root).entries, warnings };
}

/** Turns nodes into strings, lists and plain objects; refuses aliases that explode, throws on unknown ones. */
function converter(meant: ReadonlyMap<unknown, string>, warnings: string[]) {
  const anchors = new Map<string, Value>();
  let aliased = 0;

  const mapping = (map: YAMLMap) => {
    const entries = new Map<string, unknown>();
    let cost = 1;
    for (const pair of map.items) {
      const key = convert(pair.key);
      const name = String(key.value);
      const value = isNull(pair.value) ? NOTHING : convert(pair.value);
      if (entries.has(name)) warnings.push(`duplicate_key:${name}`);
      entries.set(name, value.value);
      cost += key.cost + value.cost;
    }
    return { entries, cost };
  };

  const convert = (node: unknown): Value => {
    const text = meant.get(node);
    if (text !== undefined) return { value: text, cost: 1 };
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) throw new Error('unknown alias');
      aliased += target.cost;
      if (aliased > ALIASED) throw new Refused();
      return target;
    }
    let result = NOTHING;
    if (isScalar(node)) {
      const value = String(node.value);
      result = { value, cost: 1 + value.length };
    } else if (isSeq(node)) {
      const items = node.items.map(convert);
      result = {
        value: items.map(({ value }) => value),
        cost: 1 + items.reduce((sum, { cost }) => sum + cost, 0),
      };
    } else if (isMap(node)) {
      const { entries, cost } = mapping(node);
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
  return isScalar(node) && node.type === 'PLAIN' && node.tag === undefined && NULLS.has(String(node.value));
}

/** YAML that is a slip of the pen in a known field, with its text: `- Redis: full` as a label, a wiki link as title. */
function slips(name: string, value: unknown, source: string): [node: unknown, text: string][] {
  const isText = TEXT_FIELDS.has(name);
  const labels = LIST_FIELDS.has(name) && isSeq(value) ? value.items : [];
  return (isText ? [value] : labels).flatMap((node): [unknown, string][] => {
    if (!isCollection(node) || !node.range) return [];
    const text = source.slice(node.range[0], node.range[1]).trim();
    const isSlip = isText ? text.startsWith('[[') : isMap(node) && !node.flow;
    return isSlip && !text.includes('\n') ? [[node, text]] : [];
  });
}
