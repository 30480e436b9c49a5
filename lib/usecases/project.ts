import type { Entry } from '#lib/core/entry.ts';
import { KnowHubError, Partial } from '#lib/core/errors.ts';
import { step } from '#lib/core/fold.ts';
import { type Change, emptyFold, type Fold } from '#lib/core/fold-state.ts';
import type { ProjectionName, ProjectionRow } from '#lib/core/rows.ts';
import { LEASE_AHEAD_MS } from '#lib/core/settings.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { ensureIndex, retryParked, writeIndex } from '#lib/usecases/project-index.ts';
import { writeMirror } from '#lib/usecases/project-mirror.ts';
import { writeRecords } from '#lib/usecases/project-records.ts';

export const PROJECTIONS: readonly ProjectionName[] = ['records', 'mirror', 'index'];

const BATCH = 100;
const PAGE = 500;

/** Carries the ledger on into one projection, in order, until there is nothing left after W (protocol, "Project"). */
export const project =
  (instance: Instance) =>
  async (name: ProjectionName): Promise<void> => {
    for (let reached = -1; ; ) {
      const W = await pass(instance, name);
      // A pass that stands still would stand still again: the entry after W is unknown to this version of the code.
      if (W === undefined || W === reached) return;
      reached = W;
      // Read only after the lease is released: who appended while we held it has left the rest to us.
      if ((await instance.ledger.readAfter(W, 1)).length === 0) return;
    }
  };

/** All of them, after an append: what fails here is carried on by the next worker or the sweep. */
export async function projectAll(instance: Instance): Promise<void> {
  const faults: unknown[] = [];
  for (const name of PROJECTIONS)
    await project(instance)(name).catch((error: unknown) => {
      instance.log.warn('projection behind', { name, why: String(error) });
      if (!(error instanceof KnowHubError && error.retryable)) faults.push(error);
    });
  if (faults.length > 0) throw faults[0];
}

/** One pass under the lease. Returns the W reached, or `undefined` if another holds the lease or took the row over. */
async function pass(instance: Instance, name: ProjectionName): Promise<number | undefined> {
  const { projections, clock, random, settings, projected } = instance;
  const token = random.hex(16);
  const now = clock.now();
  const leased = await projections.takeLease(
    name,
    { token, at: now },
    now - settings.lease_ms,
    now + LEASE_AHEAD_MS,
  );
  if (!leased) return undefined;
  try {
    const row = name === 'index' ? await ensureIndex(instance, token, leased) : leased;
    if (!row) return undefined;
    // Taken out while we work on it: a pass that breaks off leaves a fold that is ahead of its W.
    const kept = projected.get(name);
    projected.delete(name);
    const f = await foldAt(instance, kept, row.W);
    const W = await carryOn(instance, name, token, row, f);
    if (W !== undefined) projected.set(name, f);
    return W;
  } finally {
    await projections.releaseLease(name, token).catch(() => undefined);
  }
}

async function carryOn(
  instance: Instance,
  name: ProjectionName,
  token: string,
  leased: ProjectionRow,
  f: Fold,
): Promise<number | undefined> {
  const domains = new Set<string>();
  let row = leased;
  const parked = row.parked.length > 0 ? await retryParked(instance, row, f) : row.parked;
  if (parked.length < row.parked.length) {
    if (!(await instance.projections.advance(name, token, row, { W: row.W, parked }))) return undefined;
    row = { ...row, parked };
  }
  for (;;) {
    const entries = await instance.ledger.readAfter(row.W, BATCH);
    const still_parked = await write(instance, name, row, f, entries, domains);
    if (f.position === row.W) break;
    const next = { W: f.position, parked: still_parked };
    if (!(await instance.projections.advance(name, token, row, next))) return undefined;
    row = { ...row, ...next };
    // What came in after a short page is seen once the lease is released.
    if (entries.length < BATCH) break;
  }
  for (const domain_id of domains)
    await instance.queue
      .send({ type: 'recompute', domain_id }, instance.settings.recompute_delay_ms)
      .catch(() => undefined);
  return row.W;
}

/**
 * Steps through the entries up to the first gap and writes what they change; throws when something is unclear or
 * partial, and W stays. Returns what the engine refuses.
 */
async function write(
  instance: Instance,
  name: ProjectionName,
  row: ProjectionRow,
  f: Fold,
  entries: readonly Entry[],
  domains: Set<string>,
): Promise<string[]> {
  const changes: Change[] = [];
  for (const entry of entries) {
    const change = step(f, entry);
    if (!change) break;
    changes.push(change);
    if (name === 'records') {
      await writeRecords(instance, f, change);
      for (const domain of change.domains) domains.add(domain);
    } else if (name === 'mirror') await writeMirror(instance, f, change);
  }
  return name === 'index' && changes.length > 0 ? writeIndex(instance, row, f, changes) : row.parked;
}

/** The fold of the entries up to W: the one kept from the last pass if it is not ahead, else from the first entry on. */
async function foldAt({ ledger }: Instance, kept: Fold | undefined, W: number): Promise<Fold> {
  const f = kept && kept.position <= W ? kept : emptyFold();
  while (f.position < W) {
    const before = f.position;
    for (const entry of await ledger.readAfter(before, Math.min(PAGE, W - before)))
      if (!step(f, entry)) break;
    if (f.position === before) throw new Partial(`the ledger's entry ${before + 1} cannot be read`);
  }
  return f;
}
