import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

/** Another process works on the folder. */
export class DataFolderTaken extends Error {}

const Holder = z.object({ pid: z.number(), since: z.string() });

export interface DataFolder {
  path: string;
  /** The run before was killed: what it wrote last may be half there. */
  unclean: boolean;
  /** Gives the folder back, as one that was left in order. */
  release(): void;
}

/**
 * Takes a data folder for this process alone, making it if need be. The lock is the operating system's, so it ends with
 * its process, however that ends; `lock` says which one it is. Throws `DataFolderTaken`.
 */
export function takeDataFolder(path: string): DataFolder {
  makeFolder(path);
  const lock = join(path, 'lock');
  const guard = new DatabaseSync(join(path, 'lock.guard'));
  try {
    guard.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    guard.close();
    if (!(error instanceof Error && /database is locked/.test(error.message))) throw error;
    const { pid, since } = readHolder(lock) ?? {};
    const who = pid === undefined ? 'another process' : `process ${pid}, since ${since}`;
    throw new DataFolderTaken(`the data folder ${path} is in use by ${who}`);
  }
  const unclean = readHolder(lock) !== undefined;
  writeFileSync(lock, `${JSON.stringify({ pid: process.pid, since: new Date().toISOString() })}\n`);
  return {
    path,
    unclean,
    release() {
      rmSync(lock, { force: true });
      guard.close();
    },
  };
}

/** Level by level: Node's recursive `mkdir` never ends where the file system answers ENOENT below a folder that is there (`/proc`). */
function makeFolder(path: string): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process was quicker.
    if (!isFolder()) throw error;
  }
}

function readHolder(lock: string): z.infer<typeof Holder> | undefined {
  try {
    return Holder.parse(JSON.parse(readFileSync(lock, 'utf8')));
  } catch {
    return undefined;
  }
}
