import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput, ModelUnavailable, NotFound, Unclear } from '#lib/core/errors.ts';
import { excerpt } from '#lib/core/excerpt.ts';
import { documentFields, type Frontmatter, parseFrontmatter } from '#lib/core/frontmatter.ts';
import type { ItemRow, Status } from '#lib/core/item.ts';
import { documentTask } from '#lib/core/judge-view.ts';
import { LIMITS, utf8Bytes } from '#lib/core/limits.ts';
import { documentPath, isBlank, itemId } from '#lib/core/names.ts';
import { fingerprint, sha256 } from '#lib/core/normalise.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { PathRow } from '#lib/core/rows.ts';
import { saveTaskVector } from '#lib/usecases/embed-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { accept, nameAtPath } from '#lib/usecases/name-at-path.ts';
import { settled } from '#lib/usecases/retry.ts';
import { completedFields, taskOf } from '#lib/usecases/write-fields.ts';

export const UploadInput = z.strictObject({
  category: z.string(),
  filename: z.string(),
  content: z.string(),
  scopes: z.array(z.string().min(1).max(128)).max(50).optional(),
  owner: z.string().max(LIMITS.owner).optional(),
});
export type UploadInput = z.infer<typeof UploadInput>;

export interface UploadOutcome {
  id: string;
  path: string;
  status: Status;
  /** Identical bytes lie at the path already: nothing happened (R3.5). */
  unchanged: boolean;
  warnings: string[];
  generated: string[];
  missing: string[];
  /** The stand-in that wrote the generated fields, if one did. */
  stand_ins?: string[];
}

/** Takes a document in (R3.2): the reply comes when it is stored and waits for its judgement. */
export const uploadDocument =
  (instance: Instance, max_bytes: number = LIMITS.document_bytes_api) =>
  async (caller: Caller, input: unknown): Promise<UploadOutcome> => {
    const { clock, bodies, queue, model, random } = instance;
    const { category, filename, content, ...given } = parseInput(UploadInput, input);
    const give_up_at = clock.now() + instance.settings.upload_patience_ms;
    const path = documentPath(category, filename);
    checkContent(content, max_bytes);
    const parsed = parseFrontmatter(content);
    const read = documentFields(parsed.fields, parsed.warnings);
    if (!given.scopes) demandReadableScopes(content, parsed);
    const scopes = [...new Set(given.scopes ?? read.scopes ?? [])].sort();
    const owner = given.owner ?? read.owner ?? caller.principal;
    const domain = path.slice(0, path.indexOf('/'));
    const warnings = [...read.warnings];
    if (read.category !== undefined && read.category !== domain) warnings.push('category:folder_wins');
    const body_hash = sha256(content);

    const current = await settled(clock, () => instance.paths.get(path));
    await demandSight(instance, caller, path, current);
    const same = await sameBytes(instance, current, { body_hash, scopes, owner });
    if (same) return { ...same, path, unchanged: true, warnings, generated: [], missing: [] };

    const fields = await completedFields(instance, { path, body: parsed.body, authored: read.authored });
    const now = Math.floor(clock.now() / 1000);
    const row: ItemRow & { path: string } = {
      id: itemId(now, random.hex(8)),
      kind: 'document',
      domain,
      path,
      task: taskOf(fields, path, parsed.body),
      message_id: '',
      types: [],
      tags: {},
      tag_keys: [],
      scopes,
      owner,
      resource_ids: [],
      source: {},
      metadata: read.metadata,
      fields,
      excerpt: excerpt(parsed.body, instance.settings.excerpt_code_points).excerpt,
      body_hash,
      // Of what the author wrote: the same file twice is the same, whatever a model adds to each.
      fingerprint: fingerprint(
        documentTask({ title: '', summary: '', covers: [], when_to_retrieve: '', ...read.authored }),
        parsed.body,
      ),
      created_at: now,
      updated_at: now,
      status: 'received',
      attempt: 1,
      pos: 0,
    };
    await settled(clock, () => bodies.put(row.id, 'document', content));
    await saveTaskVector(instance, row, parsed.body).catch(unlessModelIsDown);
    await nameAtPath(instance, row, give_up_at);
    await queue.send({ type: 'admit', item_id: row.id }).catch(sweepWillSend);
    const { generated, missing } = fields;
    const outcome: UploadOutcome = {
      id: row.id,
      path,
      status: 'pending',
      unchanged: false,
      warnings,
      generated,
      missing,
    };
    return model.writer.stand_in && generated.length > 0
      ? { ...outcome, stand_ins: [model.writer.name] }
      : outcome;
  };

function checkContent(content: string, max_bytes: number): void {
  if (isBlank(content)) throw new InvalidInput('content', 'content is blank');
  if (!content.isWellFormed()) throw new InvalidInput('content', 'content holds half a character');
  const bytes = utf8Bytes(content);
  if (bytes > max_bytes)
    throw new InvalidInput('content', `content has ${bytes} bytes; the limit is ${max_bytes}`);
}

/** Frontmatter that cannot be read counts as none (R3.3), except where that would show a scoped document to everyone. */
function demandReadableScopes(content: string, { fields, body }: Frontmatter): void {
  if (fields !== null || body.length < content.replace(/^\uFEFF/, '').length) return;
  if (
    /^---[ \t]*\r?\n(?:(?!---|\.\.\.).*\r?\n){0,200}?[ \t]*["']?scopes["']?[ \t]*:/.test(
      content.replace(/^\uFEFF/, ''),
    )
  )
    throw new InvalidInput(
      'content',
      'the frontmatter names scopes and cannot be read; nobody may see it by mistake',
    );
}

/** Replacing a document needs sight of it, else the path looks free of anything but refuses (design, section 7). */
async function demandSight(instance: Instance, caller: Caller, path: string, current: PathRow | undefined) {
  const f = await instance.catalog.refresh();
  const holder = f.items.get(f.paths.get(path)?.holder ?? '');
  const scopes = [holder?.scopes ?? [], current?.latest_id === undefined ? [] : current.scopes];
  if (!scopes.every((each) => isVisible(each, caller.scopes))) throw new NotFound(`no document at ${path}`);
}

/** The latest upload at the path, if its body, scopes and owner are these and it is there; a `received` one is accepted. */
async function sameBytes(
  instance: Instance,
  current: PathRow | undefined,
  mine: { body_hash: string; scopes: string[]; owner: string },
): Promise<{ id: string; status: Status } | undefined> {
  if (current?.latest_id === undefined || current.body_hash !== mine.body_hash) return undefined;
  if (current.owner !== mine.owner || current.scopes.join('\n') !== mine.scopes.join('\n')) return undefined;
  const latest = await settled(instance.clock, () => instance.items.get(current.latest_id!));
  if (!latest || latest.status === 'removed') return undefined;
  const { id, status } = latest;
  if (status !== 'received') return { id, status };
  const answer = await settled(instance.clock, () => accept(instance, id, current.seq));
  if (answer === 'accepted') await instance.queue.send({ type: 'admit', item_id: id }).catch(sweepWillSend);
  return answer === 'accepted' || answer === 'not_received' ? { id, status: 'pending' } : undefined;
}

/** Dedup embeds it later (R3.4). */
export function unlessModelIsDown(error: unknown): void {
  if (!(error instanceof ModelUnavailable || error instanceof Unclear)) throw error;
}

/** A lost message costs a minute: the row says that it waits. */
export function sweepWillSend(error: unknown): void {
  if (!(error instanceof Unclear)) throw error;
}
