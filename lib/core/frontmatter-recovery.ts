import { LIST_FIELDS, readYaml, type YamlReading } from '#lib/core/frontmatter-yaml.ts';

/** A key at the margin with the lines up to the next one. */
interface Chunk {
  key: string;
  /** What stands after the colon. */
  first: string;
  /** All lines, the key's own included. */
  lines: string[];
  /** Lines at the margin that are no key, list or bracket: text that wrapped. */
  loose: number;
  recovered: boolean;
}

/** Beyond this nobody wrote it by hand, and reading it line by line would take too long. */
const MOST_LINES = 1000;
const LONGEST_KEY = 100;

/** Known fields with a full-width colon, or nothing after theirs: their author meant a key. */
const TIGHT = /^(title|summary|keywords|category|covers|when_to_retrieve|scopes|owner)[ \t]*[:：](.*)$/;
const CONTINUES = /^(?:\s|$|#|-(?:\s|$)|[\]}])/;
const STRUCTURE = /^["'[{|>&*!]/;
/** A list's bracket, and not one of its labels' own: `list[0]` and `[P1] full` stay whole. */
const OPENED = /^\[(?!\[)((?:[^[\]]|\[[^[\]]*\])*)\]?$/;
const CLOSED = /^((?:[^[\]]|\[[^[\]]*\])*)\]$/;

/**
 * Reads a block that is not YAML key by key: what can be parsed is; a line that cannot is kept as written, with the
 * warning `recovered:{key}` (R3.3). `broken` when nothing can be read, `other` for prose. Never throws.
 */
export function recover(source: string): YamlReading {
  const lines = source.split(/\r?\n/);
  if (lines.length > MOST_LINES) return { kind: 'broken' };
  const chunks = chunksOf(lines);
  if (chunks === undefined) return { kind: 'other' };

  const entries = new Map<string, unknown>();
  const warnings: string[] = [];
  let understood = false;
  for (const chunk of chunks) {
    const reading = readChunk(chunk);
    if (reading.kind === 'refused') return reading;
    understood ||= reading.kind === 'mapping';
    const found =
      reading.kind === 'mapping' ? reading : kept(chunk, [chunk.first, ...chunk.lines.slice(1)].join('\n'));
    warnings.push(...found.warnings);
    for (const [key, value] of found.entries) {
      if (entries.has(key)) warnings.push(`duplicate_key:${key}`);
      entries.set(key, value);
    }
  }
  return understood ? { kind: 'mapping', entries, warnings } : { kind: 'broken' };
}

/** The lines by their keys at the margin; `undefined` when they are prose rather than keys. */
function chunksOf(lines: readonly string[]): Chunk[] | undefined {
  const margin = ' '.repeat(lines.find((line) => /^\s*[^\s#]/.test(line))?.search(/[^ ]/) ?? 0);
  const chunks: Chunk[] = [];
  let loose = 0;
  for (const indented of lines) {
    const line = indented.startsWith(margin) ? indented.slice(margin.length) : indented;
    const chunk = CONTINUES.test(line) ? undefined : startOf(line);
    const current = chunks.at(-1);
    if (chunk) chunks.push(chunk);
    else if (current) {
      const wraps = !CONTINUES.test(line);
      current.lines.push(wraps ? `  ${line}` : line);
      current.loose += Number(wraps);
      loose += Number(wraps);
    } else if (/^\s*[^\s#]/.test(line)) return undefined;
  }
  return loose > chunks.length ? undefined : chunks;
}

function startOf(line: string): Chunk | undefined {
  const colon = line.search(/:(?:[ \t]|$)/);
  const written = line.slice(0, Math.max(colon, 0)).trim();
  if (written !== '' && written.length <= LONGEST_KEY && !/^[#[{&*!|>%@`]/.test(written)) {
    const key = written.replace(/^(["'])(.*)\1$/, '$2');
    return { key, first: line.slice(colon + 1).trim(), lines: [line], loose: 0, recovered: false };
  }
  const [, key, rest = ''] = TIGHT.exec(line) ?? [];
  if (key === undefined) return undefined;
  const first = rest.trim();
  return { key, first, lines: [`${key}: ${first}`], loose: 0, recovered: true };
}

function readChunk(chunk: Chunk): YamlReading {
  const asIs = readYaml(chunk.lines.join('\n'));
  if (asIs.kind === 'refused') return asIs;
  if (asIs.kind === 'mapping') return chunk.recovered || chunk.loose > 0 ? marked(asIs, chunk.key) : asIs;

  const more = chunk.lines.slice(1).filter((line) => /^\s*[^\s#]/.test(line));
  if (more.length === 0) return kept(chunk, chunk.first);
  const repaired = readYaml(repairedLines(chunk).join('\n'));
  if (repaired.kind === 'mapping' || repaired.kind === 'refused') return marked(repaired, chunk.key);
  const isText =
    chunk.first !== '' && !STRUCTURE.test(chunk.first) && !more.some((line) => /^\s*- /.test(line));
  return isText ? kept(chunk, [chunk.first, ...more.map((line) => line.trim())].join(' ')) : asIs;
}

function marked(reading: YamlReading, key: string): YamlReading {
  if (reading.kind !== 'mapping') return reading;
  return { ...reading, warnings: [...reading.warnings, `recovered:${key}`] };
}

/** The value as written; of a list, without the marks of its items and the brackets round it, one alone included. */
function kept({ key }: Chunk, text: string): YamlReading & { kind: 'mapping' } {
  const written = text.trim();
  const value = LIST_FIELDS.has(key)
    ? written
        .replace(OPENED, '$1')
        .replace(CLOSED, '$1')
        .replace(/^[ \t]*- /gm, '')
    : written;
  return { kind: 'mapping', entries: new Map([[key, value]]), warnings: [`recovered:${key}`] };
}

/** Each line whose value alone is not YAML, with that value quoted; lines of a block scalar stay. */
function repairedLines({ key, lines }: Chunk): string[] {
  let scalar = Number.POSITIVE_INFINITY;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (indent < 0 || indent > scalar) return line;
    scalar = /[|>][+-]?\d?\s*$/.test(line) ? indent : Number.POSITIVE_INFINITY;
    const from = line.search(/(?!- )\S|$/);
    const isItem = from > indent;
    // An item of a known list is a label: a colon in it is part of the label.
    const colon = isItem && LIST_FIELDS.has(key) ? -1 : line.slice(from).search(/: /);
    const start = colon < 0 ? from : from + colon + 2;
    const value = line.slice(start).trim();
    if ((colon < 0 && !isItem) || readYaml(`v: ${value}`).kind === 'mapping') return line;
    return `${line.slice(0, start)}'${value.replaceAll("'", "''")}'`;
  });
}
