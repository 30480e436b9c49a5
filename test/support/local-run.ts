import { afterAll, beforeAll } from 'vitest';
import { type LocalProcess, newDataFolder, START_MS, startLocal } from '#test/support/local-process.ts';

/** A local run on a data folder of its own for the tests of a file; it is killed after them. */
export function localRun() {
  let folder: Awaited<ReturnType<typeof newDataFolder>>;
  let local: LocalProcess | undefined;
  const start = async () => {
    local = await startLocal(folder.path);
  };
  beforeAll(async () => {
    folder = await newDataFolder();
    await start();
  }, START_MS);
  afterAll(async () => {
    await local?.end('SIGKILL');
    await folder.remove();
  });
  return {
    /** The path of the data folder. */
    get data() {
      return folder.path;
    },
    get url() {
      return local!.url;
    },
    /** What the running process has said. */
    out: () => local!.out(),
    end: (signal: NodeJS.Signals) => local!.end(signal),
    /** Starts it once more on the same data, after it ended. */
    restart: start,
  };
}
