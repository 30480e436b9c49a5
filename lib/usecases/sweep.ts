import { KnowHubError } from '#lib/core/errors.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { SWEEP_LEASE } from '#lib/core/rows.ts';
import { CLAIM_AHEAD_MS, LEASE_AHEAD_MS, WAIT_AHEAD_MS } from '#lib/core/settings.ts';
import { auditIndex, auditMirror, reapIndices, sweepBodies, sweepVectors } from '#lib/usecases/audit.ts';
import { fillMissingFields } from '#lib/usecases/fill-missing-fields.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { accept } from '#lib/usecases/name-at-path.ts';
import { projectAll } from '#lib/usecases/project.ts';
import { eraseExpired } from '#lib/usecases/remove.ts';
import { storeCatalog } from '#lib/usecases/store-catalog.ts';

/** What one pass did, by kind; all zero = nothing was left to do (crash.md, invariant 7). */
export type SweepReport = Record<
  | 'requeued'
  | 'claims_ended'
  | 'accepted'
  | 'dropped'
  | 'fields_filled'
  | 'domains_queued'
  | 'mirror_mended'
  | 'index_mended'
  | 'indices_reaped'
  | 'bodies_swept'
  | 'vectors_swept'
  | 'expired_erased'
  | 'snapshots_written'
  | 'left_to_another',
  number
>;

/** Sets right whatever a crash, a lost message or an outage left behind (R4.8). Each step goes on where another failed. */
export const sweep = (instance: Instance) => async (): Promise<SweepReport> => {
  const report: SweepReport = {
    requeued: 0,
    claims_ended: 0,
    accepted: 0,
    dropped: 0,
    fields_filled: 0,
    domains_queued: 0,
    mirror_mended: 0,
    index_mended: 0,
    indices_reaped: 0,
    bodies_swept: 0,
    vectors_swept: 0,
    expired_erased: 0,
    snapshots_written: 0,
    left_to_another: 0,
  };
  const lease = await takeTurn(instance);
  if (!lease) return { ...report, left_to_another: 1 };
  const steps: Record<string, () => Promise<void>> = {
    projections: () => projectAll(instance),
    due: () => requeueDue(instance, report),
    received: () => settleReceived(instance, report),
    fields: async () => {
      report.fields_filled += await fillMissingFields(instance);
    },
    domains: () => queueDirtyDomains(instance, report),
    mirror: async () => {
      report.mirror_mended += await auditMirror(instance);
    },
    index: async () => {
      report.index_mended += await auditIndex(instance);
    },
    indices: async () => {
      report.indices_reaped += await reapIndices(instance);
    },
    bodies: async () => {
      report.bodies_swept += await sweepBodies(instance);
    },
    vectors: async () => {
      report.vectors_swept += await sweepVectors(instance);
    },
    expired: async () => {
      report.expired_erased += await eraseExpired(instance);
    },
    // Last: what was erased above must not live on in one.
    snapshots: async () => {
      report.snapshots_written += await storeCatalog(instance);
    },
  };
  const faults: unknown[] = [];
  for (const [name, run] of Object.entries(steps))
    await run().catch((error: unknown) => {
      instance.log.warn('sweep step failed', { name, why: String(error) });
      if (!(error instanceof KnowHubError && error.retryable)) faults.push(error);
    });
  await lease.release();
  if (faults.length > 0) throw faults[0];
  return report;
};

/**
 * One sweep at a time: a second one would pay the models for the same fields. `undefined`: another is at it; one that
 * died loses its turn with the lease. It saves work and guards nothing: when it cannot be asked for, the sweep goes on.
 */
async function takeTurn({
  projections,
  random,
  clock,
  settings,
}: Instance): Promise<{ release(): Promise<void> } | undefined> {
  const lease = { token: random.hex(16), at: clock.now() };
  const free = async () =>
    (await projections.takeLease(
      SWEEP_LEASE,
      lease,
      lease.at - settings.lease_ms,
      lease.at + LEASE_AHEAD_MS,
    )) !== undefined ||
    // A deployment that was prepared before there was such a row.
    (await projections.get(SWEEP_LEASE)) === undefined;
  if (!(await free().catch(() => true))) return undefined;
  return { release: () => projections.releaseLease(SWEEP_LEASE, lease.token).catch(() => undefined) };
}

/** Queues what is due, after ending claims that are over (R4.6). */
async function requeueDue(instance: Instance, report: SweepReport): Promise<void> {
  const { items, queue, clock, settings } = instance;
  const now = clock.now();
  const ahead = { pending: now + WAIT_AHEAD_MS, processing: now + settings.claim_reset_ms + CLAIM_AHEAD_MS };
  for (const id of await items.due(now, ahead, settings.sweep_limit)) {
    const row = await items.get(id);
    // The listing may lag: what a worker has claimed meanwhile is not due.
    if (row?.next_at === undefined || !isDue(row, now, ahead)) continue;
    const later = now + settings.requeue_ms;
    if (row.status === 'processing' && row.claim) {
      if (!(await items.release(id, row.claim.token, later))) continue;
      report.claims_ended += 1;
    } else if (row.status !== 'pending' || !(await items.postpone(id, row.next_at, later))) continue;
    await queue.send({ type: 'admit', item_id: id });
    report.requeued += 1;
  }
}

const isDue = (
  { status, next_at = 0 }: ItemRow,
  now: number,
  ahead: Record<'pending' | 'processing', number>,
) => (status === 'pending' || status === 'processing') && (next_at <= now || next_at > ahead[status]);

/** Broken imports wait a day among them: they must not take all places. */
const RECEIVED_LISTED = 500;

/** `received` rows: accepted if their path names them with their seq, dropped after an hour (protocol, "Uploads"). */
async function settleReceived(instance: Instance, report: SweepReport): Promise<void> {
  const { items, paths, queue, clock, settings } = instance;
  const now = clock.now();
  const older_than = Math.floor((now - settings.upload_patience_ms) / 1000);
  for (const id of await items.received(older_than, RECEIVED_LISTED)) {
    const row = await items.get(id);
    if (row?.status !== 'received' || row.path_seq === undefined) continue;
    const named = row.path === undefined ? undefined : await paths.get(row.path);
    if (named?.latest_id === id && named.seq === row.path_seq) {
      if ((await accept(instance, id, row.path_seq)) !== 'accepted') continue;
      await queue.send({ type: 'admit', item_id: id });
      report.accepted += 1;
    } else if (
      row.created_at * 1000 <
      now - (row.path === undefined ? settings.import_ttl_ms : settings.received_ttl_ms)
    ) {
      // What the ledger knows is decided: only its projection is late.
      if ((await instance.catalog.refresh()).items.has(id)) continue;
      if (await items.dropReceived(id, row.path_seq)) report.dropped += 1;
    }
  }
}

async function queueDirtyDomains(instance: Instance, report: SweepReport): Promise<void> {
  for (const row of await instance.domains.list()) {
    if (row.dirty_position <= row.computed_position) continue;
    await instance.queue.send({ type: 'recompute', domain_id: row.domain_id });
    report.domains_queued += 1;
  }
}
