import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { INBOX, type QuarantineReport, quarantineKeys } from '#lib/core/inbox.ts';
import { LIMITS } from '#lib/core/limits.ts';

/** A file of the folder while it is on its way. */
interface Dropped {
  /** Size and time of change: another one is another file. */
  version: string;
  /** When it was put into the bucket; `undefined` = seen once, it may still be written. */
  sent_at?: number;
}

/**
 * A folder as an inbox for people: each call looks at it once. A file that has not changed since the last look is put
 * into the bucket's inbox; when the system has taken it from there it is removed here, or moved into quarantine with the
 * report beside it. One that changed meanwhile stays and goes the same way again.
 */
export function createDropFolder(
  s3: S3Client,
  bucket: string,
  folders: { inbox: string; quarantine: string },
): () => Promise<void> {
  const known = new Map<string, Dropped>();
  async function step(path: string, version: string): Promise<void> {
    const before = known.get(path);
    if (before?.version !== version) known.set(path, { version });
    else if (before.sent_at === undefined) await send(path, before);
    else if (await settle(path, before, before.sent_at)) known.delete(path);
  }

  async function send(path: string, file: Dropped): Promise<void> {
    const local = join(folders.inbox, path);
    const { size } = await stat(local);
    const limit = LIMITS.document_bytes_inbox;
    if (size > limit) {
      const why = `the file has ${size} bytes; the limit is ${limit}`;
      await quarantine(path, {
        key: keyOf(path),
        why,
        field: 'content',
        at: new Date().toISOString(),
        request_id: '',
      });
      return;
    }
    const sent_at = Date.now();
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(path), Body: await readFile(local) }));
    file.sent_at = sent_at;
  }

  /** Whether the system has done with it. */
  async function settle(path: string, { version }: Dropped, sent_at: number): Promise<boolean> {
    if (await isThere(keyOf(path))) return false;
    if ((await versionOf(join(folders.inbox, path))) !== version) return true;
    const report = await reportOf(keyOf(path));
    if (report && Date.parse(report.at) >= sent_at) await quarantine(path, report);
    else await rm(join(folders.inbox, path), { force: true });
    return true;
  }

  async function quarantine(path: string, report: QuarantineReport): Promise<void> {
    const to = join(folders.quarantine, path);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(`${to}.error.json`, `${JSON.stringify(report, null, 2)}\n`);
    // At last: a run that is killed before it finds the file in the inbox again.
    await rename(join(folders.inbox, path), to);
  }

  const isThere = (Key: string): Promise<boolean> =>
    unlessAbsent(async () => {
      await s3.send(new HeadObjectCommand({ Bucket: bucket, Key }));
      return true;
    }, false);

  const reportOf = (key: string): Promise<QuarantineReport | undefined> =>
    unlessAbsent(async () => {
      const { Body } = await s3.send(
        new GetObjectCommand({ Bucket: bucket, Key: quarantineKeys(key).report }),
      );
      return JSON.parse((await Body?.transformToString()) ?? '') as QuarantineReport;
    }, undefined);

  return async () => {
    const there = await filesIn(folders.inbox);
    for (const path of known.keys()) if (!there.has(path)) known.delete(path);
    const failed: unknown[] = [];
    for (const [path, version] of there)
      await step(path, version).catch((error: unknown) => {
        failed.push(`${path}: ${String(error)}`);
      });
    if (failed.length > 0) throw new Error(failed.join('; '));
  };
}

const keyOf = (path: string): string => INBOX + path.split(sep).join('/');

/** What a system or an editor keeps for itself. */
const HIDDEN = /(^|[\\/])[.~]|[~#]$/;

/** Versions by path below the folder, which is made if need be. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  await mkdir(folder, { recursive: true });
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (!entry.isFile() || HIDDEN.test(path)) continue;
    const version = await versionOf(join(folder, path));
    if (version !== undefined) files.set(path, version);
  }
  return files;
}

/** `undefined` = gone meanwhile. */
async function versionOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && `${found.size} ${found.mtimeMs}`;
}

async function unlessAbsent<Value>(ask: () => Promise<Value>, absent: Value): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return absent;
    throw error;
  }
}
