import { LIMITS } from '#lib/core/limits.ts';
import type { Counts } from './counting-ports.ts';
import { countKinds, type DecisionFact, decisionFact } from './decisions.ts';
import type { DemoStores, StoresKind } from './demo-stores.ts';
import { type LocalSystem, workOff } from './local-instance.ts';
import { type MapFact, mapFact } from './map-fact.ts';
import type { Progress } from './progress.ts';
import { titleOf, type UploadResult, uploadFile } from './push-files.ts';
import { type Folder, isSameAsFile, type Skipped } from './push-folder.ts';

/** What came of a folder. */
export interface FolderFacts {
  stores: StoresKind;
  stand_ins: { embedder: string; writer: string };
  files: number;
  skipped: Skipped[];
  refused: { origin: string; why: string }[];
  /** Files and folders that went wrong on our side, items that were not decided, bodies that read back otherwise: none in a good run. */
  failed: { origin: string; why: string }[];
  decisions: DecisionFact[];
  kinds: Record<string, number>;
  map: MapFact;
  bodies: { read_back: number; same: number };
  counts: Counts;
  elapsed_ms: number;
}

type Uploaded = Extract<UploadResult, { kind: 'uploaded' }>;

export const WORKERS = 8;

/** Pushes a folder through the whole pipeline: uploads, then decisions by eight workers, then the domains' texts. */
export async function runFolder(
  stores: DemoStores,
  { files, skipped, unreadable }: Folder,
  progressOf: (label: string, total: number) => Progress,
): Promise<{ system: LocalSystem; facts: FolderFacts }> {
  const started = performance.now();
  const system = await stores.open();
  const results: UploadResult[] = [];
  const uploading = progressOf('uploaded', files.length);
  for (const file of files) {
    results.push(await uploadFile(system.instance, file, LIMITS.document_bytes_inbox));
    uploading.step();
  }
  uploading.end();
  const uploaded = results.filter((result): result is Uploaded => result.kind === 'uploaded');
  const broken = await decideAll(system, uploaded, progressOf('decided', uploaded.length));
  await system.instance.catalog.refresh();
  const counts = system.counts();
  const decisions = await Promise.all(
    uploaded.map(async ({ outcome }) =>
      decisionFact(system.instance, outcome, await titleOf(system, outcome.id)),
    ),
  );
  const unlike = await unlikeFiles(system, uploaded);
  const undecided = uploaded.filter((_, n) => decisions[n]!.decision === 'waiting');
  const { model } = system.stores;
  const facts: FolderFacts = {
    stores: stores.kind,
    stand_ins: { embedder: model.embedder.name, writer: model.writer.name },
    files: files.length,
    skipped,
    refused: outcomes(results, 'refused'),
    failed: [
      ...unreadable,
      ...outcomes(results, 'failed'),
      ...undecided.map(({ file, outcome }) => ({
        origin: file.origin,
        why: broken.get(outcome.id) ?? 'was not decided',
      })),
      ...unlike.map(({ file }) => ({
        origin: file.origin,
        why: 'what is stored is not what lies in the file',
      })),
    ],
    decisions,
    kinds: countKinds(decisions),
    map: await mapFact(system),
    bodies: { read_back: uploaded.length, same: uploaded.length - unlike.length },
    counts,
    elapsed_ms: Math.round(performance.now() - started),
  };
  return { system, facts };
}

const outcomes = (results: readonly UploadResult[], kind: 'refused' | 'failed') =>
  results.flatMap((result) =>
    result.kind === kind ? [{ origin: result.file.origin, why: result.why }] : [],
  );

/** Returns what broke, by item. */
async function decideAll(
  system: LocalSystem,
  uploaded: readonly Uploaded[],
  progress: Progress,
): Promise<Map<string, string>> {
  const mine = new Set(uploaded.map(({ outcome }) => outcome.id));
  const failures = await workOff(system, WORKERS, {
    later: true,
    done: (message) => {
      if (message.type === 'admit' && mine.delete(message.item_id)) progress.step();
    },
  });
  progress.end();
  return new Map(
    failures.map(({ message, error }) => [
      message.type === 'admit' ? message.item_id : message.domain_id,
      String(error),
    ]),
  );
}

async function unlikeFiles({ stores }: LocalSystem, uploaded: readonly Uploaded[]): Promise<Uploaded[]> {
  const unlike: Uploaded[] = [];
  for (const each of uploaded)
    if (!(await isSameAsFile(each.file.absolute, await stores.bodies.get(each.outcome.id, 'document'))))
      unlike.push(each);
  return unlike;
}
