import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import { cursorOf, pageOf, placeOf } from '#lib/core/page.ts';
import { PublicStatus } from '#lib/core/public-item.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** A live document as the catalog knows it. */
export const ListedDocument = z.strictObject({
  id: z.string(),
  path: z.string(),
  domain: z.string(),
  title: z.string(),
  keywords: z.array(z.string()),
  covers: z.array(z.string()),
  scopes: z.array(z.string()),
  status: PublicStatus,
});
export const DocumentPage = pageOf(ListedDocument);
export type DocumentPage = z.infer<typeof DocumentPage>;

export interface ListDocumentsInput {
  /** Documents a page. */
  limit: number;
  cursor?: string | undefined;
  domain?: string | undefined;
}

/** Live documents that the caller may see, the latest first; no row is read. Throws `InvalidInput` at a strange cursor. */
export const listDocuments =
  ({ catalog }: Instance) =>
  async (caller: Caller, { limit, cursor, domain }: ListDocumentsInput): Promise<DocumentPage> => {
    const before = placeOf(cursor);
    const f = await catalog.refresh();
    const listed = [...f.live.keys()]
      .flatMap((id) => {
        const item = f.items.get(id);
        if (!isLiveState(item) || item.live?.kind !== 'document' || item.path === undefined) return [];
        if (item.live_pos >= before || !isVisible(item.scopes, caller.scopes)) return [];
        if (domain !== undefined && item.live.domain !== domain) return [];
        const { title, keywords, covers } = item.live;
        const { path, scopes, status, live_pos } = item;
        return [
          {
            live_pos,
            document: { id, path, domain: item.live.domain, title, keywords, covers, scopes, status },
          },
        ];
      })
      .sort((a, b) => b.live_pos - a.live_pos);
    const page = listed.slice(0, limit);
    const items = page.map(({ document }) => document);
    return listed.length > limit ? { items, next_cursor: cursorOf(page.at(-1)!.live_pos) } : { items };
  };
