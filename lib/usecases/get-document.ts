import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput, NotFound, Partial } from '#lib/core/errors.ts';
import { Fields } from '#lib/core/item.ts';
import { cut, utf8Bytes } from '#lib/core/limits.ts';
import { PublicStatus } from '#lib/core/public-item.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { settled } from '#lib/usecases/retry.ts';

/** The document in force at a path: its bytes as text, verbatim, and its fields. Times in epoch seconds. */
export const DocumentText = z.strictObject({
  id: z.string(),
  path: z.string(),
  domain: z.string(),
  content: z.string(),
  /** Where the text goes on, for the next call; absent at its end. */
  next_offset: z.number().int().optional(),
  fields: Fields,
  metadata: z.string(),
  scopes: z.array(z.string()),
  owner: z.string(),
  status: PublicStatus,
  created_at: z.number(),
  updated_at: z.number(),
});
export type DocumentText = z.infer<typeof DocumentText>;

/** A function's answer may have 6 MB, and a text becomes JSON in JSON there. Every document that came by the API fits. */
export const TEXT_BYTES_A_REPLY = 2 * 1024 * 1024;

/**
 * The document in force at the path, whatever a session was given before (R6.4): whole, or if it is too long for one
 * reply the piece from `offset` (UTF-16 units) on. Throws `NotFound`, `InvalidInput` at an offset beyond its end.
 */
export const getDocument =
  (instance: Instance) =>
  async (caller: Caller, path: string, offset = 0): Promise<DocumentText> => {
    const { catalog, items, bodies, clock } = instance;
    const f = await catalog.refresh();
    const holder = f.items.get(f.paths.get(path)?.holder ?? '');
    if (!holder || !isVisible(holder.scopes, caller.scopes)) throw nothingAt(path);
    const { id } = holder;
    const [row, content] = await Promise.all([
      settled(clock, () => items.get(id)),
      settled(clock, () => bodies.get(id, 'document')),
    ]);
    // Erased a moment ago: the ledger says so, if it is asked again.
    if (!row || row.status === 'removed') throw nothingAt(path);
    if (content === undefined) throw new Partial(`the text of ${id} cannot be read`);
    const { domain, fields, metadata, scopes, owner, created_at, updated_at } = row;
    const status = holder.status === 'checked' ? 'checked' : 'approved';
    return {
      id,
      path,
      domain,
      ...pieceOf(content, offset),
      fields,
      metadata,
      scopes,
      owner,
      status,
      created_at,
      updated_at,
    };
  };

/** A piece never ends in half a character. */
function pieceOf(text: string, offset: number): { content: string; next_offset?: number } {
  if (offset > text.length) throw new InvalidInput('offset', 'offset: beyond the end of the document');
  const rest = text.slice(offset);
  if (utf8Bytes(rest) <= TEXT_BYTES_A_REPLY) return { content: rest };
  // No character takes more than four bytes.
  const content = cut(rest, Math.floor(TEXT_BYTES_A_REPLY / 4));
  return { content, next_offset: offset + content.length };
}

const nothingAt = (path: string) => new NotFound(`no document at ${path}`);
