import { recover } from '#lib/core/frontmatter-recovery.ts';
import { LIST_FIELDS, readYaml, type YamlReading } from '#lib/core/frontmatter-yaml.ts';
import type { FieldName, Fields } from '#lib/core/item.ts';
import { cut, LIMITS, utf8Bytes } from '#lib/core/limits.ts';

/** What a document's text holds: its frontmatter, or `null` without one that can be read, and the rest as written. */
export interface Frontmatter {
  fields: Record<string, unknown> | null;
  /** Always the end of the text: all of it (a byte-order mark aside) when `fields` is null. */
  body: string;
  /**
   * `unclosed`, `not_a_mapping`, `malformed`, `tabs`, `unknown_tag`, `duplicate_key:{key}`, `recovered:{key}`; each once.
   */
  warnings: string[];
}

/** Code units of a block that are read; its JSON may take 64 KB (R2.1). */
const LONGEST_BLOCK = 64 * 1024;
/** Of a block that is not YAML: mending reads it several times. */
const LONGEST_BROKEN_BLOCK = 16 * 1024;

const OPENING = /^---[ \t]*\r?(?:\n|$)/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|\r?$(?![\s\S]))/gm;
const TABS = /^ *\t[ \t]*/gm;

/**
 * Takes a document apart (R3.3). A fence counts on the first line only; every scalar stays as written, an explicit
 * null is `''`, known lists are lists. What cannot be parsed is a warning, never an error: for any text this returns.
 */
export function parseFrontmatter(text: string): Frontmatter {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text;
  const opening = OPENING.exec(whole);
  if (opening === null) return { fields: null, body: whole, warnings: [] };
  const start = opening[0].length;
  const closing = closingFence(whole, start);
  if (closing === null) return { fields: null, body: whole, warnings: ['unclosed'] };
  const reading = readBlock(whole.slice(start, closing.index));
  const body = whole.slice(closing.index + closing[0].length);
  switch (reading.kind) {
    case 'mapping':
      return {
        fields: Object.fromEntries([...reading.entries].map(([key, value]) => [key, shaped(key, value)])),
        body,
        warnings: [...new Set(reading.warnings)],
      };
    case 'nothing':
      return { fields: {}, body, warnings: [] };
    case 'other':
      return { fields: null, body: whole, warnings: ['not_a_mapping'] };
    case 'broken':
    case 'refused':
      return { fields: null, body: whole, warnings: ['malformed'] };
  }
}

function closingFence(text: string, start: number): RegExpExecArray | null {
  const fence = new RegExp(CLOSING);
  fence.lastIndex = start;
  return fence.exec(text);
}

function readBlock(source: string): YamlReading {
  if (source.length > LONGEST_BLOCK) return { kind: 'refused' };
  const asWritten = readYaml(source);
  if (asWritten.kind !== 'broken' || source.length > LONGEST_BROKEN_BLOCK) return asWritten;
  // YAML allows no tab in an indentation.
  const mended = source.replace(TABS, (indent) => indent.replaceAll('\t', '  '));
  const untabbed = mended === source ? asWritten : readYaml(mended);
  const reading = untabbed.kind === 'broken' ? recover(mended) : untabbed;
  if (reading.kind !== 'mapping' || mended === source) return reading;
  return { ...reading, warnings: ['tabs', ...reading.warnings] };
}

/** A known list as a list: a scalar is split at its commas, empty items go (R3.3). */
function shaped(key: string, value: unknown): unknown {
  if (!LIST_FIELDS.has(key)) return value;
  return typeof value === 'string' || Array.isArray(value) ? labels(value) : value;
}

/** The labels of a list or of a comma list in one text. What is neither text nor list stays in it as it is. */
export function labels(value: unknown): unknown[] {
  if (typeof value === 'string') {
    return value
      .split(/[,，、\n]/)
      .map((label) => label.trim())
      .filter((label) => label !== '');
  }
  if (!Array.isArray(value)) return [value];
  return value
    .flat(Number.POSITIVE_INFINITY)
    .map((item: unknown) => (typeof item === 'string' ? item.trim() : item))
    .filter((item) => item !== '');
}

/** What a document's frontmatter means for its item (R2.2, R3.1, R3.7). */
export interface DocumentFields {
  /** What the author wrote; a blank or unusable value is not written. */
  authored: Partial<Pick<Fields, FieldName>>;
  category?: string;
  scopes?: string[];
  owner?: string;
  /** All fields as a JSON string, at most 64 KB. */
  metadata: string;
  /** Those passed in, then `cut:{key}` and `not_text:{key}`. */
  warnings: string[];
}

/** Reads the known fields out of parsed frontmatter and cuts them to the limits of R3.7. Never throws. */
export function documentFields(
  fields: Record<string, unknown> | null,
  parseWarnings: readonly string[] = [],
): DocumentFields {
  const warnings = new Set(parseWarnings);
  const of = (key: string): unknown => (fields && Object.hasOwn(fields, key) ? fields[key] : '');
  const text = (key: string, limit: number, oneLine = true): string => {
    const value = of(key);
    if (typeof value !== 'string') {
      warnings.add(`not_text:${key}`);
      return '';
    }
    const whole = oneLine ? label(value) : value.toWellFormed().trim();
    const short = cut(whole, limit).trimEnd();
    if (short !== whole) warnings.add(`cut:${key}`);
    return short;
  };
  const list = (key: string, most: number, limit: number): string[] | undefined => {
    const found = labels(of(key));
    const texts = found.filter((item) => typeof item === 'string');
    if (texts.length < found.length) warnings.add(`not_text:${key}`);
    const whole = [...new Set(texts.map(label))].filter(Boolean);
    const short = [...new Set(whole.slice(0, most).map((item) => cut(item, limit).trimEnd()))];
    if (whole.some((item) => !short.includes(item))) warnings.add(`cut:${key}`);
    return short.length > 0 ? short : undefined;
  };
  // A scope that cannot be read hides the document rather than show it to everyone: it stays, as nobody's.
  const scopes = labels(of('scopes')).map((scope) => {
    if (typeof scope === 'string') return scope.toWellFormed();
    warnings.add('not_text:scopes');
    return JSON.stringify(scope);
  });

  const title = text('title', LIMITS.title);
  const summary = text('summary', LIMITS.summary, false);
  const keywords = list('keywords', LIMITS.keywords, LIMITS.keyword);
  const covers = list('covers', LIMITS.covers, LIMITS.cover);
  const when_to_retrieve = text('when_to_retrieve', LIMITS.when_to_retrieve);
  const category = text('category', LIMITS.category);
  const owner = text('owner', LIMITS.owner);
  const authored: DocumentFields['authored'] = {
    ...(title && { title }),
    ...(summary && { summary }),
    ...(keywords && { keywords }),
    ...(covers && { covers }),
    ...(when_to_retrieve && { when_to_retrieve }),
  };
  const others = { ...(category && { category }), ...(scopes[0] && { scopes }), ...(owner && { owner }) };
  const whole = JSON.stringify(fields ?? {});
  // The limited fields always fit.
  const metadata = [whole, JSON.stringify({ ...authored, ...others })].find(fits) ?? JSON.stringify(authored);
  if (metadata !== whole) warnings.add('cut:metadata');
  return { authored, ...others, metadata, warnings: [...warnings] };
}

const fits = (json: string): boolean => utf8Bytes(json) <= LIMITS.metadata_bytes;

/** A text on one line, as lists and prompts show it. */
const label = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
