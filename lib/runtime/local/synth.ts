import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

/** What the template is made from; a change of any of it makes it anew. */
const SOURCES = ['bin/app.ts', 'cdk.json', 'package-lock.json', 'lib', 'functions', 'prompts'];
const TIMEOUT_MS = 60_000;

const run = promisify(execFile);

/**
 * The stack's template, synthesised without bundling and without the network; one made from the same sources before is
 * taken from `data`. Throws when the stack cannot be synthesised.
 */
export async function synthesise(root: string, data: string): Promise<unknown> {
  const cached = join(data, 'template', `${await fingerprint(root)}.json`);
  const kept = await readFile(cached, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept);
  const template = await fresh(root, data);
  await rm(join(data, 'template'), { recursive: true, force: true });
  await mkdir(join(data, 'template'), { recursive: true });
  // Whole or not at all: a run that is killed here must not leave half of it.
  await writeFile(`${cached}.part`, JSON.stringify(template));
  await rename(`${cached}.part`, cached);
  return template;
}

async function fresh(root: string, data: string): Promise<unknown> {
  const output = join(data, 'cdk.out');
  await rm(output, { recursive: true, force: true });
  const { PATH, HOME, TMPDIR } = process.env;
  try {
    await run(process.execPath, [join(root, 'bin/app.ts')], {
      cwd: root,
      timeout: TIMEOUT_MS,
      env: {
        PATH,
        HOME,
        TMPDIR,
        CDK_OUTDIR: output,
        CDK_CONTEXT_JSON: await context(root),
        // Half of the time, for what a deployment checks.
        CDK_VALIDATION: 'false',
      },
    });
    const names = (await readdir(output)).filter((name) => name.endsWith('.template.json'));
    const [name, ...more] = names;
    if (name === undefined || more.length > 0)
      throw new Error(`${names.length} templates where one was expected`);
    return JSON.parse(await readFile(join(output, name), 'utf8'));
  } catch (error) {
    const told = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new Error(`the stack cannot be synthesised: ${told || String(error)}`, { cause: error });
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

/** As the CLI passes it on, but nothing is bundled: the functions run from their sources. */
async function context(root: string): Promise<string> {
  const file = await readFile(join(root, 'cdk.json'), 'utf8').catch(() => '{}');
  return JSON.stringify({ ...JSON.parse(file).context, 'aws:cdk:bundling-stacks': [] });
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await sources(root)) {
    hash.update(`${path}\0`);
    hash.update(await readFile(join(root, path)));
  }
  return hash.digest('hex').slice(0, 32);
}

async function sources(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const source of SOURCES) {
    const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true }).catch(
      () => undefined,
    );
    if (entries === undefined) found.push(source);
    else
      for (const entry of entries)
        if (entry.isFile()) found.push(relative(root, join(entry.parentPath, entry.name)));
  }
  return found.sort();
}
