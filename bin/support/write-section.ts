import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Replaces the section `name` of a document that commands regenerate, or adds it at the end. A section stands between
 * two comments, so that every command renews its own and the text around it stays.
 */
export function writeSection(file: string, name: string, markdown: string): void {
  const start = `<!-- ${name}: made by a command, do not edit -->`;
  const end = `<!-- /${name} -->`;
  const section = `${start}\n${markdown.trim()}\n${end}`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  const renewed =
    from >= 0 && to >= 0
      ? text.slice(0, from) + section + text.slice(to + end.length)
      : `${text.trimEnd()}\n\n${section}\n`;
  writeFileSync(file, renewed.trimStart());
}
