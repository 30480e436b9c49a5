import type { SectionVector, TaskVector } from '#lib/core/rows.ts';
import type { Vectors } from '#lib/ports.ts';

export function createMemoryVectors(): Vectors {
  const tasks = new Map<string, TaskVector>();
  const sections = new Map<string, Map<string, SectionVector[]>>();
  return {
    async saveTask(vector) {
      tasks.set(vector.id, vector);
    },
    async tasks(ids) {
      return ids.map((id) => tasks.get(id)).filter((vector) => vector !== undefined);
    },
    async saveSections(id, model, vectors) {
      sections.set(id, (sections.get(id) ?? new Map()).set(model, vectors));
    },
    async sections(id, model) {
      return sections.get(id)?.get(model);
    },
    async listSections(after, limit) {
      return [...sections]
        .flatMap(([id, models]) => [...models.keys()].map((model) => ({ id, place: `${model}/${id}` })))
        .filter(({ place }) => place > after)
        .sort((a, b) => (a.place < b.place ? -1 : 1))
        .slice(0, limit);
    },
    async erase(id) {
      tasks.delete(id);
      sections.delete(id);
    },
  };
}
