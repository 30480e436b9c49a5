import type { Dirent } from 'node:fs';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { flattenName } from '#lib/core/flatten-name.ts';
import { cut, LIMITS } from '#lib/core/limits.ts';
import { decodeUtf8 } from '#lib/core/names.ts';
import { sha256 } from '#lib/core/normalise.ts';

/** A file that is to be pushed, and the path that it gets. `origin` is relative to the folder, with slashes. */
export interface FolderFile {
  origin: string;
  absolute: string;
  category: string;
  filename: string;
}

/** Something in the folder that is left alone, and why. */
export interface Skipped {
  origin: string;
  why: string;
}

export interface Folder {
  files: FolderFile[];
  skipped: Skipped[];
  /** Folders below that cannot be read: what lies in them is missing. */
  unreadable: Skipped[];
}

/** What holds no documents of the folder's owner. Other hidden folders count: people keep notes in them. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

const MARKDOWN = /\.(md|markdown|mdown|mkd|mkdn|mdx|rmd|qmd|txt|text|erb)$/i;
const README = /^readme$/i;
const FENCE = /^\ufeff?---[ \t]*\r?\n/;
const SNIFFED_BYTES = 64;

/**
 * The files of a folder that look like Markdown, by their ending or because they open with a frontmatter fence, in the
 * order of their names; two files never get one path. Throws what `readdir` throws for the folder itself.
 */
export async function readFolder(folder: string): Promise<Folder> {
  const found: Folder = { files: [], skipped: [], unreadable: [] };
  const taken = new Map<string, string>();
  const real = await realpath(folder).catch(() => folder);
  await walk(folder, '', async (origin, entry) => {
    const why = await whyNot(join(folder, origin), entry, real);
    if (why === undefined) found.files.push(named(folder, origin, taken));
    else found.skipped.push({ origin, why });
  });
  return found;

  async function walk(root: string, below: string, visit: (origin: string, entry: Dirent) => Promise<void>) {
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
      if (below === '') throw error;
      found.unreadable.push({ origin: `${below}/`, why: `cannot be read: ${codeOf(error)}` });
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const origin = below === '' ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) await visit(origin, entry);
      else if (SKIPPED_FOLDERS.has(entry.name))
        found.skipped.push({ origin: `${origin}/`, why: 'holds no documents' });
      else await walk(root, origin, visit);
    }
  }
}

async function whyNot(absolute: string, entry: Dirent, folder: string): Promise<string | undefined> {
  if (entry.isSymbolicLink()) {
    const target = await stat(absolute).catch(() => undefined);
    if (!target) return 'a link to nothing';
    if (target.isDirectory()) return 'a link to a folder';
    if (!target.isFile()) return 'not a file';
    // Whoever shares a folder shares what lies in it, and no more.
    const inside = folder.endsWith(sep) ? folder : folder + sep;
    if (!(await realpath(absolute)).startsWith(inside)) return 'a link out of the folder';
  } else if (!entry.isFile()) return 'not a file';
  if (MARKDOWN.test(entry.name) || README.test(entry.name)) return undefined;
  return (await opensWithFence(absolute)) ? undefined : 'not Markdown';
}

async function opensWithFence(absolute: string): Promise<boolean> {
  const file = await open(absolute).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return FENCE.test(buffer.toString('utf8', 0, bytesRead));
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** The path of the file; a second file that would get the same one carries the hash of its origin. */
function named(folder: string, origin: string, taken: Map<string, string>): FolderFile {
  const { category, filename } = flattenName(origin);
  const own = taken.has(`${category}/${filename}`) ? marked(filename, origin) : filename;
  taken.set(`${category}/${own}`, origin);
  return { origin, absolute: join(folder, origin), category, filename: own };
}

const MARK = 8;

function marked(filename: string, origin: string): string {
  const ending = /\.[^.]*$/.exec(filename)![0];
  const end = `-${sha256(origin).slice(0, MARK)}${ending}`;
  return cut(filename.slice(0, -ending.length), LIMITS.filename - end.length) + end;
}

/** A file's text, or why it is refused, or could not be read. */
export type Loaded =
  | { kind: 'text'; text: string }
  | { kind: 'refused'; why: string }
  | { kind: 'failed'; why: string };

const BINARY_SAMPLE = 8000;

/** Reads a file as UTF-8; nothing is guessed, so that every byte can be given back. */
export async function loadText(absolute: string, max_bytes: number): Promise<Loaded> {
  try {
    const { size } = await stat(absolute);
    if (size > max_bytes)
      return { kind: 'refused', why: `too large: ${size} bytes; the limit is ${max_bytes}` };
    const bytes = await readFile(absolute);
    if (bytes.subarray(0, BINARY_SAMPLE).includes(0))
      return { kind: 'refused', why: 'not UTF-8 text: it holds zero bytes' };
    const text = decodeUtf8(bytes);
    return text === undefined ? { kind: 'refused', why: 'not UTF-8 text' } : { kind: 'text', text };
  } catch (error) {
    return { kind: 'failed', why: `cannot be read: ${codeOf(error)}` };
  }
}

/** Is what was stored what lies in the file? */
export async function isSameAsFile(absolute: string, stored: string | undefined): Promise<boolean> {
  if (stored === undefined) return false;
  return readFile(absolute).then(
    (bytes) => bytes.equals(Buffer.from(stored, 'utf8')),
    () => false,
  );
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
