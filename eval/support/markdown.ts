export type Cell = string | number;

/** A table; numbers stand on the right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const right = head.map((_, n) => typeof rows[0]?.[n] === 'number' || /^[\d.]+$/.test(String(rows[0]?.[n])));
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(right.map((is) => (is ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

/** A share in per cent with one digit, cut off: 100 is all of them. */
export const per = (part: number, whole: number): string =>
  whole === 0 || part === whole ? '100' : (Math.floor((1000 * part) / whole) / 10).toFixed(1);
