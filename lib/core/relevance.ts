import type { Fold, LiveState } from '#lib/core/fold-state.ts';
import { isLiveState } from '#lib/core/fold-state.ts';

/** The newcomer as the rules of admission see it. */
export interface Newcomer {
  id: string;
  path?: string | undefined;
  path_seq?: number | undefined;
  scopes: readonly string[];
  fingerprint: string;
}

/** Everyone who may see the newcomer may see the stored item (the scope rule). */
export const scopeAllows = (newcomer: readonly string[], stored: readonly string[]): boolean =>
  stored.length === 0 || (newcomer.length > 0 && newcomer.every((scope) => stored.includes(scope)));

/** An item without scopes is seen by all, else by who shares one (R6.8). */
export const isVisible = (scopes: readonly string[], caller: readonly string[]): boolean =>
  scopes.length === 0 || scopes.some((scope) => caller.includes(scope));

interface Stored {
  id: string;
  path?: string | undefined;
  scopes: readonly string[];
}

/** May the stored item be candidate or ground for the newcomer? Never itself, nor its own predecessor (R3.5). */
export const isUsable = (x: Stored, me: Newcomer): boolean =>
  x.id !== me.id && (x.path === undefined || x.path !== me.path) && scopeAllows(me.scopes, x.scopes);

/** Live items with the newcomer's fingerprint. */
export function twinsOf(f: Fold, me: Newcomer): LiveState[] {
  return byFingerprint(f, me)
    .filter(isLiveState)
    .filter((x) => isUsable(x, me));
}

/** Items with the newcomer's fingerprint that a human rejected, its own path included; none if a twin is live. */
export function blocksOf(f: Fold, me: Newcomer): string[] {
  return byFingerprint(f, me)
    .filter((x) => x.status === 'rejected' && x.reason === 'human' && x.id !== me.id)
    .filter((x) => scopeAllows(me.scopes, x.scopes))
    .map((x) => x.id);
}

const byFingerprint = (f: Fold, me: Newcomer) =>
  [...(f.fingerprints.get(me.fingerprint) ?? [])].map((id) => f.items.get(id)!);

/** Usable items that went live, or were amended, after `position`; in that order. */
export function liveAfter(f: Fold, me: Newcomer, position: number): LiveState[] {
  const found: LiveState[] = [];
  for (let n = firstAfter(f.enlivened, position); n < f.enlivened.length; n++) {
    const { id, position: live_pos } = f.enlivened.at(n)!;
    const x = f.items.get(id);
    // One that went live again since then comes later in the list.
    if (f.live.get(id) === live_pos && isLiveState(x) && isUsable(x, me)) found.push(x);
  }
  return found;
}

/** Index of the first one after the position, by halving: the list is in order, and long. */
export function firstAfter(enlivened: Fold['enlivened'], position: number): number {
  let low = 0;
  let high = enlivened.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (enlivened.at(middle)!.position <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
