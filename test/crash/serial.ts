import type { Entry } from '#lib/core/entry.ts';
import { PIPELINE } from '#lib/core/entry.ts';
import { step } from '#lib/core/fold.ts';
import { emptyFold, type Fold, type ItemState, isLiveState } from '#lib/core/fold-state.ts';
import type { Rest } from '#test/crash/invariants.ts';
import { relate } from '#test/crash/relate.ts';
import type { World } from '#test/crash/world.ts';

const MAX_CANDIDATES = 10;

/**
 * Invariant 9: each counted decision is what the judge says on the live set just before its position. Written without
 * the functions that the pipeline decides with.
 */
export function* serialEquivalence({ world, entries }: Rest): Iterable<string> {
  const f = emptyFold();
  for (const e of entries) {
    const expected = e.by === PIPELINE ? verdict(world, f, e) : undefined;
    const change = step(f, e);
    if (!change || change.void || expected === undefined) continue;
    const said = spell(e);
    if (!expected.includes(said))
      yield `position ${e.position}: ${e.item_id} is ${said}; on the live set before it the judge says ${expected.join(' or ')}`;
  }
}

/** The scope rule, said anew: everyone who sees the newcomer sees the stored one. */
export const allSee = (newcomer: readonly string[], stored: readonly string[]): boolean =>
  stored.length === 0 || (newcomer.length > 0 && new Set(newcomer).isSubsetOf(new Set(stored)));

const spell = ({ event, reason, relations = [], grounds = [] }: Entry): string =>
  event === 'admitted'
    ? `admitted ${list(relations.map(({ to, type }) => `${type} ${to}`))}`
    : `rejected ${reason} ${list(grounds.map(({ id, type }) => `${type} ${id}`))}`;

const list = (parts: string[]): string => parts.sort().join(', ');

/** The answers that would be right: several only where the judge sees a cut of many, or had to be given up. */
function verdict(world: World, f: Fold, e: Entry): string[] {
  const { item_id, path, path_seq = 0 } = e;
  const me = world.stored.get(item_id)!;
  if (path !== undefined && (f.paths.get(path)?.maxseq ?? 0) > path_seq) return ['rejected superseded '];
  const others = [...f.items.values()].filter((x) => x.id !== item_id && allSee(me.scopes, x.scopes));
  const candidates = others.filter((x) => isLiveState(x) && (path === undefined || x.path !== path));
  const twins = candidates.filter(({ fingerprint }) => fingerprint === e.fingerprint);
  if (twins.length > 0) return [`rejected known ${list(twins.map(({ id }) => `duplicate ${id}`))}`];
  const blocks = others.filter((x) => x.reason === 'human' && x.fingerprint === e.fingerprint);
  if (blocks.length > 0) return [`rejected blocked ${list(blocks.map(({ id }) => `blocked ${id}`))}`];
  if (e.basis === 'last_resort') return ['admitted '];
  const related = candidates
    .map((x) => ({ x, type: relate(view(me), view(world.stored.get(x.id)!)) }))
    .filter(({ type }) => type !== 'none');
  const grounds = related.filter(({ type }) => type === 'duplicate' || type === 'subset');
  const name = ({ x, type }: { x: ItemState; type: string }) => `${type} ${x.id}`;
  if (grounds.length > 0) return [`rejected known ${list(grounds.map(name))}`];
  const admitted = `admitted ${list(related.map(name))}`;
  const cut = Math.min(MAX_CANDIDATES, world.settings.recall_k ?? MAX_CANDIDATES);
  return related.length <= cut ? [admitted] : [admitted, spell(e)];
}

const view = ({ task, words }: { task: string; words: string }) => ({ task, content: words });
