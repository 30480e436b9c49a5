import { payloadOf } from '#lib/core/admission.ts';
import { KnowHubError } from '#lib/core/errors.ts';
import { isLiveState, isRemoved } from '#lib/core/fold-state.ts';
import { parseFrontmatter } from '#lib/core/frontmatter.ts';
import type { FieldName, ItemRow } from '#lib/core/item.ts';
import { append } from '#lib/usecases/append.ts';
import { saveTaskVector } from '#lib/usecases/embed-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { type Authored, describe, taskOf } from '#lib/usecases/write-fields.ts';

const LISTED = 500;
/** Doubled with every answer that could not be used. */
const RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 24 * 3600_000;

/**
 * Lets the model write what it could not when live documents were uploaded (R3.2). Returns how many are complete now. One
 * that the model cannot describe is asked for again at growing distances, up to a day.
 */
export async function fillMissingFields(instance: Instance): Promise<number> {
  const { items, catalog, clock, settings, audited } = instance;
  // From pass to pass another one comes first, so that none on which the model fails keeps the others waiting.
  const now = clock.now();
  const listed = (await items.missingFields(now, now + LONGEST_RETRY_MS, LISTED)).sort();
  const next = listed.findIndex((id) => id > audited.fields);
  const ids = [...listed.slice(Math.max(0, next)), ...listed.slice(0, Math.max(0, next))].slice(
    0,
    settings.fill_limit,
  );
  if (ids.length === 0) return 0;
  const f = await catalog.refresh();
  let filled = 0;
  for (const id of ids) {
    audited.fields = id;
    const row = await items.get(id);
    // A document that is not live yet gets its fields once it is: its payload goes into the ledger with the decision.
    if (!row || row.fields.missing.length === 0 || !isLiveState(f.items.get(id))) continue;
    // One that the model cannot describe keeps no other waiting; a model that is away ends the pass.
    const outcome = await fill(instance, row).catch((error: unknown) => {
      if (!(error instanceof KnowHubError) || error.retryable) throw error;
      instance.log.warn('fields stay missing', { id, why: error.message });
      return 'no_answer' as const;
    });
    if (outcome === 'complete') filled += 1;
    else if (outcome === 'no_answer') await askAgainLater(instance, row);
  }
  return filled;
}

/** Should this fail, it is asked again by the next pass. */
async function askAgainLater({ items, clock, log }: Instance, row: ItemRow): Promise<void> {
  const count = (row.fields_retry?.count ?? 0) + 1;
  const at = clock.now() + Math.min(RETRY_MS * 2 ** count, LONGEST_RETRY_MS);
  log.info('fields are asked for again later', { id: row.id, count, at });
  await items.completeFields(row.id, row.fields, row.task, { count, at });
}

/** `missing` is cleared last: whoever dies before leaves it to the next pass. */
async function fill(
  instance: Instance,
  row: ItemRow,
): Promise<'complete' | 'no_answer' | 'not_live' | 'gone'> {
  const { bodies, items, vectors, catalog, clock, random } = instance;
  const text = await bodies.get(row.id, row.kind);
  if (text === undefined) return 'gone';
  const body = parseFrontmatter(text).body;
  const path = row.path ?? row.id;
  const fields = await describe(instance, { path, body, authored: authoredOf(row) });
  if (fields.missing.length > 0) return 'no_answer';
  const task = taskOf(fields, path, body);
  const complete = { ...row, fields, task };
  await saveTaskVector(instance, complete, body);
  await items.completeFields(row.id, { ...fields, missing: row.fields.missing }, task);
  const decision_id = random.hex(16);
  const outcome = await append(instance, {
    mine: (f) => f.decisions.has(decision_id),
    build: (f) => {
      const item = f.items.get(row.id);
      if (!isLiveState(item)) return 'stop';
      return {
        put: {
          at: Math.floor(clock.now() / 1000),
          by: 'sweep',
          event: 'amended',
          item_id: row.id,
          attempt: item.attempt,
          decision_id,
          fingerprint: row.fingerprint,
          scopes: row.scopes,
          live: payloadOf(complete),
        },
      };
    },
  });
  if (isRemoved(catalog.fold, row.id)) await vectors.erase(row.id);
  // Whoever restores it finds the fields still missing, and the next pass says them to the catalog.
  if (outcome === 'stopped') return 'not_live';
  return (await items.completeFields(row.id, fields, task)) ? 'complete' : 'gone';
}

/** What the author wrote: everything that is neither missing nor generated. */
function authoredOf({ fields }: ItemRow): Authored {
  const { title, summary, keywords, covers, when_to_retrieve, generated, missing } = fields;
  const all: Required<Authored> = { title, summary, keywords, covers, when_to_retrieve };
  const others = new Set<string>([...generated, ...missing]);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !others.has(name as FieldName)));
}
