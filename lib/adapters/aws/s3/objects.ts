import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { called, statusOf } from '#lib/adapters/aws/service-errors.ts';

export interface ObjectHead {
  etag: string;
  size: number;
  metadata: Record<string, string>;
}

export interface PutOptions {
  content_type: string;
  metadata?: Record<string, string>;
  /** An ETag: only over the object that has it. `absent`: only where nothing lies. */
  only_if?: { etag: string } | 'absent';
}

/** `refused`: the condition did not hold. `conflict`: another write was under way, and either may have won. */
export type PutOutcome = 'done' | 'refused' | 'conflict';

/** One bucket, with S3's statuses as values. Keys are plain text. Throws `Unclear`. */
export interface Objects {
  head(key: string): Promise<ObjectHead | undefined>;
  /** Without `bytes` if there are more than `limit`. */
  get(key: string, limit?: number): Promise<(ObjectHead & { bytes?: Uint8Array }) | undefined>;
  put(key: string, body: string | Uint8Array, options: PutOptions): Promise<PutOutcome>;
  /** Copies within the bucket if the source has the ETag. */
  copy(from: string, to: string, etag: string): Promise<boolean>;
  /** Without an ETag: whatever lies there. */
  remove(key: string, etag?: string): Promise<boolean>;
  /** Keys with the prefix after `after`, in the order of their UTF-8 bytes; fewer than `limit` only at the end. */
  list(prefix: string, after: string, limit: number): Promise<{ key: string; stored_at: number }[]>;
  /** What stands before the next slash, of all keys with the prefix. */
  folders(prefix: string): Promise<string[]>;
}

const PAGE = 1000;
const encoder = new TextEncoder();

export function createObjects(client: S3Client, bucket: string): Objects {
  const Bucket = bucket;
  const objects: Objects = {
    head: (key) =>
      unlessAbsent(`head ${key}`, async () =>
        headOf(await client.send(new HeadObjectCommand({ Bucket, Key: key }))),
      ),
    get: (key, limit = Number.POSITIVE_INFINITY) =>
      unlessAbsent(`get ${key}`, async () => {
        const reply = await client.send(new GetObjectCommand({ Bucket, Key: key }));
        const head = headOf(reply);
        if (head.size > limit) {
          // Unread bytes would hold the connection.
          if (reply.Body instanceof Readable) reply.Body.destroy();
          return head;
        }
        return { ...head, bytes: (await reply.Body?.transformToByteArray()) ?? new Uint8Array() };
      }),
    put: (key, body, { content_type, metadata, only_if }) =>
      called(`put ${key}`, async () => {
        try {
          await client.send(
            new PutObjectCommand({
              Bucket,
              Key: key,
              // As bytes: the SDK takes an empty string for a stream of unknown length.
              Body: typeof body === 'string' ? encoder.encode(body) : body,
              ContentType: content_type,
              Metadata: metadata,
              ...(only_if === 'absent' ? { IfNoneMatch: '*' } : only_if && { IfMatch: only_if.etag }),
            }),
          );
          return 'done';
        } catch (error) {
          if (statusOf(error) === 409) return 'conflict';
          if (only_if !== undefined && isRefusal(error)) return 'refused';
          throw error;
        }
      }),
    copy: (from, to, etag) =>
      unlessRefused(`copy ${from}`, () =>
        client.send(
          new CopyObjectCommand({
            Bucket,
            Key: to,
            // A header: the one place where the SDK does not encode a key.
            CopySource: `${bucket}/${from.split('/').map(encodeURIComponent).join('/')}`,
            CopySourceIfMatch: etag,
          }),
        ),
      ),
    remove: (key, etag) =>
      unlessRefused(`delete ${key}`, () =>
        client.send(
          new DeleteObjectCommand({ Bucket, Key: key, ...(etag !== undefined && { IfMatch: etag }) }),
        ),
      ),
    async list(prefix, after, limit) {
      const found: { key: string; stored_at: number }[] = [];
      for (let start = after; found.length < limit; start = found.at(-1)?.key ?? '') {
        const reply = await called(`list ${prefix}`, () =>
          client.send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: prefix,
              MaxKeys: Math.min(PAGE, limit - found.length),
              // XML cannot carry every character that a key may hold.
              EncodingType: 'url',
              ...(start !== '' && { StartAfter: start }),
            }),
          ),
        );
        const plain = reply.EncodingType === 'url' ? decoded : (key: string) => key;
        for (const { Key, LastModified } of reply.Contents ?? [])
          if (Key !== undefined) found.push({ key: plain(Key), stored_at: LastModified?.getTime() ?? 0 });
        if (!reply.IsTruncated || !reply.Contents?.length) break;
      }
      return found;
    },
    async folders(prefix) {
      const found: string[] = [];
      for (let start = ''; ; start = found.at(-1) ?? '') {
        const reply = await called(`list ${prefix}`, () =>
          client.send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: prefix,
              Delimiter: '/',
              EncodingType: 'url',
              ...(start !== '' && { StartAfter: start }),
            }),
          ),
        );
        const plain = reply.EncodingType === 'url' ? decoded : (key: string) => key;
        for (const { Prefix } of reply.CommonPrefixes ?? [])
          if (Prefix !== undefined) found.push(plain(Prefix));
        if (!reply.IsTruncated || !reply.CommonPrefixes?.length) return found;
      }
    },
  };
  return objects;
}

const decoded = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

const headOf = (reply: {
  ETag?: string | undefined;
  ContentLength?: number | undefined;
  Metadata?: Record<string, string> | undefined;
}): ObjectHead => ({
  etag: reply.ETag ?? '',
  size: reply.ContentLength ?? 0,
  metadata: reply.Metadata ?? {},
});

const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';

/** 412, and 404 where the condition names an object that is no longer there. */
const isRefusal = (error: unknown): boolean => statusOf(error) === 412 || isAbsent(error);

const unlessAbsent = <Answer>(what: string, call: () => Promise<Answer>): Promise<Answer | undefined> =>
  called(what, async () => {
    try {
      return await call();
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  });

const unlessRefused = (what: string, call: () => Promise<unknown>): Promise<boolean> =>
  called(what, async () => {
    try {
      await call();
      return true;
    } catch (error) {
      if (isRefusal(error) || statusOf(error) === 409) return false;
      throw error;
    }
  });
