import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { BUNDLING } from '#lib/infra/bundling.ts';

const PROJECT = join(import.meta.dirname, '../..');
export const FUNCTIONS_FOLDER = join(PROJECT, 'functions');

/** One function as it is deployed. */
export interface Bundle {
  name: string;
  file: string;
  /** Minified, as the function loads it; without its source map. */
  bytes: number;
  /** What it is made of, the largest first: bytes of each source that are left in it. */
  inputs: { path: string; bytes: number }[];
}

/** Bundles a function exactly as the stack does, into `folder/name/index.mjs`. */
export async function bundleFunction(name: string, folder: string): Promise<Bundle> {
  const file = join(folder, name, 'index.mjs');
  const { metafile } = await build({
    ...BUNDLING,
    entryPoints: [join(FUNCTIONS_FOLDER, name, 'handler.ts')],
    absWorkingDir: PROJECT,
    outfile: file,
    metafile: true,
    logLevel: 'error',
  });
  const output = metafile.outputs[relative(PROJECT, file)];
  if (!output) throw new Error(`esbuild wrote no ${file}`);
  const inputs = Object.entries(output.inputs)
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((one, other) => other.bytes - one.bytes);
  return { name, file, bytes: output.bytes, inputs };
}
