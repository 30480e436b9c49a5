import * as z from 'zod';
import { floorsInForce } from '#lib/core/embedder-floors.ts';
import { KnowHubError } from '#lib/core/errors.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { PROJECTIONS } from '#lib/usecases/project.ts';

const Part = z.strictObject({
  name: z.string(),
  works: z.boolean(),
  took_ms: z.number(),
  /** Code of what it answered, or `no_answer`. */
  problem: z.string().optional(),
});

/** What works and what does not. `behind`: decisions that a projection has yet to carry out. */
export const Health = z.strictObject({
  status: z.enum(['ok', 'degraded']),
  parts: z.array(Part),
  projections: z.array(
    z.strictObject({ name: z.string(), behind: z.number().int(), parked: z.array(z.string()) }),
  ),
  models: z.strictObject({
    embedder: z.string(),
    writer: z.string(),
    stand_ins: z.array(z.string()),
    /** Whether the floors in force are the embedder's own, a deployment's, or defaults that nobody measured for it. */
    floors: z.enum(['measured', 'set', 'not measured']),
  }),
});
export type Health = z.infer<typeof Health>;

/** No item has it. */
const NOBODY = 'knowledge-19700101-000000-00000000';
const PATIENCE_MS = 2000;

/** Asks every store and the embedder something small, all at once and for at most `patience_ms` (spec, section 7). Never throws. */
export const health =
  (instance: Instance, patience_ms: number = PATIENCE_MS) =>
  async (): Promise<Health> => {
    const { clock, model } = instance;
    const parts = await Promise.all(
      Object.entries(probes(instance)).map(async ([name, probe]) => {
        const started = clock.now();
        const problem = await problemOf(probe, patience_ms);
        const took_ms = clock.now() - started;
        return { name, works: problem === undefined, took_ms, ...(problem !== undefined && { problem }) };
      }),
    );
    const works = new Map(parts.map((part) => [part.name, part.works]));
    const projections =
      works.get('ledger') && works.get('projections') ? await behind(instance, patience_ms) : [];
    const { embedder, writer } = model;
    const stand_ins = [
      ...new Set([embedder, writer].filter(({ stand_in }) => stand_in).map(({ name }) => name)),
    ];
    return {
      status: parts.every((part) => part.works) ? 'ok' : 'degraded',
      parts,
      projections,
      models: {
        embedder: embedder.name,
        writer: writer.name,
        stand_ins,
        floors: floorsInForce(embedder.name, instance.settings),
      },
    };
  };

const probes = (instance: Instance): Record<string, () => Promise<unknown>> => ({
  ledger: () => instance.ledger.readAfter(instance.catalog.fold.position, 1),
  items: () => instance.items.get(NOBODY),
  bodies: () => instance.bodies.get(NOBODY, 'document'),
  vectors: () => instance.vectors.tasks([NOBODY]),
  paths: () => instance.paths.get('health/health.md'),
  projections: () => instance.projections.pointer(),
  relations: () => instance.relations.of(NOBODY),
  evaluations: () => instance.evaluations.get(NOBODY),
  domains: () => instance.domains.get('health'),
  mirror: () => instance.mirror.head('health/health.md'),
  inbox: () => instance.inbox.list('', 0, 1),
  sessions: () => instance.sessions.get('health'),
  index: () => indexAnswers(instance),
  model: () => instance.model.embed(['health'], 'query'),
});

/** An index that was named and is gone does not work; before the first decision there is none to ask. */
async function indexAnswers({ index, projections }: Instance): Promise<void> {
  const physical = (await projections.get(await projections.pointer()))?.physical;
  if (!physical) {
    await index.list();
    return;
  }
  await index.present(physical, [NOBODY]);
}

/** What the probe threw, as a code: a message may name what is no caller's business. */
async function problemOf(probe: () => Promise<unknown>, patience_ms: number): Promise<string | undefined> {
  const signal = AbortSignal.timeout(patience_ms);
  const late = new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve('no_answer'), { once: true });
  });
  const answer = Promise.resolve()
    .then(probe)
    .then(
      () => undefined,
      (error: unknown) => (error instanceof KnowHubError ? error.code : 'internal'),
    );
  return Promise.race([answer, late]);
}

async function behind(instance: Instance, patience_ms: number): Promise<Health['projections']> {
  const { projections, catalog } = instance;
  const names = [...PROJECTIONS];
  let report: Health['projections'] = [];
  await problemOf(async () => {
    const f = await catalog.refresh();
    const rows = await Promise.all(names.map((name) => projections.get(name)));
    report = rows.flatMap((row) =>
      row ? [{ name: row.name, behind: Math.max(0, f.position - row.W), parked: row.parked }] : [],
    );
  }, patience_ms);
  return report;
}
