import { LIMITS, utf8Bytes } from '#lib/core/limits.ts';
import { isBlank } from '#lib/core/names.ts';
import { sha256 } from '#lib/core/normalise.ts';

const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\\/]/gu;
const MARK = 8;

/** Leaves room for the longest category and its slash. */
const FILENAME_BYTES = LIMITS.path_bytes - 4 * LIMITS.category - 1;

/** A name with what documentPath refuses as `_`, and whether that changed it. */
function mended(original: string): { name: string; changed: boolean } {
  const replaced = original.replace(REFUSED, '_').replace(/^\s|\s$/g, '_');
  const name = isBlank(replaced) || /^(\.{1,2}|\*)$/.test(replaced) ? '_' : replaced;
  return { name, changed: name !== original };
}

/** The characters from the start that fit both limits; a half character never. */
function fitting(text: string, codePoints: number, bytes: number): string {
  let size = 0;
  let fits = '';
  for (const character of [...text].slice(0, codePoints)) {
    size += utf8Bytes(character);
    if (size > bytes) break;
    fits += character;
  }
  return fits;
}

/** Puts the mark of `origin` at the end of a name that was changed or is too long, so that it stays unique. */
function marked(
  name: string,
  origin: string,
  changed: boolean,
  codePoints: number,
  bytes: number,
  end: string,
) {
  const whole = name + end;
  if (!changed && [...whole].length <= codePoints && utf8Bytes(whole) <= bytes) return whole;
  const rest = `-${sha256(origin).slice(0, MARK)}${end}`;
  return fitting(name, codePoints - rest.length, bytes - rest.length).trimEnd() + rest;
}

/**
 * Category and file name under which a file of a pushed folder is kept; documentPath takes every one (R3.7). The first
 * folder is the category (`general` without one), deeper ones join the file name by `__`; what had to be changed,
 * shortened, or could be read two ways gets the hash of its origin. Two different files can still meet
 * (`a/b/c.md`, `a/b__c.md`): who pushes them all must look for that.
 */
export function flattenName(relativePath: string): { category: string; filename: string } {
  const origin = relativePath.normalize('NFC');
  const segments = origin.split('/').filter((segment) => segment !== '' && segment !== '.');
  const filename = segments.pop() ?? '';
  const folder = segments.shift() ?? 'general';
  const category = mended(folder);

  const ending = /\.md$/i.exec(filename)?.[0] ?? '';
  const parts = [...segments, filename.slice(0, filename.length - ending.length)];
  const end = ending || '.md';
  const whole = mended(parts.join('__') + end);
  const ambiguous = segments.length > 0 && parts.some((part) => /__|^_|_$/.test(part));
  return {
    category: marked(category.name, folder, category.changed, LIMITS.category, 4 * LIMITS.category, ''),
    filename: marked(
      whole.name.slice(0, whole.name.length - end.length),
      origin,
      whole.changed || ambiguous,
      LIMITS.filename,
      FILENAME_BYTES,
      end,
    ),
  };
}
