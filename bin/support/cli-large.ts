import { isBlank } from '#lib/core/names.ts';
import { DocumentReply, PendingReply, TicketReply } from './cli-replies.ts';
import { ApiFault, type Client, segment } from './client.ts';
import type { FolderFile } from './push-folder.ts';

/** What came of a document that is too large for the API. `inbox`: it lies there, and its item is yet to be found. */
export type Handed =
  | { kind: 'same'; id: string; status: string }
  | { kind: 'inbox'; before: string | undefined; length: number }
  | { kind: 'refused'; why: string };

/** Hands a large document over through a presigned form (R3.1), unless the same text lies at its path already. */
export async function handOver(client: Client, file: FolderFile, text: string): Promise<Handed> {
  if (isBlank(text)) return { kind: 'refused', why: 'content is blank' };
  const { category, filename } = file;
  const before = await inForce(client, pathOf(file), text);
  if (before?.same) return { kind: 'same', id: before.id, status: before.status };
  const { reply: ticket } = await client.json(
    { method: 'POST', path: '/api/documents/uploads', body: { category, filename } },
    TicketReply,
  );
  const bytes = Buffer.byteLength(text);
  if (bytes > ticket.max_bytes)
    return { kind: 'refused', why: `too large: ${bytes} bytes; the limit is ${ticket.max_bytes}` };
  await client.form(ticket.url, ticket.fields, text);
  return { kind: 'inbox', before: before?.id, length: text.length };
}

/** The item that was made of what lay in the inbox; `undefined` while there is none, or none any more. */
export async function findHanded(
  client: Client,
  path: string,
  { before, length }: { before: string | undefined; length: number },
): Promise<string | undefined> {
  const { reply } = await client.json(
    { method: 'GET', path: '/api/knowledge/pending', query: { limit: '100' } },
    PendingReply,
  );
  const waiting = reply.items.find((item) => item.path === path && item.id !== before);
  if (waiting) return waiting.id;
  // From the end on, so that no megabytes come with the answer; a shorter document has no such place.
  const holder = await documentAt(client, path, length);
  return holder === undefined || holder.id === before ? undefined : holder.id;
}

async function inForce(
  client: Client,
  path: string,
  text: string,
): Promise<{ id: string; status: string; same: boolean } | undefined> {
  for (let offset = 0; ; ) {
    const piece = await documentAt(client, path, offset);
    if (!piece) return undefined;
    const { id, status, content, next_offset } = piece;
    if (text.slice(offset, offset + content.length) !== content) return { id, status, same: false };
    offset += content.length;
    if (next_offset === undefined) return { id, status, same: offset === text.length };
  }
}

async function documentAt(client: Client, path: string, offset: number) {
  const encoded = path.split('/').map(segment).join('/');
  try {
    const { reply } = await client.json(
      { method: 'GET', path: `/api/documents/${encoded}`, query: { offset: String(offset) } },
      DocumentReply,
    );
    return reply;
  } catch (error) {
    if (error instanceof ApiFault && (error.status === 404 || error.field === 'offset')) return undefined;
    throw error;
  }
}

export const pathOf = ({ category, filename }: Pick<FolderFile, 'category' | 'filename'>): string =>
  `${category}/${filename}`.normalize('NFC');
