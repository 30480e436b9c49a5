import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ARTIFACTS, type Artifact, FOLDER, KNN, type Progress, SERVER } from './artifacts.ts';
import { programPath, run } from './command.ts';

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy';
const HEARTBEAT_MS = 10_000;

/**
 * The home of an OpenSearch with k-NN, fetched by Maven on the first call and kept in `cache` (default
 * `~/.cache/knowhub/opensearch-3.5.0`, or `KNOWHUB_OPENSEARCH_CACHE`).
 */
export async function fetchOpenSearch(progress: Progress, cache?: string): Promise<string> {
  const folder = cache ?? process.env.KNOWHUB_OPENSEARCH_CACHE ?? (await defaultCache());
  const home = join(folder, 'server');
  if (await exists(home)) return home;
  const work = join(folder, `work-${process.pid}`);
  try {
    await mkdir(work, { recursive: true });
    for (const artifact of ARTIFACTS) await download(artifact, work, progress);
    progress(`unpacking into ${home}`);
    await unpack(join(work, SERVER.file), work);
    const unpacked = join(work, FOLDER);
    const plugin = join(unpacked, 'plugins', 'opensearch-knn');
    await mkdir(plugin, { recursive: true });
    await unpack(join(work, KNN.file), plugin);
    // 74 MB that no test needs.
    await rm(join(unpacked, 'modules', 'ingest-geoip'), { recursive: true, force: true });
    // In one step, so that a folder of that name is whole; another run may have been first.
    await rename(unpacked, home).catch(async (error: unknown) => {
      if (!(await exists(home))) throw error;
    });
    return home;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(
  { coordinates, file, sha256, megabytes }: Artifact,
  folder: string,
  progress: Progress,
) {
  if (!(await programPath('mvn')))
    throw new Error('OpenSearch is fetched by Maven, and there is no mvn on the PATH: install Maven.');
  progress(`fetching ${coordinates} (${megabytes} MB) by Maven`);
  const started = Date.now();
  const heartbeat = setInterval(
    () => progress(`still fetching ${file}, ${Math.round((Date.now() - started) / 1000)} s`),
    HEARTBEAT_MS,
  );
  try {
    await run('mvn', ['-B', '-q', COPY, `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`], {
      cwd: folder,
    });
  } catch (cause) {
    throw new Error(`OpenSearch could not be fetched: ${(cause as Error).message}`, { cause });
  } finally {
    clearInterval(heartbeat);
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, file)), hash);
  const sum = hash.digest('hex');
  if (sum !== sha256) throw new Error(`${file} is not the file we know: sha256 ${sum}, expected ${sha256}`);
}

async function unpack(zip: string, folder: string): Promise<void> {
  if (await programPath('unzip')) await run('unzip', ['-q', '-o', zip, '-d', folder]);
  else if (await programPath('jar')) await run('jar', ['xf', zip], { cwd: folder });
  else throw new Error('Neither unzip nor jar is on the PATH: install one of them to unpack OpenSearch.');
}

/** Root's server runs as nobody, who must be able to reach it: a closed home folder will not do. */
async function defaultCache(): Promise<string> {
  const home = join(homedir(), '.cache', 'knowhub', FOLDER);
  const open = process.getuid?.() !== 0 || (await isOpenToAll(homedir()));
  return open ? home : join('/var/cache/knowhub', FOLDER);
}

async function isOpenToAll(folder: string): Promise<boolean> {
  if (((await stat(folder)).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isOpenToAll(dirname(folder));
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
