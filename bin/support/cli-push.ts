import { KnowHubError } from '#lib/core/errors.ts';
import { LIMITS, utf8Bytes } from '#lib/core/limits.ts';
import { awaitDecisions, type Waiting } from './cli-decide.ts';
import { countResults, type PushedFile, type PushFacts } from './cli-facts.ts';
import { handOver, pathOf } from './cli-large.ts';
import { isDecided, UploadReply } from './cli-replies.ts';
import { ApiFault, type Client, Unreachable } from './client.ts';
import type { Progress } from './progress.ts';
import { type Folder, type FolderFile, loadText } from './push-folder.ts';

export interface PushOptions {
  client: Client;
  concurrency: number;
  wait: boolean;
  timeout_s: number;
  /** Ctrl-C: what is known by then is told. */
  signal: AbortSignal;
  progressOf: (label: string, total: number) => Progress;
}

/**
 * Uploads the files of a folder, several at once, and waits for what is decided of them. A file that fails stops no
 * other. Throws `Unreachable` where nobody answered from the start.
 */
export async function pushFolder(
  path: string,
  { files, skipped, unreadable }: Folder,
  options: PushOptions,
): Promise<PushFacts> {
  const { client, concurrency, signal, progressOf } = options;
  const started = performance.now();
  const uploaded = new Map<FolderFile, Kept>();
  const uploading = progressOf('uploaded', files.length);
  let gone: Unreachable | undefined;
  await eachOf(files, concurrency, async (file) => {
    if (signal.aborted) return;
    const result = gone ? failure(file, gone) : await upload(client, file);
    if (result.kind === 'interrupted') return;
    if (result.kind === 'unreachable') {
      if (!result.error.ever) throw result.error;
      gone = result.error;
      uploaded.set(file, failure(file, gone));
    } else uploaded.set(file, result);
    uploading.step();
  }).finally(() => uploading.end());

  const waiting = [...uploaded.values()].flatMap((each) => (each.kind === 'waiting' ? [each.waiting] : []));
  const decided = options.wait ? await decide(waiting, options) : new Map<Waiting, PushedFile>();
  const results = files.flatMap((file) => {
    const each = uploaded.get(file);
    if (!each) return [];
    if (each.kind === 'done') return [each.result];
    return [decided.get(each.waiting) ?? each.waiting.result];
  });
  const missing = unreadable.map(({ origin, why }) => failed({ origin, path: '' }, why));
  const all = [...results, ...missing];
  return {
    url: client.url,
    folder: path,
    files: files.length,
    results: all,
    skipped,
    kinds: countResults(all),
    interrupted: signal.aborted,
    elapsed_ms: Math.round(performance.now() - started),
  };
}

async function decide(
  waiting: readonly Waiting[],
  { client, concurrency, timeout_s, signal, progressOf }: PushOptions,
): Promise<Map<Waiting, PushedFile>> {
  const progress = progressOf('decided', waiting.length);
  try {
    return await awaitDecisions(client, waiting, {
      concurrency,
      timeout_ms: timeout_s * 1000,
      signal,
      step: () => progress.step(),
    });
  } finally {
    progress.end();
  }
}

type Kept = { kind: 'done'; result: PushedFile } | { kind: 'waiting'; waiting: Waiting };

type Uploaded = Kept | { kind: 'unreachable'; error: Unreachable } | { kind: 'interrupted' };

async function upload(client: Client, file: FolderFile): Promise<Uploaded> {
  const loaded = await loadText(file.absolute, LIMITS.document_bytes_inbox);
  if (loaded.kind !== 'text') return failure(file, loaded.why);
  try {
    return utf8Bytes(loaded.text) > LIMITS.document_bytes_api
      ? await uploadLarge(client, file, loaded.text)
      : await uploadSmall(client, file, loaded.text);
  } catch (error) {
    if (error instanceof Unreachable) return { kind: 'unreachable', error };
    if (error instanceof KnowHubError) return failure(file, error);
    if (error instanceof Error && error.name === 'AbortError') return { kind: 'interrupted' };
    throw error;
  }
}

async function uploadSmall(client: Client, file: FolderFile, content: string): Promise<Uploaded> {
  const { origin, category, filename } = file;
  const body = { category, filename, content };
  const { reply, unsure } = await client.json({ method: 'POST', path: '/api/documents', body }, UploadReply);
  const { id, path, status, warnings, generated, stand_ins } = reply;
  const result = { origin, path, id, status, relations: [], warnings, generated, generated_by: stand_ins };
  // After a lost answer it may be this very push that put the bytes there.
  const unchanged = reply.unchanged && !unsure && isDecided(status);
  if (unchanged) return { kind: 'done', result: { ...result, decision: 'unchanged' } };
  return { kind: 'waiting', waiting: { result: { ...result, decision: 'waiting' } } };
}

async function uploadLarge(client: Client, file: FolderFile, text: string): Promise<Uploaded> {
  const handed = await handOver(client, file, text).catch((error: unknown) => {
    if (error instanceof ApiFault && (error.status === 405 || error.status === 404))
      return {
        kind: 'refused',
        why: `too large: the server takes ${LIMITS.document_bytes_api} bytes`,
      } as const;
    throw error;
  });
  if (handed.kind === 'refused') return failure(file, handed.why);
  const result = { ...nothingOf(file), path: pathOf(file) };
  if (handed.kind === 'same') {
    const { id, status } = handed;
    return { kind: 'done', result: { ...result, id, status, decision: 'unchanged' } };
  }
  return { kind: 'waiting', waiting: { result: { ...result, decision: 'waiting' }, handed } };
}

const nothingOf = ({ origin }: Pick<FolderFile, 'origin'>) => ({
  origin,
  relations: [],
  generated: [],
  generated_by: [],
  warnings: [],
});

function failure(file: FolderFile, why: KnowHubError | string): { kind: 'done'; result: PushedFile } {
  const named = { origin: file.origin, path: pathOf(file) };
  if (typeof why === 'string') return { kind: 'done', result: failed(named, why) };
  const { message, code, field } = why;
  return {
    kind: 'done',
    result: { ...failed(named, message), code, ...(field !== undefined && { field }) },
  };
}

const failed = (named: { origin: string; path: string }, why: string): PushedFile => ({
  ...nothingOf(named),
  path: named.path,
  decision: 'failed',
  why,
});

/** Works on all of them, `width` at once. What is thrown lets the rest be. */
export async function eachOf<Value>(
  values: Iterable<Value>,
  width: number,
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const left = values[Symbol.iterator]();
  let broken = false;
  const worker = async () => {
    for (let next = left.next(); !next.done && !broken; next = left.next())
      await work(next.value).catch((error: unknown) => {
        broken = true;
        throw error;
      });
  };
  await Promise.all(Array.from({ length: width }, worker));
}
