import type { Caller } from '#lib/core/caller.ts';
import { utf8Bytes } from '#lib/core/limits.ts';
import type { PublicItem } from '#lib/core/public-item.ts';
import { contentOf } from '#lib/usecases/embed-item.ts';
import { TEXT_BYTES_A_REPLY } from '#lib/usecases/get-document.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { settled } from '#lib/usecases/retry.ts';
import { showItems } from '#lib/usecases/show-items.ts';
import { visibleItem } from '#lib/usecases/visible-item.ts';

/**
 * One item with its text, live or not (R2.1); a text that is too long for an answer is cut to its beginning. Throws
 * `NotFound` where it is not there for the caller.
 */
export const getItem =
  (instance: Instance) =>
  async (caller: Caller, id: string): Promise<PublicItem> => {
    const { bodies, clock } = instance;
    const item = await visibleItem(instance, caller, id);
    const [[shown], body] = await Promise.all([
      showItems(instance)(caller, [item]),
      settled(clock, () => bodies.get(id, item.row.kind)),
    ]);
    if (body === undefined || utf8Bytes(body) > TEXT_BYTES_A_REPLY) return shown!;
    return { ...shown!, content: contentOf(item.row, body), truncated: false };
  };
