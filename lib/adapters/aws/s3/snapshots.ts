import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { createObjects } from '#lib/adapters/aws/s3/objects.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { Snapshots } from '#lib/ports.ts';

const PREFIX = 'catalog/';
const KEY = /^catalog\/(\d+)\/(\d+)$/;
/** Wide enough for any position, so that keys sort as positions do. */
const DIGITS = 16;
/** More than are ever kept: two of each schema. */
const LISTED = 1000;

/** S3's metadata: how many bytes they are when they are not compressed. */
const LENGTH = 'length';

/** zlib takes no smaller piece than 64 bytes. */
const MORE = 64;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const keyOf = (schema: number, position: number): string =>
  `${PREFIX}${schema}/${String(position).padStart(DIGITS, '0')}`;

/** The Snapshots port on S3: `catalog/{schema}/{position}`, compressed to a fifth. */
export function createS3Snapshots(client: S3Client, bucket: string): Snapshots {
  const objects = createObjects(client, bucket);
  return {
    async list() {
      const found = (await objects.list(PREFIX, '', LISTED)).flatMap(({ key }) => {
        const [, schema, position] = KEY.exec(key) ?? [];
        return schema === undefined ? [] : [{ schema: Number(schema), position: Number(position) }];
      });
      return found.sort((a, b) => a.schema - b.schema || a.position - b.position);
    },
    async get(schema, position) {
      const object = await objects.get(keyOf(schema, position));
      if (!object?.bytes) return undefined;
      // Into one piece that holds them all: else all pieces lie there twice when they are joined.
      return decompress(object.bytes, { chunkSize: Number(object.metadata[LENGTH] ?? 0) + MORE });
    },
    async put(schema, position, bytes) {
      const outcome = await objects.put(keyOf(schema, position), await compress(bytes), {
        content_type: 'application/zstd',
        metadata: { [LENGTH]: String(bytes.length) },
      });
      if (outcome === 'conflict') throw new Unclear(`snapshot ${position}: another write was under way`);
    },
    async remove(schema, position) {
      await objects.remove(keyOf(schema, position));
    },
  };
}
