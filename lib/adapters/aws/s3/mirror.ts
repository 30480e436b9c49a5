import type { S3Client } from '@aws-sdk/client-s3';
import { createObjects } from '#lib/adapters/aws/s3/objects.ts';
import type { Mirror } from '#lib/ports.ts';

const PREFIX = 'knowledge_base/';
/** S3 keeps metadata in lower case, and in ASCII. */
const ITEM_ID = 'item-id';

const keyOf = (path: string): string => PREFIX + path;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The Mirror port on S3. Writes are conditional on the ETag read, which is a hash of the bytes alone: A → B → A has A's. */
export function createS3Mirror(client: S3Client, bucket: string): Mirror {
  const objects = createObjects(client, bucket);
  return {
    async head(path) {
      const head = await objects.head(keyOf(path));
      return head && { etag: head.etag, item_id: head.metadata[ITEM_ID] ?? '' };
    },
    async read(path) {
      const object = await objects.get(keyOf(path));
      return object?.bytes && decoder.decode(object.bytes);
    },
    async put(path, item_id, text, etag) {
      const outcome = await objects.put(keyOf(path), text, {
        content_type: 'text/markdown; charset=utf-8',
        metadata: { [ITEM_ID]: item_id },
        only_if: etag === undefined ? 'absent' : { etag },
      });
      return outcome === 'done';
    },
    remove: (path, etag) => objects.remove(keyOf(path), etag),
    async list(after, limit) {
      const page = await objects.list(PREFIX, after === '' ? '' : keyOf(after), limit);
      return page.map(({ key }) => key.slice(PREFIX.length));
    },
  };
}
