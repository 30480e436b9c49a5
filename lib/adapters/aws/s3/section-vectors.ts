import type { S3Client } from '@aws-sdk/client-s3';
import { createObjects } from '#lib/adapters/aws/s3/objects.ts';
import { decodeSections, encodeSections } from '#lib/adapters/aws/s3/section-format.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { SectionVector } from '#lib/core/rows.ts';

/** Vectors of an item's sections at `vectors/{model}/{id}`: the half of the Vectors port that lies in S3. */
export interface SectionVectors {
  saveSections(id: string, model: string, sections: SectionVector[]): Promise<void>;
  sections(id: string, model: string): Promise<SectionVector[] | undefined>;
  /** Of all models, in the order of places after `after`. */
  listSections(after: string, limit: number): Promise<{ id: string; place: string }[]>;
  /** Those of all models. */
  erase(id: string): Promise<void>;
}

const PREFIX = 'vectors/';

/** A model's name may hold slashes and colons; its folder is one segment. */
const keyOf = (model: string, id: string): string => `${PREFIX}${encodeURIComponent(model)}/${id}`;

export function createS3SectionVectors(client: S3Client, bucket: string): SectionVectors {
  const objects = createObjects(client, bucket);
  return {
    async saveSections(id, model, sections) {
      const outcome = await objects.put(keyOf(model, id), encodeSections(sections), {
        content_type: 'application/octet-stream',
      });
      if (outcome === 'conflict') throw new Unclear(`vectors of ${id}: another write was under way`);
    },
    async sections(id, model) {
      const object = await objects.get(keyOf(model, id));
      return object?.bytes && decodeSections(object.bytes);
    },
    async listSections(after, limit) {
      const page = await objects.list(PREFIX, after, limit);
      return page.map(({ key }) => ({ id: key.slice(key.lastIndexOf('/') + 1), place: key }));
    },
    async erase(id) {
      const models = await objects.folders(PREFIX);
      await Promise.all(models.map((folder) => objects.remove(folder + id)));
    },
  };
}
