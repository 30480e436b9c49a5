import type { Evaluation } from '#lib/core/rows.ts';
import type { Evaluations } from '#lib/ports.ts';

export function createMemoryEvaluations(): Evaluations {
  const rows = new Map<string, Evaluation>();
  return {
    async credit(lineage, position, point) {
      const row = rows.get(lineage) ?? { lineage, points: 0, pos: 0, history: [] };
      if (row.pos >= position) return;
      rows.set(
        lineage,
        Object.freeze({
          lineage,
          points: row.points + 1,
          pos: position,
          history: [...row.history, point],
        }),
      );
    },
    async get(lineage) {
      return rows.get(lineage);
    },
    async eraseHistory(related, lineages) {
      for (const lineage of lineages) {
        const row = rows.get(lineage);
        if (row)
          rows.set(
            lineage,
            Object.freeze({
              ...row,
              history: row.history.filter(({ related_id }) => related_id !== related),
            }),
          );
      }
    },
  };
}
