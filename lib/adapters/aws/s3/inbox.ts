import type { S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import * as z from 'zod';
import { createObjects } from '#lib/adapters/aws/s3/objects.ts';
import { called } from '#lib/adapters/aws/service-errors.ts';
import type { Caller } from '#lib/core/caller.ts';
import { INBOX, quarantineKeys } from '#lib/core/inbox.ts';
import type { Inbox } from '#lib/ports.ts';

/** Metadata in which a ticket's caller travels: the policy fixes it, so the holder cannot change it. */
const CALLER = 'knowhub-caller';

const NamedCaller = z.object({ principal: z.string(), scopes: z.array(z.string()) });

/** Sees what is public: for metadata that no ticket wrote. */
const NOBODY: Caller = { principal: 'unknown', scopes: [] };

const PAGE = 1000;

// In ASCII, as S3's metadata is.
const encoded = ({ principal, scopes }: Caller): string =>
  Buffer.from(JSON.stringify({ principal, scopes })).toString('base64url');

function decoded(text: string): Caller {
  try {
    return NamedCaller.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return NOBODY;
  }
}

/** The Inbox port on S3. */
export function createS3Inbox(client: S3Client, bucket: string): Inbox {
  const objects = createObjects(client, bucket);
  return {
    async read(key, limit) {
      const object = await objects.get(key, limit);
      if (object === undefined) return undefined;
      const { etag, size, bytes, metadata } = object;
      const named = metadata[CALLER];
      return { etag, size, ...(bytes && { bytes }), ...(named !== undefined && { caller: decoded(named) }) };
    },
    remove: (key, etag) => objects.remove(key, etag),
    async quarantine(key, etag, report) {
      const to = quarantineKeys(key);
      if (!(await objects.copy(key, to.file, etag))) return false;
      await objects.put(to.report, `${JSON.stringify(report, null, 2)}\n`, {
        content_type: 'application/json',
      });
      return true;
    },
    async list(after, before, limit) {
      const found: string[] = [];
      for (let start = after; found.length < limit; ) {
        const page = await objects.list(INBOX, start, PAGE);
        for (const { key, stored_at } of page) if (stored_at < before) found.push(key);
        if (page.length < PAGE) break;
        start = page.at(-1)!.key;
      }
      return found.slice(0, limit);
    },
    async ticket(key, caller, max_bytes, expires_in_s) {
      const { url, fields } = await called(`ticket ${key}`, () =>
        createPresignedPost(client, {
          Bucket: bucket,
          Key: key,
          // Each field becomes a condition of the policy too.
          Fields: { [`x-amz-meta-${CALLER}`]: encoded(caller) },
          Conditions: [['content-length-range', 1, max_bytes]],
          Expires: expires_in_s,
        }),
      );
      return { url, fields };
    },
  };
}
