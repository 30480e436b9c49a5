import { sha256 } from '#lib/core/normalise.ts';
import type { Mirror } from '#lib/ports.ts';

export function createMemoryMirror(): Mirror {
  const objects = new Map<string, { item_id: string; text: string; etag: string }>();
  return {
    async head(path) {
      const object = objects.get(path);
      return object && { etag: object.etag, item_id: object.item_id };
    },
    async read(path) {
      return objects.get(path)?.text;
    },
    async put(path, item_id, text, etag) {
      if (objects.get(path)?.etag !== etag) return false;
      // As on S3, the ETag is a hash of the bytes alone: A → B → A ends with A's.
      objects.set(path, { item_id, text, etag: sha256(text) });
      return true;
    },
    async remove(path, etag) {
      return objects.get(path)?.etag === etag ? objects.delete(path) : false;
    },
    async list(after, limit) {
      return [...objects.keys()]
        .filter((path) => path > after)
        .sort()
        .slice(0, limit);
    },
  };
}
