import * as z from 'zod';

/** What the functions' metrics say of models and faults. */
export interface ModelCounts {
  /** Takes a line of CloudWatch's embedded format; `false` = it is none. */
  take(line: string): boolean;
  /** Calls that were answered, by kind: `embed`, or the prompt. */
  calls(): Record<string, number>;
  /** Estimated, by kind. */
  tokens(): Record<string, number>;
  /** `DeadLetters admission`, `HttpErrors 4xx`, …: sums of the metrics that tell of trouble. */
  faults(): Record<string, number>;
}

/** One value a line, as lib/runtime/metrics.ts writes them. */
const Line = z.looseObject({
  _aws: z.looseObject({
    CloudWatchMetrics: z.tuple([
      z.looseObject({
        Dimensions: z.tuple([z.array(z.string())]),
        Metrics: z.tuple([z.looseObject({ Name: z.string() })]),
      }),
    ]),
  }),
});
const FAULTS: ReadonlySet<string> = new Set(['DeadLetters', 'HttpErrors', 'ModelRetries', 'Fallbacks']);

export function createModelCounts(): ModelCounts {
  const calls: Record<string, number> = {};
  const tokens: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const add = (to: Record<string, number>, key: string, value: number) => {
    to[key] = (to[key] ?? 0) + value;
  };
  return {
    take(text) {
      if (!text.startsWith('{"_aws"')) return false;
      const line = Line.safeParse(jsonOf(text));
      if (!line.success) return false;
      const [{ Dimensions, Metrics }] = line.data._aws.CloudWatchMetrics;
      const name = Metrics[0].Name;
      const value = Number(line.data[name]);
      const own = Dimensions[0].filter((dimension) => dimension !== 'service');
      const by = own.map((dimension) => String(line.data[dimension])).join(' ');
      if (name === 'ModelTokens') {
        add(calls, by, 1);
        add(tokens, by, value);
      } else if (FAULTS.has(name)) add(faults, `${name} ${by}`.trim(), value);
      return true;
    },
    calls: () => calls,
    tokens: () => tokens,
    faults: () => faults,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
