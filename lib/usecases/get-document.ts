import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { NotFound, Partial } from '#lib/core/errors.ts';
import { Fields } from '#lib/core/item.ts';
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
  fields: Fields,
  metadata: z.string(),
  scopes: z.array(z.string()),
  owner: z.string(),
  status: PublicStatus,
  created_at: z.number(),
  updated_at: z.number(),
});
export type DocumentText = z.infer<typeof DocumentText>;

/** The whole document in force at the path, whatever a session was given before (R6.4). Throws `NotFound`. */
export const getDocument =
  (instance: Instance) =>
  async (caller: Caller, path: string): Promise<DocumentText> => {
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
    return { id, path, domain, content, fields, metadata, scopes, owner, status, created_at, updated_at };
  };

const nothingAt = (path: string) => new NotFound(`no document at ${path}`);
