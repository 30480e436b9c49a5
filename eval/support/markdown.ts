import { type Cell, markdownTable } from '../../bin/support/markdown-table.ts';

export type { Cell };

/** A table; a column stands on the right where its first cell is a number. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const figures = head.map(
    (_, n) => typeof rows[0]?.[n] === 'number' || /^[\d.]+$/.test(String(rows[0]?.[n])),
  );
  return markdownTable(head, rows, { right: (column) => figures[column]! });
}

/** A share in per cent with one digit, cut off: 100 is all of them. */
export const per = (part: number, whole: number): string =>
  whole === 0 || part === whole ? '100' : (Math.floor((1000 * part) / whole) / 10).toFixed(1);
