import { parse } from 'yaml';
import * as z from 'zod';
import type { Entry } from '#lib/core/entry.ts';
import { foldOf } from '#lib/core/fold.ts';
import { type Fold, isLiveState } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { admit } from '#lib/usecases/admit.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { projectAll } from '#lib/usecases/project.ts';
import { relationsOf } from '#lib/usecases/relations.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { countKinds, type DecisionFact } from '../../bin/support/decisions.ts';
import type { Promised } from './check-by-api.ts';

/** The stores at rest, and what the ledger says that they should hold. */
interface Rest {
  instance: Instance;
  promised: Promised;
  entries: Entry[];
  f: Fold;
  rows: ReadonlyMap<string, ItemRow>;
}

type Check = (rest: Rest) => AsyncIterable<string> | Iterable<string>;

const ALL = 1_000_000;
const AT_ONCE = 100;
/** Nobody pushed for anybody in particular. */
const CALLER = { principal: 'bench', scopes: [] };

/**
 * Invariants 1 to 8 of `cases/crash.md` against the fold replayed from position 1, for uploads of documents alone, without
 * a human's act. Each violation begins with the number of its invariant.
 */
export async function checkByFold(
  instance: Instance,
  promised: Promised,
): Promise<{ violations: string[]; entries: number; kinds: Record<string, number> }> {
  // The index lives in memory: it is made anew from the ledger, as each start does.
  await projectAll(instance);
  const entries = await instance.ledger.readAfter(0, ALL);
  const f = foldOf(entries);
  const violations = f.position === entries.length ? [] : [`0 the ledger has a gap after ${f.position}`];
  const ids = [...new Set([...f.items.keys(), ...promised.ids])];
  const rest = { instance, promised, entries, f, rows: await rowsOf(instance, ids) };
  for (const [number, check] of CHECKS)
    for await (const violation of check(rest)) violations.push(`${number} ${violation}`);
  return { violations, entries: entries.length, kinds: kindsOf(f) };
}

/** How many decisions of each kind stand, as the CLI and the demo count them. */
function kindsOf(f: Fold): Record<string, number> {
  const facts = [...f.items.values()].map((item): DecisionFact => {
    const related = [...item.grounds.map(({ id, type }) => ({ type, to: id })), ...item.relations];
    const { reason, decided } = item;
    return {
      id: item.id,
      path: item.path ?? '',
      title: '',
      decision: isLiveState(item) ? 'admitted' : item.status === 'rejected' ? 'rejected' : 'waiting',
      ...(reason !== undefined && { reason }),
      ...(decided?.basis !== undefined && { basis: decided.basis }),
      relations: related.map(({ type, to }) => ({ type, to })),
      helped: [],
      generated: [],
      generated_by: [],
      warnings: [],
    };
  });
  return countKinds(facts);
}

const CHECKS: readonly (readonly [number, Check])[] = [
  [1, nothingIsLost],
  [2, oneOfEqualsIsLive],
  [2, seqsAreUnique],
  [3, relationsReadFromBothEnds],
  [4, recordsAgree],
  [4, indexAndCatalogAgree],
  [4, mapAgrees],
  [5, groundsStand],
  [6, onePathOneDocument],
  [7, sweepingChangesNothing],
  [7, messagesAgainChangeNothing],
  [8, nothingCrossesScopes],
];

async function rowsOf({ items }: Instance, ids: readonly string[]): Promise<Map<string, ItemRow>> {
  const rows = new Map<string, ItemRow>();
  for (let from = 0; from < ids.length; from += AT_ONCE)
    for (const row of await items.getMany(ids.slice(from, from + AT_ONCE))) rows.set(row.id, row);
  return rows;
}

function* nothingIsLost({ promised, f, rows }: Rest): Iterable<string> {
  for (const id of promised.ids) {
    const item = f.items.get(id);
    if (!item) yield `${id} was accepted and never decided (row: ${rows.get(id)?.status ?? 'none'})`;
    else if (item.status === 'rejected' && item.reason === undefined)
      yield `${id} is rejected without a reason`;
    else if (!isLiveState(item) && item.status !== 'rejected')
      yield `${id} was accepted and is ${item.status}`;
  }
}

function* oneOfEqualsIsLive({ f }: Rest): Iterable<string> {
  const groups = Map.groupBy(
    f.items.values(),
    ({ fingerprint, scopes }) => `${fingerprint} ${scopes.join(',')}`,
  );
  for (const group of groups.values()) {
    const live = group.filter(isLiveState);
    if (live.length > 1) yield `equal and all live: ${live.map(({ id }) => id).join(', ')}`;
    const current = group.filter(({ reason }) => reason !== 'superseded' && reason !== 'replaced');
    const covered = current.some(({ grounds }) => grounds.some(({ id }) => isLiveState(f.items.get(id))));
    if (current.length > 0 && live.length === 0 && !covered)
      yield `none of ${group.map(({ id }) => id).join(', ')} is live`;
  }
  for (const item of f.items.values())
    for (const { id } of item.grounds) {
      if (id === item.id) yield `${id} is rejected because of itself`;
      if (item.path !== undefined && f.items.get(id)?.path === item.path)
        yield `${item.id} is rejected because of its own predecessor ${id}`;
    }
  const given = new Map<string, number>();
  for (const { reason, grounds } of f.items.values())
    if (reason === 'known')
      for (const lineage of new Set(
        grounds.filter(givesPoint).map(({ id }) => f.items.get(id)?.lineage ?? id),
      ))
        given.set(lineage, (given.get(lineage) ?? 0) + 1);
  for (const [lineage, least] of given)
    if ((f.points.get(lineage) ?? 0) < least)
      yield `${lineage} has fewer points than the ${least} that lean on it`;
}

const givesPoint = ({ type }: { type: string }): boolean => type === 'duplicate' || type === 'subset';

function* seqsAreUnique({ rows }: Rest): Iterable<string> {
  const taken = new Map<string, string>();
  for (const { id, path, path_seq } of rows.values()) {
    if (path === undefined || path_seq === undefined) continue;
    const key = `${path} ${path_seq}`;
    if (taken.has(key)) yield `${id} and ${taken.get(key)} share seq ${path_seq} of ${path}`;
    taken.set(key, id);
  }
}

async function* relationsReadFromBothEnds({ instance, f }: Rest): AsyncIterable<string> {
  const edges = new Map<string, { type: string; target: string }[]>();
  for (const id of f.items.keys()) edges.set(id, await relationsOf(instance)(CALLER, id));
  const shows = (from: string, type: string, to: string) =>
    edges.get(from)?.some((edge) => edge.type === type && edge.target === to) ?? false;
  for (const [id, own] of edges)
    for (const { target } of own)
      if (!isLiveState(f.items.get(id)) || !isLiveState(f.items.get(target)))
        yield `an edge ${id} → ${target} has an end that is not live`;
  for (const item of f.items.values()) {
    if (!isLiveState(item)) continue;
    for (const { to, type, reverse } of item.relations) {
      if (!isLiveState(f.items.get(to))) continue;
      if (!shows(item.id, type, to)) yield `${item.id} does not show ${type} → ${to}`;
      if (reverse !== 'none' && !shows(to, reverse, item.id))
        yield `${to} does not show ${reverse} → ${item.id}`;
    }
  }
}

async function* recordsAgree({ instance, f, rows }: Rest): AsyncIterable<string> {
  for (const item of f.items.values()) {
    const row = rows.get(item.id);
    if (row?.status !== item.status) yield `${item.id}'s row is ${row?.status}, the fold says ${item.status}`;
    if (row?.claim !== undefined) yield `${item.id} still carries a claim`;
    if (row?.next_at !== undefined) yield `${item.id} still waits for the sweep`;
    const points = (await instance.evaluations.get(item.lineage))?.points ?? 0;
    if (points !== (f.points.get(item.lineage) ?? 0))
      yield `${item.lineage} has ${points} points, the fold says ${f.points.get(item.lineage) ?? 0}`;
  }
  for (const { domain_id, dirty_position, computed_position } of await instance.domains.list())
    if (dirty_position > computed_position) yield `the text of ${domain_id} is behind`;
}

async function* indexAndCatalogAgree({ instance, f }: Rest): AsyncIterable<string> {
  const { projections, index, catalog } = instance;
  const row = await projections.get(await projections.pointer());
  if (row?.W !== f.position) yield `the index is at ${row?.W}, the ledger at ${f.position}`;
  if (row && row.parked.length > 0) yield `the index refused ${row.parked.join(', ')}`;
  const there = await index.present(row?.physical ?? '', [...f.items.keys()]);
  const indexed = new Set(there.filter(({ live }) => live).map(({ id }) => id));
  const differ = indexed.symmetricDifference(new Set(f.live.keys()));
  if (differ.size > 0) yield `index and fold differ in ${[...differ].join(', ')}`;
  const { live } = await catalog.refresh();
  if (new Set(live.keys()).symmetricDifference(new Set(f.live.keys())).size > 0)
    yield 'catalog and fold differ';
}

const WholeMap = z.object({
  available_knowledge_domains: z.array(
    z.object({ domain_id: z.string(), documents: z.array(z.object({ title: z.string() })) }),
  ),
  left_out: z.never().optional(),
});

/** With room for all: each live document is shown, in its domain. */
async function* mapAgrees({ instance, f }: Rest): AsyncIterable<string> {
  const settings = { ...instance.settings, map_budget_tokens: ALL };
  const map = WholeMap.parse(parse(await knowledgeMap({ ...instance, settings })(CALLER)));
  const shown = map.available_knowledge_domains.flatMap(({ domain_id, documents }) =>
    documents.map(({ title }) => `${domain_id}: ${title}`),
  );
  const live = [...f.live.keys()].map((id) => f.items.get(id)?.live);
  const wanted = live.map((payload) => `${payload?.domain}: ${onOneLine(payload?.title ?? '')}`);
  if (JSON.stringify(shown.sort()) !== JSON.stringify(wanted.sort()))
    yield `the map shows ${shown.length} documents, other than the ${wanted.length} of the fold`;
}

const onOneLine = (title: string): string => title.replace(/[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/gu, ' ');

function* groundsStand({ f }: Rest): Iterable<string> {
  for (const { id, status, reason, grounds } of f.items.values()) {
    if (status !== 'rejected') continue;
    if (reason === 'known' && grounds.length === 0) yield `${id} is known by nothing`;
    for (const ground of grounds)
      if (!isLiveState(f.items.get(ground.id)))
        yield `${id} rests on ${ground.id}, which is ${f.items.get(ground.id)?.status ?? 'unknown'}`;
  }
}

async function* onePathOneDocument({ instance, promised, f }: Rest): AsyncIterable<string> {
  const live = [...f.items.values()].filter(isLiveState);
  const held = Map.groupBy(live, ({ path }) => path ?? '');
  for (const [path, holders] of held) {
    if (holders.length > 1) yield `${path} has ${holders.length} live documents`;
    const [holder] = holders;
    const later = [...f.items.values()].find(
      (item) =>
        item.path === path && item.reason === 'superseded' && (item.path_seq ?? 0) > (holder?.path_seq ?? 0),
    );
    if (later) yield `${path}: ${later.id} is later than ${holder?.id}, and superseded`;
    const body = holder && (await instance.bodies.get(holder.id, 'document'));
    if (body !== promised.texts.get(path)) yield `${path} holds other bytes than the file`;
    if ((await instance.mirror.read(path)) !== body)
      yield `the mirror of ${path} holds other bytes than ${holder?.id}`;
  }
  for (let after = ''; ; ) {
    const listed = await instance.mirror.list(after, AT_ONCE);
    for (const path of listed) if (!held.has(path)) yield `the mirror shows ${path}, where nothing is live`;
    after = listed.at(-1) ?? '';
    if (listed.length < AT_ONCE) return;
  }
}

/** As many passes as it takes until each audit has been once around. */
async function* sweepingChangesNothing(rest: Rest): AsyncIterable<string> {
  const { instance } = rest;
  const { audited } = instance;
  do {
    const did = Object.entries(await sweep(instance)()).filter(([, count]) => count > 0);
    if (did.length > 0) yield `a sweep did ${JSON.stringify(Object.fromEntries(did))}`;
  } while (`${audited.mirror}${audited.index}${audited.bodies}` !== '');
  yield* changed(rest, 'a sweep');
}

/** As those do that the killed process had taken, once their visibility timeout is over. */
async function* messagesAgainChangeNothing(rest: Rest): AsyncIterable<string> {
  for (const id of rest.rows.keys()) await admit(rest.instance)(id);
  yield* changed(rest, 'a message that came again');
}

async function* changed({ instance, entries, rows }: Rest, by: string): AsyncIterable<string> {
  if ((await instance.ledger.readAfter(entries.length, 1)).length > 0) yield `${by} appended to the ledger`;
  const after = await rowsOf(instance, [...rows.keys()]);
  for (const [id, row] of rows)
    if (JSON.stringify(after.get(id)) !== JSON.stringify(row)) yield `${by} changed the row of ${id}`;
}

function* nothingCrossesScopes({ f, entries, rows }: Rest): Iterable<string> {
  const scopes = (id: string) => f.items.get(id)?.scopes ?? rows.get(id)?.scopes ?? [];
  const allSee = (mine: readonly string[], other: readonly string[]) =>
    other.length === 0 || (mine.length > 0 && mine.every((scope) => other.includes(scope)));
  for (const { item_id, grounds = [], relations = [] } of entries)
    for (const id of [...grounds.map((ground) => ground.id), ...relations.map(({ to }) => to)])
      if (!allSee(scopes(item_id), scopes(id)))
        yield `${item_id} was related to ${id}, which its readers may not see`;
}
