import type { S3Client } from '@aws-sdk/client-s3';
import { createObjects } from '#lib/adapters/aws/s3/objects.ts';
import { Unclear } from '#lib/core/errors.ts';

/** Documents' bytes at `bodies/{id}.md`: the half of the Bodies port that lies in S3. */
export interface DocumentBodies {
  put(id: string, text: string): Promise<void>;
  get(id: string): Promise<string | undefined>;
  getMany(ids: readonly string[]): Promise<Map<string, string>>;
  erase(id: string): Promise<void>;
  list(after: string, before: number, limit: number): Promise<string[]>;
}

const PREFIX = 'bodies/';
const SUFFIX = '.md';
/** Objects read at a time. */
const AT_ONCE = 20;
const PAGE = 1000;

const keyOf = (id: string): string => `${PREFIX}${id}${SUFFIX}`;
// A byte-order mark belongs to the author's bytes.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function createS3DocumentBodies(client: S3Client, bucket: string): DocumentBodies {
  const objects = createObjects(client, bucket);
  const get = async (id: string): Promise<string | undefined> => {
    const object = await objects.get(keyOf(id));
    return object?.bytes && decoder.decode(object.bytes);
  };
  return {
    get,
    async put(id, text) {
      const outcome = await objects.put(keyOf(id), text, {
        content_type: 'text/markdown; charset=utf-8',
        only_if: 'absent',
      });
      // Either write may have won, or none: the caller asks again.
      if (outcome === 'conflict') throw new Unclear(`body ${id}: another write was under way`);
    },
    async getMany(ids) {
      const wanted = [...new Set(ids)];
      const found = new Map<string, string>();
      for (let from = 0; from < wanted.length; from += AT_ONCE) {
        const page = wanted.slice(from, from + AT_ONCE);
        const texts = await Promise.all(page.map(get));
        for (const [n, text] of texts.entries()) if (text !== undefined) found.set(page[n]!, text);
      }
      return found;
    },
    async erase(id) {
      await objects.remove(keyOf(id));
    },
    async list(after, before, limit) {
      const found: string[] = [];
      let start = after === '' ? '' : keyOf(after);
      while (found.length < limit) {
        const page = await objects.list(PREFIX, start, PAGE);
        for (const { key, stored_at } of page)
          if (stored_at < before) found.push(key.slice(PREFIX.length, -SUFFIX.length));
        if (page.length < PAGE) break;
        start = page.at(-1)!.key;
      }
      return found.slice(0, limit);
    },
  };
}
