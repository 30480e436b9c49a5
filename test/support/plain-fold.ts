import type { Fold, Sequence, Table } from '#lib/core/fold-state.ts';

/** The fold with Maps and an Array in place of whatever holds it: two such can be compared. */
export function plainFold(f: Fold) {
  const map = <Value>(table: Table<Value>) => new Map(table);
  const list = <Value>(sequence: Sequence<Value>) =>
    Array.from({ length: sequence.length }, (_, n) => sequence.at(n)!);
  return {
    position: f.position,
    erased_at: f.erased_at,
    items: map(f.items),
    paths: map(f.paths),
    fingerprints: map(f.fingerprints),
    live: map(f.live),
    enlivened: list(f.enlivened),
    leaners: map(f.leaners),
    related: map(f.related),
    points: map(f.points),
    decisions: map(f.decisions),
  };
}
