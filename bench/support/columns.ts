/** Lines of a terminal's table: figures on the right; the first column, and those from `left` on, on the left. */
export function columns(rows: readonly (readonly string[])[], left = Number.POSITIVE_INFINITY): string[] {
  const [first = []] = rows;
  const widths = first.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const cell = (text: string, at: number) =>
    at === 0 || at >= left ? text.padEnd(widths[at]!) : text.padStart(widths[at]!);
  return rows.map((row) => row.map(cell).join('  ').trimEnd());
}
