import { basename, dirname } from 'node:path';
import { expect, vi } from 'vitest';
import { LookupReply } from '#lib/core/lookup-reply.ts';
import { PublicItem } from '#lib/core/public-item.ts';
import { DocumentText } from '#lib/usecases/get-document.ts';
import { ItemStatus } from '#lib/usecases/item-status.ts';
import { UploadReply } from '../../bin/support/cli-replies.ts';
import { createClient, segment } from '../../bin/support/client.ts';
import { createSigner } from '../../bin/support/sign.ts';
import { deployment } from './deployment.ts';

const { api_url, region } = deployment();

/** The API as a caller with signed requests has it. Nothing is tried twice: a fault of a function is to be seen. */
export const client = createClient({ url: api_url, sign: createSigner(region), tries: 1 });

export const pathOf = (path: string): string => `/api/documents/${path.split('/').map(segment).join('/')}`;

export async function upload(path: string, content: string): Promise<UploadReply> {
  const body = { category: dirname(path), filename: basename(path), content };
  const { reply } = await client.json({ method: 'POST', path: '/api/documents', body }, UploadReply);
  return reply;
}

export async function status(id: string): Promise<ItemStatus> {
  const { reply } = await client.json(
    { method: 'GET', path: `/api/knowledge/status/${segment(id)}` },
    ItemStatus,
  );
  return reply;
}

export async function item(id: string): Promise<PublicItem> {
  const { reply } = await client.json({ method: 'GET', path: `/api/knowledge/${segment(id)}` }, PublicItem);
  return reply;
}

export async function document(path: string): Promise<DocumentText> {
  const { reply } = await client.json({ method: 'GET', path: pathOf(path) }, DocumentText);
  return reply;
}

export async function lookup(body: {
  query: string;
  domain?: string;
  session_id?: string;
}): Promise<LookupReply> {
  const { reply } = await client.json({ method: 'POST', path: '/api/lookup', body }, LookupReply);
  return reply;
}

/** A function starts, and a queue is polled, on a machine that has more to do. */
const PATIENCE_MS = 60_000;

/** Asks until the answer is the one expected. */
export const becomes = (ask: () => Promise<unknown>, expected: unknown, timeout = PATIENCE_MS) =>
  vi.waitFor(async () => expect(await ask()).toEqual(expected), { timeout, interval: 250 });

/** The item's status once it is decided. */
export async function decided(id: string, timeout = PATIENCE_MS): Promise<ItemStatus> {
  await becomes(
    async () => (await status(id)).status,
    expect.stringMatching(/^(approved|rejected)$/),
    timeout,
  );
  return status(id);
}
