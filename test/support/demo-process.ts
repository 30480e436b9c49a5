import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

export const DEMO = fileURLToPath(new URL('../../bin/demo.ts', import.meta.url));

export interface DemoRun {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the demo as a process of its own, not on a terminal; `ready` may act once there is output. */
export function demo(
  given: string[],
  options: {
    input?: string;
    ready?: (child: ReturnType<typeof spawn>) => void;
    /** Where it makes its throw-away folder. */
    temporary?: string;
  } = {},
): Promise<DemoRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [DEMO, ...given], {
      env: { ...process.env, ...(options.temporary !== undefined && { TMPDIR: options.temporary }) },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const run: DemoRun = { code: null, out: '', err: '' };
    child.stdout!.on('data', (data) => {
      if (run.out === '') options.ready?.(child);
      run.out += data;
    });
    child.stderr!.on('data', (data) => {
      run.err += data;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...run, code }));
    child.stdin?.end(options.input);
  });
}

const Decision = z.object({
  path: z.string(),
  decision: z.string(),
  relations: z.array(z.object({ type: z.string(), to: z.string() })),
  generated: z.array(z.string()),
  warnings: z.array(z.string()),
});
const Counted = z.record(z.string(), z.number());
const Cost = z.object({ ports: Counted, aws: Counted, models: Counted, embedded_texts: z.number() });
const Asked = z.object({
  query: z.string(),
  domain: z.string().optional(),
  level: z.string(),
  documents: z.array(z.object({ path: z.string() })),
  message: z.string(),
  cost: Cost,
});
const Replayed = z.object({
  served: z.number(),
  stopped: z.number(),
  calls: z.array(
    z.object({ returned: z.array(z.string()), store_calls: z.number(), model_calls: z.number() }),
  ),
});
/** What of the facts tests look at. */
export const Story = z.object({
  stores: z.string(),
  decisions: z.array(Decision),
  map: z.object({ yaml: z.string(), tokens: z.number(), budget_tokens: z.number() }),
  session: z.array(Asked),
  n2: z.object({ with_domain: Replayed, without_domain: Replayed }),
  twins: z.object({
    sent: z.number(),
    workers: z.number(),
    admitted: z.array(z.string()),
    rejected_as_duplicates: z.number(),
    others: z.number(),
    helpful: z.number(),
    judge_calls: z.number(),
  }),
  totals: z.object({ counts: Cost }),
});
export const FolderRun = z.object({
  stores: z.string(),
  refused: z.array(z.object({ origin: z.string(), why: z.string() })),
  failed: z.array(z.unknown()),
  skipped: z.array(z.object({ origin: z.string(), why: z.string() })),
  decisions: z.array(Decision),
  kinds: Counted,
  counts: Cost,
  bodies: z.object({ read_back: z.number(), same: z.number() }),
  answers: z.array(Asked),
});
