import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput } from '#lib/core/errors.ts';
import { excerpt } from '#lib/core/excerpt.ts';
import { type ItemRow, NO_FIELDS } from '#lib/core/item.ts';
import { LIMITS, utf8Bytes } from '#lib/core/limits.ts';
import { categoryName, isBlank, itemId } from '#lib/core/names.ts';
import { fingerprint, sha256 } from '#lib/core/normalise.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import { saveTaskVector } from '#lib/usecases/embed-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { tooLate } from '#lib/usecases/name-at-path.ts';
import { settled } from '#lib/usecases/retry.ts';
import { sweepWillSend, unlessModelIsDown } from '#lib/usecases/upload-document.ts';

const label = z.string().min(1).max(128);

export const EntryInput = z.strictObject({
  task: z.string().max(2000),
  content: z.string(),
  domain: z.string().optional(),
  message_id: z.string().max(256).optional(),
  types: z.array(label).max(50).optional(),
  tags: z.record(z.string(), z.string()).optional(),
  scopes: z.array(label).max(50).optional(),
  owner: z.string().max(LIMITS.owner).optional(),
  resource_ids: z.array(z.string().max(256)).max(100).optional(),
  source: z.record(z.string(), z.unknown()).optional(),
});
export type EntryInput = z.infer<typeof EntryInput>;

export const GENERAL = 'general';

/** Takes an entry in (R3.1): stored, waiting, queued. */
export const addEntry =
  (instance: Instance) =>
  async (
    caller: Caller,
    input: unknown,
  ): Promise<{ status: 'pending'; knowledge_id: string; message: string }> => {
    const { clock, items, bodies, queue } = instance;
    const entry = parseInput(EntryInput, input);
    const give_up_at = clock.now() + instance.settings.upload_patience_ms;
    const row = { ...entryRow(instance, caller, entry), next_at: clock.now() + instance.settings.requeue_ms };
    await settled(clock, () => bodies.put(row.id, 'entry', entry.content));
    await saveTaskVector(instance, row, entry.content).catch(unlessModelIsDown);
    if (clock.now() > give_up_at) throw tooLate();
    // `false` is the answer to the repeat of an insert that had succeeded: the id is ours.
    await settled(clock, () => items.insert(row));
    await queue.send({ type: 'admit', item_id: row.id }).catch(sweepWillSend);
    return { status: 'pending', knowledge_id: row.id, message: 'queued: it is compared with what is stored' };
  };

/** The row of an entry that waits for its judgement. */
export function entryRow({ clock, random, settings }: Instance, caller: Caller, entry: EntryInput): ItemRow {
  if (isBlank(entry.task)) throw new InvalidInput('task', 'task is blank');
  if (isBlank(entry.content)) throw new InvalidInput('content', 'content is blank');
  if (!entry.task.isWellFormed()) throw new InvalidInput('task', 'task holds half a character');
  if (!entry.content.isWellFormed()) throw new InvalidInput('content', 'content holds half a character');
  const bytes = utf8Bytes(entry.content);
  if (bytes > LIMITS.entry_bytes)
    throw new InvalidInput('content', `content has ${bytes} bytes; the limit is ${LIMITS.entry_bytes}`);
  for (const field of ['tags', 'source'] as const) {
    const size = utf8Bytes(JSON.stringify(entry[field] ?? {}));
    if (size > LIMITS.extras_bytes)
      throw new InvalidInput(field, `${field} has ${size} bytes; the limit is ${LIMITS.extras_bytes}`);
  }
  const now = Math.floor(clock.now() / 1000);
  const { task, content, tags = {} } = entry;
  return {
    id: itemId(now, random.hex(8)),
    kind: 'entry',
    domain: entry.domain === undefined ? GENERAL : categoryName(entry.domain, 'domain'),
    task,
    message_id: entry.message_id ?? '',
    types: entry.types ?? [],
    tags,
    tag_keys: Object.keys(tags).sort(),
    scopes: [...new Set(entry.scopes ?? [])].sort(),
    owner: entry.owner ?? caller.principal,
    resource_ids: entry.resource_ids ?? [],
    source: entry.source ?? {},
    metadata: '',
    fields: NO_FIELDS,
    excerpt: excerpt(content, settings.excerpt_code_points).excerpt,
    body_hash: sha256(content),
    fingerprint: fingerprint(task, content),
    created_at: now,
    updated_at: now,
    status: 'pending',
    attempt: 1,
    pos: 0,
  };
}
