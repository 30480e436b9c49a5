import type { Entry } from '#lib/core/entry.ts';
import { foldOf } from '#lib/core/fold.ts';
import { type Fold, type ItemState, isLiveState, isRemoved } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { relationsOf } from '#lib/usecases/relations.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { allSee, serialEquivalence } from '#test/crash/serial.ts';
import { snapshotsAgree } from '#test/crash/snapshots.ts';
import { onlooker, type World } from '#test/crash/world.ts';

/** What lies there at the end, read without faults. */
export interface Rest {
  world: World;
  entries: Entry[];
  f: Fold;
  rows: Map<string, ItemRow>;
  bodies: Map<string, string>;
}

const KINDS = ['entry', 'document'] as const;

type Invariant = (rest: Rest) => AsyncIterable<string> | Iterable<string>;

/** Every violation of `cases/crash.md` in the world at rest, each with the number of its invariant. */
export async function violations(world: World): Promise<string[]> {
  const { ports, scheduler } = world;
  const found = scheduler.crashes.map(
    (error) => `0 unexpected: ${error instanceof Error ? error.stack : error}`,
  );
  const entries = await ports.ledger.readAfter(0, 1_000_000);
  const f = foldOf(entries);
  if (f.position !== entries.length) found.push(`0 the ledger has a gap after ${f.position}`);
  const ids = new Set([...f.items.keys(), ...world.promised.accepted]);
  const rows = new Map((await ports.items.getMany([...ids])).map((row) => [row.id, row]));
  // Under both kinds: a tombstone no longer says which its item was.
  const keys = [...rows.keys()].flatMap((id) => KINDS.map((kind) => ({ id, kind })));
  const bodies = await ports.bodies.getMany(keys);
  const rest: Rest = { world, entries, f, rows, bodies };
  for (const [n, invariant] of Object.entries(INVARIANTS))
    for await (const violation of invariant(rest)) found.push(`${n} ${violation}`);
  return found;
}

const INVARIANTS: Record<number, Invariant> = {
  1: nothingLost,
  2: oneOfEquals,
  3: relationsReadFromBothEnds,
  4: projectionsAgree,
  5: nothingRestsOnWhatIsGone,
  6: onePathOneDocument,
  7: sweepingAgainChangesNothing,
  8: nothingCrossesScopes,
  9: serialEquivalence,
  10: judgedNoMoreThanNeeded,
};
export const INVARIANT_COUNT = Object.keys(INVARIANTS).length;

function* nothingLost({ world, f, rows }: Rest) {
  for (const id of world.promised.accepted) {
    const item = f.items.get(id);
    if (!item) yield `${id} was accepted and never decided (row: ${rows.get(id)?.status})`;
    else if (item.status === 'pending') yield `${id} stays pending`;
    else if (item.status === 'rejected' && item.reason === undefined)
      yield `${id} is rejected without a reason`;
    else if (item.status === 'removed' && !wasAskedFor(world, item))
      yield `${id} is removed, and nobody asked`;
  }
  for (const id of world.promised.removed)
    if (f.items.get(id)?.status !== 'removed')
      yield `${id} was removed by request and is ${f.items.get(id)?.status}`;
}

/** By its id, by its path, or by the id of another version that held the path or was the latest there. */
const wasAskedFor = ({ promised, stored }: World, { id, path }: ItemState): boolean =>
  promised.removal_asked.has(id) ||
  (path !== undefined &&
    [...promised.removal_asked].some((asked) => asked === path || stored.get(asked)?.path === path));

function* oneOfEquals({ world, f, rows, entries }: Rest) {
  const groups = Map.groupBy(
    [...f.items.values()].filter(({ status }) => status !== 'removed'),
    ({ fingerprint, scopes }) => `${fingerprint} ${scopes.join(',')}`,
  );
  for (const group of groups.values()) {
    const human = group.some(
      ({ id, reason }) => world.promised.human.has(id) || reason === 'human' || reason === 'blocked',
    );
    const live = group.filter(isLiveState);
    const known = group.filter(({ reason }) => reason === 'known');
    if (!human && live.length > 1) yield `equal and all live: ${live.map(({ id }) => id)}`;
    const decided = group.filter(({ reason }) => reason !== 'superseded' && reason !== 'replaced');
    const covered = known.some(({ grounds }) =>
      grounds.some(({ id }) => isLiveState(f.items.get(id)) || f.items.get(id)?.reason === 'human'),
    );
    if (!human && decided.length > 0 && live.length === 0 && !covered)
      yield `none of ${group.map(({ id }) => id)} is live`;
  }
  for (const item of f.items.values())
    for (const { id, type } of item.grounds) {
      const ground = f.items.get(id);
      if (id === item.id) yield `${id} is rejected because of itself`;
      if (type !== 'blocked' && item.path !== undefined && ground?.path === item.path)
        yield `${item.id} is rejected because of its own predecessor ${id}`;
    }
  yield* points(f, entries);
  yield* seqs(rows, entries);
}

/** helpful is 1 + the number of newcomers that were rejected for the item: each counted once, blocked ones not at all. */
function* points(f: Fold, entries: Entry[]) {
  const newcomers = new Map<string, Set<string>>();
  for (const { event, reason, item_id, grounds = [] } of entries)
    for (const { id, type } of grounds)
      if (event === 'rejected' && reason === 'known' && (type === 'duplicate' || type === 'subset'))
        newcomers.set(id, (newcomers.get(id) ?? new Set()).add(item_id));
  for (const item of f.items.values()) {
    // Documents share their lineage's points; entries are their own lineage.
    if (item.path !== undefined || item.status === 'removed') continue;
    const most = newcomers.get(item.id)?.size ?? 0;
    const least = [...f.items.values()].filter(
      ({ reason, grounds }) =>
        reason === 'known' &&
        grounds.some(({ id, type }) => id === item.id && (type === 'duplicate' || type === 'subset')),
    ).length;
    const has = f.points.get(item.id) ?? 0;
    if (has > most || has < least)
      yield `${item.id} has ${has} points; ${least} lean on it, ${most} ever did`;
  }
}

function* seqs(rows: Map<string, ItemRow>, entries: Entry[]) {
  const seen = new Map<string, string>();
  const claims = [
    ...[...rows.values()].map(({ id, path, path_seq }) => ({ by: id, path, path_seq })),
    ...entries
      .filter(({ event, path_seq }) => event === 'removed' && path_seq !== undefined)
      .map(({ decision_id, path, path_seq }) => ({ by: decision_id, path, path_seq })),
  ].filter(({ path, path_seq }) => path !== undefined && path_seq !== undefined);
  for (const { by, path, path_seq } of claims) {
    const key = `${path} ${path_seq}`;
    if (seen.has(key)) yield `${by} and ${seen.get(key)} share seq ${path_seq} of ${path}`;
    seen.set(key, by);
  }
}

async function* relationsReadFromBothEnds({ world, f }: Rest) {
  const instance = onlooker(world);
  const all = { principal: 'onlooker', scopes: ['org:a', 'org:b'] };
  const edges = new Map<string, { type: string; target: string }[]>();
  for (const { id } of f.items.values()) edges.set(id, await relationsOf(instance)(all, id));
  for (const [id, own] of edges)
    for (const { target } of own)
      if (!isLiveState(f.items.get(id)) || !isLiveState(f.items.get(target)))
        yield `an edge ${id} → ${target} has an end that is not live`;
  for (const item of f.items.values()) {
    if (!isLiveState(item)) continue;
    for (const { to, type, reverse } of item.relations) {
      if (!isLiveState(f.items.get(to))) continue;
      if (!edges.get(item.id)?.some((edge) => edge.type === type && edge.target === to))
        yield `${item.id} does not show ${type} → ${to}`;
      if (
        reverse !== 'none' &&
        !edges.get(to)?.some((edge) => edge.type === reverse && edge.target === item.id)
      )
        yield `${to} does not show ${reverse} → ${item.id}`;
    }
  }
}

async function* projectionsAgree({ world, f, rows, bodies }: Rest) {
  const { ports } = world;
  for (const item of f.items.values()) {
    const row = rows.get(item.id);
    if (row?.status !== item.status)
      yield `records: ${item.id} is ${row?.status}, the fold says ${item.status}`;
    if (row && row.claim !== undefined) yield `records: ${item.id} still carries a claim`;
    if (item.status === 'removed' && bodies.has(item.id))
      yield `${item.id} is removed, its text is not erased`;
    const kept = new Set(
      (await ports.relations.of(item.id)).map(({ from, type, to }) => `${from} ${type} ${to}`),
    );
    for (const { to, type } of isLiveState(item) ? item.relations : [])
      if (isLiveState(f.items.get(to)) && !kept.has(`${item.id} ${type} ${to}`))
        yield `records: the relation ${item.id} ${type} ${to} has no row`;
    const points = (await ports.evaluations.get(item.id))?.points ?? 0;
    if (points !== (f.points.get(item.id) ?? 0))
      yield `records: ${item.id} has ${points} points, the fold says ${f.points.get(item.id) ?? 0}`;
  }
  const vectors = [
    ...(await ports.vectors.tasks([...f.items.keys()])),
    ...(await ports.vectors.listSections('', 1_000_000)),
  ];
  for (const { id } of vectors) if (isRemoved(f, id)) yield `${id} is removed, its vectors are not erased`;
  const projection = (await ports.projections.get(await ports.projections.pointer()))!;
  const there = await ports.index.present(projection.physical, [...f.items.keys()]);
  const indexed = there.filter(({ live }) => live).map(({ id }) => id);
  const difference = new Set(indexed).symmetricDifference(new Set(f.live.keys()));
  if (difference.size > 0) yield `index and fold differ in ${[...difference]}`;
  yield* snapshotsAgree(world, f);
  const map = await knowledgeMap(onlooker(world))({ scopes: [] });
  for (const item of f.items.values()) {
    const shown = item.live && map.includes(JSON.stringify(item.live.title).slice(1, -1));
    if (isLiveState(item) && item.scopes.length === 0 && !shown) yield `map: ${item.id} is not in it`;
  }
}

function* nothingRestsOnWhatIsGone({ f }: Rest) {
  for (const item of f.items.values()) {
    if (item.status !== 'rejected') continue;
    for (const { id } of item.grounds) {
      const ground = f.items.get(id)!;
      const stands = isLiveState(ground) || (ground.status === 'rejected' && ground.reason === 'human');
      if (!stands) yield `${item.id} rests on ${id}, which is ${ground.status} ${ground.reason ?? ''}`;
      if (item.reason === 'known' && ground.reason === 'human' && item.needs_review === undefined)
        yield `${item.id} rests on ${id}, which a human rejected, and is not marked`;
    }
    if (item.reason === 'known' && item.grounds.length === 0)
      yield `${item.id} is rejected as known by nothing`;
  }
}

async function* onePathOneDocument({ f, entries, bodies, world }: Rest) {
  const { mirror } = world.ports;
  const paths = Map.groupBy(
    [...f.items.values()].filter(({ path }) => path !== undefined),
    ({ path }) => path!,
  );
  for (const [path, items] of paths) {
    const live = items.filter(isLiveState);
    if (live.length > 1) yield `${path} has ${live.length} live documents`;
    const holder = live[0];
    const admitted = entries
      .filter(
        ({ event, item_id }) =>
          ['admitted', 'restored', 'imported'].includes(event) && f.items.get(item_id)?.path === path,
      )
      .map(({ item_id }) => f.items.get(item_id)!);
    const newer = admitted.find(
      (item) => holder && item.status !== 'rejected' && (item.path_seq ?? 0) > (holder.path_seq ?? 0),
    );
    if (newer) yield `${path}: ${newer.id} was admitted and is later than ${holder?.id}`;
    const deleted = Math.max(
      0,
      ...entries.filter((e) => e.event === 'removed' && e.path === path).map((e) => e.path_seq ?? 0),
    );
    if (holder && (holder.path_seq ?? 0) <= deleted) yield `${path} is deleted and shows ${holder.id}`;
    const wanted = holder?.scopes.length === 0 ? bodies.get(holder.id) : undefined;
    if ((await mirror.read(path)) !== wanted)
      yield `mirror: ${path} does not hold the bytes of ${holder?.id}`;
  }
}

async function* sweepingAgainChangesNothing({ world, entries }: Rest) {
  const { ledger, items } = world.ports;
  const rows = async () =>
    JSON.stringify(await items.getMany([...new Set(entries.map(({ item_id }) => item_id))]));
  const before = await rows();
  const report = await sweep(onlooker(world))();
  const did = Object.entries(report).filter(([, n]) => n > 0);
  if (did.length > 0) yield `a second sweep did ${JSON.stringify(Object.fromEntries(did))}`;
  if ((await ledger.readAfter(entries.length, 1)).length > 0) yield 'a second sweep appended to the ledger';
  if ((await rows()) !== before) yield 'a second sweep changed a row';
}

async function* nothingCrossesScopes({ world, entries }: Rest) {
  const scopes = (id: string) => world.stored.get(id)?.scopes ?? [];
  for (const { item_id, grounds = [], relations = [] } of entries)
    for (const id of [...grounds.map((ground) => ground.id), ...relations.map(({ to }) => to)])
      if (!allSee(scopes(item_id), scopes(id)))
        yield `${item_id} was related to ${id}, which its readers may not see`;
  for (const { newcomer, offered } of world.judged)
    for (const id of offered)
      if (world.stored.has(newcomer) && !allSee(scopes(newcomer), scopes(id)))
        yield `the judge was shown ${id} with ${newcomer}, whose readers may not see it`;
  for (const { description } of await world.ports.domains.list())
    if (description.includes('secret')) yield `a domain's text names a scoped item: ${description}`;
}

/**
 * An item is judged against another once an attempt, and once more for each amendment of the other; every further call
 * was forced by a fault. Workers that share one function are not told apart, and not counted.
 */
function* judgedNoMoreThanNeeded({ world, f, entries }: Rest) {
  if (world.shared) return;
  const amended = (id: string) => entries.filter((e) => e.event === 'amended' && e.item_id === id).length;
  let excess = 0;
  for (const [newcomer, calls] of Map.groupBy(world.judged, (call) => call.newcomer)) {
    const attempts = Math.max(1, f.items.get(newcomer)?.attempt ?? 1);
    const times = Map.groupBy(
      calls.flatMap(({ offered }) => offered),
      (id) => id,
    );
    excess += Math.max(0, ...[...times].map(([id, all]) => all.length - attempts - amended(id)));
  }
  const faults = world.scheduler.hits.length;
  if (excess > faults) yield `${excess} judge calls too many, with ${faults} faults`;
}
