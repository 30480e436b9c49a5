import { KnowHubError } from '#lib/core/errors.ts';
import type { ProjectionName, ProjectionRow } from '#lib/core/rows.ts';
import { LEASE_AHEAD_MS, type Settings } from '#lib/core/settings.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { nextBatch, writeBatch } from '#lib/usecases/project-batch.ts';
import { ensureIndex, retryParked } from '#lib/usecases/project-index.ts';

export const PROJECTIONS: readonly ProjectionName[] = ['records', 'mirror', 'index'];

/** The index waits for its engine, up to a second a pass: the others do not wait with it. */
const GROUPS: readonly (readonly ProjectionName[])[] = [['records', 'mirror'], ['index']];

/** After so many passes without a pause somebody else may take over: one worker would carry on for all, and time out. */
const PASSES = 5;
const HAND_OVER_MS = 250;

/** Carries the ledger on into one projection, in order, until there is nothing left after W (protocol, "Project"). */
export const project =
  (instance: Instance) =>
  async (name: ProjectionName): Promise<void> => {
    const { projections, catalog } = instance;
    await catalog.refresh();
    await thrown(instance, carryOn(instance, [name], await projections.getMany([name]), true));
  };

/** All of them, whatever the catalog has read: what fails here is carried on by the next worker or the sweep. */
export async function projectAll(instance: Instance): Promise<void> {
  // An entry that cannot be read stops the catalog before it: up to there everything is projected.
  await instance.catalog.refresh().catch((error: unknown) => behind(instance, 'catalog', error));
  await projectKnown(instance, true);
}

/** After an append by this instance: what somebody has done already, or is about to do, is left to them. */
export const projectAppended = (instance: Instance): Promise<void> => projectKnown(instance, false);

async function projectKnown(instance: Instance, always: boolean): Promise<void> {
  const rows = await instance.projections.getMany(PROJECTIONS).catch((error: unknown) => {
    behind(instance, 'all', error);
    if (!isRetryable(error)) throw error;
  });
  if (rows) await thrown(instance, ...GROUPS.map((names) => carryOn(instance, names, rows, always)));
}

type Fault = { name: ProjectionName; error: unknown };

/** Waits for all of them, and throws the first fault that no retry mends. */
async function thrown(instance: Instance, ...work: Promise<Fault[]>[]): Promise<void> {
  const faults = (await Promise.all(work)).flat();
  for (const { name, error } of faults) behind(instance, name, error);
  const fault = faults.find(({ error }) => !isRetryable(error));
  if (fault) throw fault.error;
}

const isRetryable = (error: unknown): boolean => error instanceof KnowHubError && error.retryable;

const behind = ({ log }: Instance, name: string, error: unknown): void =>
  log.warn('projection behind', { name, why: String(error) });

/** Passes over these projections as long as one of them is behind and nobody else is at it. Returns what failed. */
async function carryOn(
  instance: Instance,
  names: readonly ProjectionName[],
  read: readonly ProjectionRow[],
  always: boolean,
): Promise<Fault[]> {
  const { catalog, projections, clock, settings } = instance;
  const faults: Fault[] = [];
  const reached = new Map<ProjectionName, Passed>();
  const free = (row: ProjectionRow) => isFree(row, clock.now(), settings);
  let due = names.filter((name) =>
    read.some((row) => row.name === name && free(row) && (always || isBehind(row, instance))),
  );
  for (let passes = 1; due.length > 0; passes += 1) {
    const passed: { name: ProjectionName; W: Passed }[] = [];
    await Promise.all(
      due.map(async (name) => {
        try {
          passed.push({ name, W: await pass(instance, name) });
        } catch (error) {
          faults.push({ name, error });
        }
      }),
    );
    const ours = passed.filter(({ W }) => W !== 'left');
    if (ours.length === 0) break;
    if (passes >= PASSES) await clock.sleep(HAND_OVER_MS);
    try {
      // Only after the leases are released: who appended while we held them has left the rest to us.
      const { position } = await catalog.refresh();
      const still_behind = ours.filter(
        ({ name, W }) => W === 'unclear' || (W !== 'left' && W < position && W !== reached.get(name)),
      );
      if (still_behind.length === 0) break;
      // One that stood still twice has met an entry that cannot be read.
      for (const { name, W } of still_behind) reached.set(name, W);
      const rows = await projections.getMany(still_behind.map(({ name }) => name));
      due = names.filter((name) =>
        rows.some((row) => row.name === name && isBehind(row, instance) && free(row)),
      );
    } catch (error) {
      for (const { name } of ours) faults.push({ name, error });
      break;
    }
  }
  return faults;
}

const isBehind = ({ W }: ProjectionRow, { catalog }: Instance): boolean => W < catalog.fold.position;

/** The same question as `takeLease` asks: who holds it will look once more after giving it back. */
const isFree = ({ lease }: ProjectionRow, now: number, { lease_ms }: Settings): boolean =>
  !lease || lease.at < now - lease_ms || lease.at > now + LEASE_AHEAD_MS;

/**
 * The W reached. `left`: another holds the lease, and looks once more. `unclear`: the row was not as read, since another
 * took it over, or the answer to our own write was lost.
 */
type Passed = number | 'left' | 'unclear';

/** One pass under the lease. */
async function pass(instance: Instance, name: ProjectionName): Promise<Passed> {
  const { projections, clock, random, settings } = instance;
  const token = random.hex(16);
  const now = clock.now();
  const leased = await projections.takeLease(
    name,
    { token, at: now },
    now - settings.lease_ms,
    now + LEASE_AHEAD_MS,
  );
  if (!leased) return 'left';
  let held = true;
  try {
    const row = name === 'index' ? await ensureIndex(instance, token, leased) : leased;
    if (!row) return 'unclear';
    const reached = await advanceAll(instance, name, token, row);
    held = reached.held;
    return reached.W;
  } finally {
    if (held) await projections.releaseLease(name, token).catch(() => undefined);
  }
}

/** Batch by batch up to the head that the catalog knows; with the last move of W the lease is given back. */
async function advanceAll(
  instance: Instance,
  name: ProjectionName,
  token: string,
  leased: ProjectionRow,
): Promise<{ W: number | 'unclear'; held: boolean }> {
  const { projections, catalog, queue, settings } = instance;
  const domains = new Set<string>();
  let row = leased;
  let held = true;
  if (catalog.fold.position < row.W) await catalog.refresh();
  if (row.parked.length > 0) {
    const parked = await retryParked(instance, row, catalog.fold);
    if (parked.length < row.parked.length) {
      if (!(await projections.advance(name, token, row, { W: row.W, parked }))) return { W: 'unclear', held };
      row = { ...row, parked };
    }
  }
  while (held) {
    const { f, W, changes } = await nextBatch(instance, name, row);
    if (changes.length === 0) break;
    const last = W >= catalog.fold.position;
    const parked = await writeBatch(instance, name, row, f, changes, domains);
    const next = { W, parked };
    if (!(await projections.advance(name, token, row, { ...next, release: last })))
      return { W: 'unclear', held };
    row = { ...row, ...next };
    held = !last;
  }
  for (const domain_id of domains)
    await queue.send({ type: 'recompute', domain_id }, settings.recompute_delay_ms).catch(() => undefined);
  return { W: row.W, held };
}
