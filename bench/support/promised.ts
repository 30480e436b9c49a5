import type { Promised } from './check-by-api.ts';
import type { PushOutcome } from './push-process.ts';
import { acceptableText, type StagedFile } from './stage-files.ts';

/** What the two pushes were answered, and which bytes belong where. */
export async function promisesOf(
  staged: readonly StagedFile[],
  pushes: readonly PushOutcome[],
): Promise<Promised> {
  const absolute = new Map(staged.map((file) => [file.origin, file.absolute]));
  const ids = new Set<string>();
  const texts = new Map<string, string>();
  for (const { origin, path, id } of pushes.flatMap(({ results }) => results)) {
    if (id === undefined) continue;
    ids.add(id);
    texts.set(path, (await acceptableText(absolute.get(origin)!)) ?? '');
  }
  return { ids, texts };
}

/**
 * What of the pushes is not as it must be: after the second every file is taken in and decided, but for those that KnowHub
 * must refuse; and both pushes tell the same item of the same file.
 */
export async function wronglyAnswered(
  staged: readonly StagedFile[],
  [first, second]: readonly [PushOutcome, PushOutcome],
): Promise<string[]> {
  const earlier = new Map(first.results.map(({ origin, id }) => [origin, id]));
  const later = new Map(second.results.map((result) => [result.origin, result]));
  const wrong: string[] = [];
  for (const { origin, absolute } of staged) {
    const result = later.get(origin);
    const refused = result?.decision === 'failed';
    const acceptable = (await acceptableText(absolute)) !== undefined;
    if (!result) wrong.push(`1 ${origin} was not pushed`);
    else if (refused && acceptable) wrong.push(`1 ${origin} was refused: ${result.why}`);
    else if (!refused && !acceptable) wrong.push(`0 ${origin} was taken in, and is no text`);
    else if (result.decision === 'waiting') wrong.push(`1 ${origin} was not decided: ${result.why}`);
    const before = earlier.get(origin);
    if (before !== undefined && result?.id !== before)
      wrong.push(`2 ${origin} was ${before}, and pushed again ${result?.id}`);
  }
  return wrong;
}
