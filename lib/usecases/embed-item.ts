import { Partial } from '#lib/core/errors.ts';
import { parseFrontmatter } from '#lib/core/frontmatter.ts';
import type { ItemRow } from '#lib/core/item.ts';
import type { TaskVector } from '#lib/core/rows.ts';
import { sectionText, splitSections } from '#lib/core/sections.ts';
import { sketch } from '#lib/core/sketch.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** An item's text without its frontmatter: what is judged, split into sections and embedded. */
export const contentOf = (row: Pick<ItemRow, 'kind'>, body: string): string =>
  row.kind === 'document' ? parseFrontmatter(body).body : body;

/** Vectors are rounded to float32, as every engine returns them. */
const float32 = (vector: readonly number[]): number[] => [...Float32Array.from(vector)];

/** Embeds the item's task and stores it, beside a sketch of its content (R3.4). Throws `ModelUnavailable`. */
export async function saveTaskVector(
  { model, vectors }: Instance,
  row: Pick<ItemRow, 'id' | 'task'>,
  content: string,
): Promise<TaskVector> {
  const [vector] = await model.embed([row.task], 'passage');
  const task: TaskVector = {
    id: row.id,
    model: model.embedder.name,
    vector: float32(vector!),
    sketch: sketch(content),
  };
  await vectors.saveTask(task);
  return task;
}

/**
 * The task vectors of these items by the model in use, made anew where the stored one is missing or another model's.
 * Items whose text is gone (erased a moment ago) are left out. Throws `ModelUnavailable`.
 */
export async function taskVectorsOf(instance: Instance, rows: readonly ItemRow[]): Promise<TaskVector[]> {
  const stored = await instance.vectors.tasks(rows.map(({ id }) => id));
  const usable = stored.filter(({ model }) => model === instance.model.embedder.name);
  const known = new Set(usable.map(({ id }) => id));
  for (const row of rows.filter(({ id }) => !known.has(id))) {
    const body = await instance.bodies.get(row.id, row.kind);
    if (body !== undefined) usable.push(await saveTaskVector(instance, row, contentOf(row, body)));
  }
  return usable;
}

/** Stores the vectors of the item's sections, which must lie there before the decision that makes it live. */
export async function saveSections({ model, vectors, bodies }: Instance, row: ItemRow): Promise<void> {
  const body = await bodies.get(row.id, row.kind);
  if (body === undefined) throw new Partial(`the text of ${row.id} cannot be read`);
  const sections = splitSections(contentOf(row, body), row.fields.title || row.task);
  const embedded = await model.embed(sections.map(sectionText), 'passage');
  await vectors.saveSections(
    row.id,
    model.embedder.name,
    sections.map((section, n) => ({ ...section, vector: float32(embedded[n]!) })),
  );
}
