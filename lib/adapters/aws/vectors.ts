import type { SectionVectors } from '#lib/adapters/aws/s3/section-vectors.ts';
import type { TaskVector } from '#lib/core/rows.ts';
import type { Vectors } from '#lib/ports.ts';

/** Vectors of items' tasks, by item: the half of the Vectors port that lies in DynamoDB beside the item's row. */
export interface TaskVectors {
  saveTask(vector: TaskVector): Promise<void>;
  /** Strongly consistent; ids without one are left out; a cut answer throws `Partial`. */
  tasks(ids: readonly string[]): Promise<TaskVector[]>;
  erase(id: string): Promise<void>;
}

/** The Vectors port: sections in S3, tasks in DynamoDB. */
export function createVectors(sections: SectionVectors, tasks: TaskVectors): Vectors {
  return {
    saveTask: (vector) => tasks.saveTask(vector),
    tasks: (ids) => tasks.tasks(ids),
    saveSections: (id, model, vectors) => sections.saveSections(id, model, vectors),
    sections: (id, model) => sections.sections(id, model),
    listSections: (after, limit) => sections.listSections(after, limit),
    async erase(id) {
      await Promise.all([tasks.erase(id), sections.erase(id)]);
    },
  };
}
