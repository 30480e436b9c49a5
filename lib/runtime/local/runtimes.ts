import type { EmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { composeRuntime } from '#lib/runtime/compose.ts';
import { parseEnv } from '#lib/runtime/env.ts';
import type { ModelVariables } from '#lib/runtime/local/models.ts';
import type { LocalOptions } from '#lib/runtime/local/options.ts';
import type { Wiring } from '#lib/runtime/local/template.ts';
import { once } from '#lib/runtime/once.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';

/** What the local run takes from its process's environment. */
export type LocalVariables = ModelVariables & {
  LOG_LEVEL?: string | undefined;
  SETTINGS?: string | undefined;
};

/** What of the functions' environment is otherwise than the stack says. */
export const overridesOf = (
  { opensearch }: LocalOptions,
  { LOG_LEVEL, SETTINGS }: LocalVariables,
): Record<string, string> => ({
  AUTH: 'none',
  PATH_ENCODING: 'encoded',
  LOG_LEVEL: LOG_LEVEL || 'WARN',
  ...(SETTINGS && { SETTINGS }),
  ...(opensearch !== undefined && { OPENSEARCH_URL: opensearch, OPENSEARCH_REPLICAS: '0' }),
});

/** A runtime a function, made when it is first asked for; the index in memory is one for all of them. */
export function createRuntimes(
  { dynamo, s3, sqs }: EmulatedAws,
  { functions }: Wiring,
  { opensearch }: LocalOptions,
  overrides: Record<string, string>,
): (name: string) => Runtime {
  const index = opensearch === undefined ? { index: createMemorySearchIndex({ clock: systemClock }) } : {};
  const runtimes = new Map(
    functions.map(({ name, environment }) => [
      name,
      once(() => composeRuntime(parseEnv({ ...environment, ...overrides }), { dynamo, s3, sqs, ...index })),
    ]),
  );
  return (name) => {
    const runtime = runtimes.get(name);
    if (!runtime) throw new Error(`the template has no function "${name}"`);
    return runtime();
  };
}
