export type Cell = string | number;

export interface TableLayout {
  /** Columns of figures, which stand on the right; by default none. */
  right?: (column: number) => boolean;
  /** Columns of one width, so that the table reads as it stands, too. */
  padded?: boolean;
}

/** A table in Markdown; what is in the cells must not end them: no `|`, no line break. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  { right = () => false, padded = false }: TableLayout = {},
): string {
  const widths = head.map((name, column) =>
    padded ? Math.max(name.length, ...rows.map((row) => String(row[column]).length)) : 0,
  );
  const cellOf = (cell: Cell, column: number) =>
    right(column) ? String(cell).padStart(widths[column]!) : String(cell).padEnd(widths[column]!);
  const line = (cells: readonly Cell[]) => `| ${cells.map(cellOf).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    right(column) ? `${'-'.repeat(padded ? width - 1 : 3)}:` : '-'.repeat(padded ? width : 3),
  );
  return [head, rule, ...rows].map(line).join('\n');
}
