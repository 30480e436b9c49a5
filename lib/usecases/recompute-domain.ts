import type { Fold } from '#lib/core/fold-state.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import type { DomainRow } from '#lib/core/rows.ts';
import { CLAIM_AHEAD_MS } from '#lib/core/settings.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { forgetParts, type Source, summariseDomain } from '#lib/usecases/summarise-domain.ts';

export type RecomputeOutcome =
  /** The text is up to date, or the domain is unknown. */
  | { kind: 'clean' }
  /** Too fresh: what else comes in meanwhile is written by the same call. Ask again after `waits_ms`. */
  | { kind: 'waits'; waits_ms: number }
  /** Another worker has it. */
  | { kind: 'claimed' }
  | { kind: 'written'; computed_position: number }
  /** No unscoped live item is left: the text is empty, the row stays. */
  | { kind: 'cleared'; computed_position: number }
  /** A text of a later position was there already. */
  | { kind: 'outdated' }
  /** The last text stays and the domain dirty: the sweep tries again. */
  | { kind: 'model_down'; why: string }
  /** A large domain that takes more than one run: ask again at once. */
  | { kind: 'unfinished'; parts_left: number };

const ROWS_A_READ = 100;
const NO_TEXT = { description: '', when_to_retrieve: '', model: '' };

/**
 * Writes the text of one domain whose items changed (R5.1, R5.2). Safe to call at any time and side by side: an older
 * text never overwrites a newer one, and where a worker dies its claim runs out.
 */
export const recomputeDomain =
  (instance: Instance) =>
  async (domain_id: string): Promise<RecomputeOutcome> => {
    const { domains, clock, random, settings, log } = instance;
    const row = await domains.get(domain_id);
    if (!row || !isDirty(row)) return { kind: 'clean' };
    const now = clock.now();
    const waits_ms = waitOf(row, now, settings.recompute_delay_ms) || (await burstOf(instance, row, now));
    if (waits_ms > 0) return { kind: 'waits', waits_ms };

    const token = random.hex(16);
    const claimed = await domains.claim(
      domain_id,
      { token, at: now },
      now - settings.lease_ms,
      now + CLAIM_AHEAD_MS,
    );
    if (!claimed) return { kind: 'claimed' };
    let outcome: RecomputeOutcome | undefined;
    try {
      // Another worker may have written it between the look and the claim.
      outcome = isDirty(claimed) ? await rewrite(instance, domain_id, token, now) : { kind: 'clean' };
    } finally {
      if (outcome?.kind !== 'written' && outcome?.kind !== 'cleared') await domains.release(domain_id, token);
    }
    if (outcome.kind === 'model_down')
      log.warn('a domain keeps its last text', { domain_id, why: outcome.why });
    else log.info('domain recomputed', { domain_id, ...outcome });
    return outcome;
  };

const isDirty = (row: DomainRow): boolean => row.dirty_position > row.computed_position;

/**
 * Since it became dirty, and since its last text: a stream of admissions costs one text a delay, and does not put it
 * off for ever. A time ahead of the clock does not count.
 */
function waitOf(row: DomainRow, now: number, delay_ms: number): number {
  const wait = Math.max(row.dirty_at, row.updated_at * 1000) + delay_ms - now;
  return wait > delay_ms ? 0 : Math.max(0, wait);
}

/** A text waits for the end of a burst this many delays at most: with the default it is there within a minute (R5.1). */
const DELAYS_OF_A_BURST = 3;

/** How long to wait for what may follow the domain's last change: a burst that takes a while costs one text, too. */
async function burstOf({ ledger, settings }: Instance, row: DomainRow, now: number): Promise<number> {
  const delay_ms = settings.recompute_delay_ms;
  const patience = row.dirty_at + DELAYS_OF_A_BURST * delay_ms - now;
  if (patience <= 0) return 0;
  const [last] = await ledger.readAfter(row.dirty_position - 1, 1);
  const wait = (last?.at ?? 0) * 1000 + delay_ms - now;
  return wait > delay_ms ? 0 : Math.max(0, Math.min(wait, patience));
}

async function rewrite(
  instance: Instance,
  domain_id: string,
  token: string,
  now: number,
): Promise<RecomputeOutcome> {
  const { catalog, domains, clock, settings } = instance;
  const f = await catalog.refresh();
  // Other calls move the fold on: ids and position belong to one moment.
  const ids = openItems(f, domain_id);
  const computed_position = f.position;
  const sources = await readSources(instance, ids);
  // What the deadline leaves of the lease is for the calls under way and the merge.
  const deadline = now + settings.lease_ms / 3;
  const summary = await (sources.length > 0
    ? summariseDomain(instance, domain_id, sources, deadline)
    : clear(instance, domain_id));
  if (summary.kind === 'model_down' || summary.kind === 'unfinished') return summary;

  const { description, when_to_retrieve, model } = summary.kind === 'written' ? summary : NO_TEXT;
  const updated_at = Math.floor(clock.now() / 1000);
  const text = { description, when_to_retrieve, model, computed_position, updated_at };
  if (!(await domains.save(domain_id, token, text))) return { kind: 'outdated' };
  return { kind: summary.kind, computed_position };
}

async function clear(instance: Instance, domain_id: string): Promise<{ kind: 'cleared' }> {
  await forgetParts(instance, domain_id, 0);
  return { kind: 'cleared' };
}

/** Live items that everyone may see: nothing else goes into a domain's text (R5.2). */
function openItems(f: Fold, domain_id: string): string[] {
  return [...f.live.keys()].filter((id) => {
    const item = f.items.get(id);
    return isLiveState(item) && item.scopes.length === 0 && item.live?.domain === domain_id;
  });
}

async function readSources({ items }: Instance, ids: readonly string[]): Promise<Source[]> {
  const sources: Source[] = [];
  for (let at = 0; at < ids.length; at += ROWS_A_READ) {
    const rows = await items.getMany(ids.slice(at, at + ROWS_A_READ));
    // Erased since the fold was read: a later position will say so, but its words are gone already.
    sources.push(...rows.filter(({ status }) => status !== 'removed').map(sourceOf));
  }
  return sources;
}

/** An entry has no title of its own: its task says what it is for. */
const sourceOf = ({ id, fields, task }: ItemRow): Source => ({
  id,
  title: fields.title === '' ? task : fields.title,
  summary: fields.summary,
  when_to_retrieve: fields.when_to_retrieve,
});
