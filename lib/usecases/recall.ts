import { type Judged, type NextStep, newcomerOf, type View } from '#lib/core/admission.ts';
import { KnowHubError, ModelUnavailable, Partial } from '#lib/core/errors.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { type JudgeSource, judgeViews } from '#lib/core/judge-view.ts';
import { rankCandidates } from '#lib/core/ranking.ts';
import { isUsable, liveAfter } from '#lib/core/relevance.ts';
import type { ProjectionRow, TaskVector } from '#lib/core/rows.ts';
import { contentOf, taskVectorsOf } from '#lib/usecases/embed-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { judge } from '#lib/usecases/judge.ts';

/** No verdict from the judge: out of reach, or `unreadable` after all tries (R4.5). Only these count towards the way out. */
export class JudgeAway extends KnowHubError {
  readonly unreadable: boolean;
  constructor(message: string, unreadable: boolean, cause?: unknown) {
    super('judge_away', message, { retryable: true, cause });
    this.unreadable = unreadable;
  }
}

/**
 * Recall in full (R4.1): the nearest by task vector in the index, everything that went live after the index's W, and
 * what the engine refused; then the judge on the near ones. A partial or missing index throws, and is never read as
 * "no candidates".
 */
export async function recallAndJudge(
  instance: Instance,
  row: ItemRow,
  projection: ProjectionRow | undefined,
): Promise<View> {
  const { catalog, index, settings } = instance;
  const me = newcomerOf(row);
  const mine = await vectorOf(instance, row);
  const { physical, W, parked } = projection ?? { physical: '', W: 0, parked: [] };
  const nearest =
    physical !== '' ? await index.nearest(physical, mine.vector, settings.recall_k, me.scopes) : [];
  // From here to the list of ids nothing may wait: the look counts for this position of the fold.
  const f = catalog.fold;
  const judged = f.position;
  const found = [...nearest.map(({ id }) => id), ...parked].filter((id) => {
    const x = f.items.get(id);
    return isLiveState(x) && isUsable(x, me);
  });
  const ids = new Set([...found, ...liveAfter(f, me, W).map(({ id }) => id)]);
  return { judged, ...(await weigh(instance, row, mine, [...ids])) };
}

/** Judges what went live since the last look, and keeps what was judged before and still holds. */
export async function judgeNewlyLive(
  instance: Instance,
  row: ItemRow,
  view: View,
  { position, newly_live, standing }: Extract<NextStep, { do: 'judge' }>,
): Promise<View> {
  const mine = await vectorOf(instance, row);
  const { relations, model } = await weigh(instance, row, mine, newly_live);
  return { judged: position, relations: new Map([...standing, ...relations]), model: model ?? view.model };
}

async function vectorOf(instance: Instance, row: ItemRow): Promise<TaskVector> {
  const [mine] = await taskVectorsOf(instance, [row]);
  // Its text was stored before its row: judged without it, it would be admitted as if it said nothing.
  if (!mine) throw new Partial(`the text of ${row.id} cannot be read`);
  return mine;
}

/** Of these items those whose task is near enough, ranked and cut, as the judge relates the newcomer to them. */
async function weigh(
  instance: Instance,
  row: ItemRow,
  mine: TaskVector,
  ids: readonly string[],
): Promise<{ relations: Map<string, Judged>; model?: string }> {
  const { items, settings } = instance;
  const vectors = await vectorsOf(instance, ids);
  const near = rankCandidates(mine, vectors, settings.similarity_floor, settings.max_candidates);
  if (near.length === 0) return { relations: new Map() };
  const rows = new Map((await items.getMany(near.map(({ id }) => id))).map((stored) => [stored.id, stored]));
  const candidates = near.map(({ id }) => rows.get(id)).filter((stored) => stored !== undefined);
  return askJudge(
    instance,
    row,
    candidates.filter(({ status }) => status !== 'removed'),
  );
}

/** Rows are read only where a vector is missing, or another model's. */
async function vectorsOf(instance: Instance, ids: readonly string[]): Promise<TaskVector[]> {
  if (ids.length === 0) return [];
  const usable = (await instance.vectors.tasks(ids)).filter(
    ({ model }) => model === instance.model.embedder.name,
  );
  if (usable.length === ids.length) return usable;
  const known = new Set(usable.map(({ id }) => id));
  const rows = await instance.items.getMany(ids.filter((id) => !known.has(id)));
  return [
    ...usable,
    ...(await taskVectorsOf(
      instance,
      rows.filter(({ status }) => status !== 'removed'),
    )),
  ];
}

async function askJudge(
  instance: Instance,
  row: ItemRow,
  candidates: readonly ItemRow[],
): Promise<{ relations: Map<string, Judged>; model?: string }> {
  const texts = await instance.bodies.getMany([row, ...candidates]);
  // A text that is gone was erased a moment ago: its item is no longer live at the head.
  const present = candidates.filter(({ id }) => texts.has(id));
  if (present.length === 0) return { relations: new Map() };
  const views = judgeViews(
    sourceOf(row, textOf(texts, row)),
    present.map((stored) => sourceOf(stored, texts.get(stored.id)!)),
    instance.settings.judge_view_budget,
  );
  const offered = present.map(({ id }, n) => ({ id, ...views.candidates[n]! }));
  const answer = await judge(instance.model)(views.newcomer, offered).catch((error: unknown) => {
    if (error instanceof ModelUnavailable) throw new JudgeAway(error.message, false, error);
    // A text that the model will not judge is judged by nobody: as with an answer that stays unreadable.
    if (error instanceof KnowHubError && !error.retryable) throw new JudgeAway(error.message, true, error);
    throw error;
  });
  if (answer.kind === 'unreadable') throw new JudgeAway(answer.problem, true);
  return {
    relations: new Map(answer.relations.map(({ to, ...relation }) => [to, relation])),
    model: answer.model,
  };
}

function textOf(texts: ReadonlyMap<string, string>, { id }: ItemRow): string {
  const text = texts.get(id);
  if (text === undefined) throw new Partial(`the text of ${id} cannot be read`);
  return text;
}

const sourceOf = (row: ItemRow, text: string): JudgeSource => ({
  kind: row.kind,
  task: row.task,
  title: row.fields.title,
  body: contentOf(row, text),
});
