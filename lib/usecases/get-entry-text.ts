import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput, NotFound, Partial } from '#lib/core/errors.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import type { DocumentText } from '#lib/usecases/get-document.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { settled } from '#lib/usecases/retry.ts';
import { visibleItem } from '#lib/usecases/visible-item.ts';

/**
 * A live entry's text from `offset` (UTF-16 units) on, in the form of a document without a path: what an excerpt cut off
 * (R6.4). Throws `NotFound`, `InvalidInput` at an offset beyond its end.
 */
export const getEntryText =
  (instance: Instance) =>
  async (caller: Caller, id: string, offset = 0): Promise<DocumentText> => {
    const { bodies, clock } = instance;
    const { row, state, status } = await visibleItem(instance, caller, id);
    if (row.kind !== 'entry' || !isLiveState(state)) throw new NotFound(`no entry ${id}`);
    const text = await settled(clock, () => bodies.get(id, 'entry'));
    if (text === undefined) throw new Partial(`the text of ${id} cannot be read`);
    if (offset > text.length) throw new InvalidInput('offset', 'offset: beyond the end of the entry');
    const { domain, fields, metadata, scopes, owner, created_at, updated_at } = row;
    const content = text.slice(offset);
    return { id, path: '', domain, content, fields, metadata, scopes, owner, status, created_at, updated_at };
  };
