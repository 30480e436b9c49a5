import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { parseRow } from '#lib/adapters/aws/dynamodb/rows.ts';
import { openTable } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import type { TaskVectors } from '#lib/adapters/aws/vectors.ts';
import type { TaskVector } from '#lib/core/rows.ts';

const PART = 'vector';
const key = (id: string) => ({ id, part: PART });

const StoredVector = z.strictObject({
  id: z.string(),
  part: z.literal(PART),
  model: z.string(),
  vector: z.instanceof(Uint8Array),
  sketch: z.instanceof(Uint8Array),
});

/** Task vectors on DynamoDB: part `vector` of an item, numbers as 4 little-endian bytes each. */
export function createDynamoTaskVectors(client: DynamoDBDocumentClient, names: TableNames): TaskVectors {
  const table = openTable(client, names.items);
  return {
    async saveTask({ id, model, vector, sketch }) {
      const blobs = { vector: bytesOf(Float32Array.from(vector)), sketch: bytesOf(Uint32Array.from(sketch)) };
      await table.put({ ...key(id), model, ...blobs });
    },
    async tasks(ids) {
      const rows = await table.getMany([...new Set(ids)].map(key));
      return rows.map((row): TaskVector => {
        const { id, model, vector, sketch } = parseRow(StoredVector, row, `vector of ${row.id}`);
        return {
          id,
          model,
          vector: [...new Float32Array(bufferOf(vector))],
          sketch: [...new Uint32Array(bufferOf(sketch))],
        };
      });
    },
    async erase(id) {
      await table.remove(key(id));
    },
  };
}

// Typed arrays are little-endian on every processor that Node and Lambda run on.
const bytesOf = ({ buffer }: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) => new Uint8Array(buffer);

/** A copy: the bytes that came may begin anywhere in their buffer, and numbers must begin at a multiple of 4. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
