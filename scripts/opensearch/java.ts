import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.ts';

const OLDEST = 21;
const FOLDERS = ['/usr/lib/jvm', '/usr/local/lib/jvm', '/opt/java', '/Library/Java/JavaVirtualMachines'];

/** The home of the newest Java here, which must be 21 or later. */
export async function javaHome(): Promise<string> {
  const installed = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => []);
      return names.flatMap((name) => [join(folder, name), join(folder, name, 'Contents', 'Home')]);
    }),
  );
  const named = process.env.JAVA_HOME ? [process.env.JAVA_HOME] : [];
  const homes = await Promise.all(
    [...new Set([...named, ...installed.flat()])].map(async (home) => ({
      home,
      version: await javaVersion(join(home, 'bin', 'java')),
    })),
  );
  const [newest] = homes.sort((a, b) => b.version - a.version);
  if (newest && newest.version >= OLDEST) return newest.home;
  const found = homes
    .filter(({ version }) => version > 0)
    .map(({ home, version }) => `${version} in ${home}`);
  throw new Error(
    `OpenSearch needs Java ${OLDEST} or later; found: ${found.join(', ') || 'none'}. Set JAVA_HOME, or install one under /usr/lib/jvm.`,
  );
}

/** `java version "25.0.1"` → 25; 0 if it does not run. */
async function javaVersion(java: string): Promise<number> {
  const output = await run(java, ['-version']).catch(() => '');
  return Number(/version "(\d+)/.exec(output)?.[1] ?? 0);
}
