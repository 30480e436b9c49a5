import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { decodeUtf8, isBlank } from '#lib/core/names.ts';

/** A file of the staging, and where it comes from. */
export interface StagedFile {
  /** Relative to the staging, as `push` names it. */
  origin: string;
  absolute: string;
}

/** About the files, not of them. */
const ABOUT: ReadonlySet<string> = new Set(['MANIFEST.tsv', 'SOURCE.md']);

/**
 * Copies the first `limit` files of the folders into one. A file whose name was taken by an earlier folder
 * lies below the name of its own: it stays a file of its own.
 */
export async function stageFiles(
  folders: readonly string[],
  staging: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<StagedFile[]> {
  const staged = new Map<string, string>();
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter(
        (entry) =>
          entry.isFile() && !(ABOUT.has(entry.name) && resolve(entry.parentPath) === resolve(folder)),
      )
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
      .sort();
    for (const name of files)
      staged.set(staged.has(name) ? aside(name, basename(folder)) : name, resolve(folder, name));
  }
  const files = [...staged].slice(0, limit).map(([origin, absolute]) => ({ origin, absolute }));
  for (const { origin, absolute } of files) {
    await mkdir(dirname(join(staging, origin)), { recursive: true });
    await copyFile(absolute, join(staging, origin));
  }
  return files;
}

/** In the same category: the first folder stays. */
function aside(name: string, folder: string): string {
  const [first = '', ...rest] = name.split('/');
  return rest.length === 0 ? `${folder}/${first}` : [first, folder, ...rest].join('/');
}

/** The file's text, or `undefined` where KnowHub must refuse it: blank, binary, or not UTF-8 (R3.7). */
export async function acceptableText(absolute: string): Promise<string | undefined> {
  const bytes = await readFile(absolute);
  const text = bytes.includes(0) ? undefined : decodeUtf8(bytes);
  return text === undefined || isBlank(text) ? undefined : text;
}
