import { join } from 'node:path';
import type { Model } from '#lib/ports.ts';
import { withOptions } from '../bin/support/command.ts';
import { writeSection } from '../bin/support/write-section.ts';
import { embedderOf } from './support/chosen-models.ts';
import { evaluate } from './support/evaluate.ts';
import type { Running } from './support/measure-cosines.ts';
import { floorRows } from './support/relevance-floors.ts';
import { summaryOf, WEIGHTS } from './support/retrieval-measure.ts';
import { HELP, type RetrievalOptions, readOptions } from './support/retrieval-options.ts';
import { type Measured, measureForeign, measureSet, openWorlds } from './support/retrieval-run.ts';
import { readSet } from './support/retrieval-sets.ts';
import {
  type FloorFacts,
  missed,
  type RankingFacts,
  tellFloors,
  tellRanking,
} from './support/retrieval-tell.ts';
import { settingsFor } from './support/retrieval-world.ts';
import { measureRouting, tellRouting } from './support/routing.ts';
import { type Fusion, leaveOneOut, meanOf } from './support/weight-check.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs/evaluation.md');
const MISSED = 1;

/** How good lookups are, on public questions. Resolves with the exit code. */
export async function retrieval(args: readonly string[]): Promise<number> {
  return withOptions(readOptions(args, join(ROOT, '../shared/data')), HELP, (options) =>
    evaluate('retrieval', args, (command, running) => measure(options, command, running)),
  );
}

async function measure(options: RetrievalOptions, command: string, running: Running): Promise<number> {
  const embedder = embedderOf(options, process.env.MODELS_KEY);
  const sets = options.sets.map((name) => readSet(join(options.data, 'retrieval'), name, options.sample));
  const worlds = openWorlds(embedder, running);
  const name = embedder.embedder.stand_in ? 'standin' : embedder.embedder.name.replace(/[^\w.-]/g, '-');
  const facts: Record<string, object> = {};
  const sections: [name: string, markdown: string][] = [];
  let problems: string[] = [];

  if (options.parts.some((part) => part !== 'routing')) {
    const measured: Measured[] = [];
    const lookups = options.parts.includes('ranking');
    for (const set of sets) measured.push(await measureSet(worlds, set, lookups, running));
    const ranking = rankingOf(embedder, measured, options, command);
    if (options.parts.includes('ranking')) {
      facts.ranking = ranking;
      sections.push([`retrieval-${name}`, tellRanking(ranking)]);
      problems = missed(ranking);
    }
    if (options.parts.includes('floor')) {
      const floors = floorsOf(
        embedder,
        measured,
        await measureForeign(worlds, sets, running),
        options,
        command,
      );
      facts.floor = floors;
      sections.push([`relevance-floor-${name}`, tellFloors(floors)]);
    }
  }
  if (options.parts.includes('routing')) {
    const routing = await measureRouting(embedder, sets, running);
    facts.routing = routing;
    sections.push([`routing-${name}`, tellRouting(routing, command)]);
  }
  if (options.write) for (const [section, markdown] of sections) writeSection(DOCUMENT, section, markdown);
  if (options.json) console.log(JSON.stringify(facts, null, 2));
  else console.log(sections.map(([, markdown]) => markdown).join('\n\n'));
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? MISSED : 0;
}

type Embedder = Pick<Model, 'embedder' | 'embed'>;

function rankingOf(
  { embedder }: Embedder,
  measured: readonly Measured[],
  { sample }: RetrievalOptions,
  command: string,
): RankingFacts {
  const fused = measured.map(({ set, ranks }) => ({ name: set.name, fused: ranks.fused }));
  const fusions = (['by words', 'none'] as const).flatMap((damping) =>
    WEIGHTS.map((weight): Fusion => ({ damping, weight })),
  );
  return {
    ...{ embedder: embedder.name, stand_in: embedder.stand_in, command, sample },
    sets: measured.map(({ set, ranks, without_l0 }) => ({
      ...{ set: set.name, documents: set.documents.length, queries: set.queries.length },
      carried: set.by_keyword ? 'title, text; their keywords for L0 alone' : 'title, text',
      shipped: summaryOf(ranks.shipped),
      without_l0: without_l0 && summaryOf(without_l0),
      bm25: summaryOf(ranks.bm25),
      vectors: summaryOf(ranks.vectors),
    })),
    weights: fusions.map((fusion) => ({ fusion, mean: meanOf(fused, fusion) })),
    left_out: leaveOneOut(fused),
    shipped_fusion: {
      damping: embedder.stand_in ? 'none' : 'by words',
      weight: settingsFor(embedder.name).vector_weight ?? DEFAULT_WEIGHT,
    },
  };
}

const DEFAULT_WEIGHT = 0.4;
/** Around the floors that embedders have: hashes are far lower than learnt vectors. */
const RANGES = { stand_in: [0.1, 0.3], learnt: [0.7, 0.9] } as const;

function floorsOf(
  { embedder }: Embedder,
  measured: readonly Measured[],
  foreign: Awaited<ReturnType<typeof measureForeign>>,
  { sample }: RetrievalOptions,
  command: string,
): FloorFacts {
  const settings = settingsFor(embedder.name);
  const sets = measured.map(({ set, ranks }) => ({ name: set.name, first: ranks.first }));
  const range = RANGES[embedder.stand_in ? 'stand_in' : 'learnt'];
  const floors = { same: settings.relevance_floor ?? 0.3, across: settings.relevance_floor_across ?? 0.3 };
  return {
    ...{ embedder: embedder.name, stand_in: embedder.stand_in, command, sample, sets, foreign },
    floors,
    same: floorRows('same', sets, foreign, floors, range),
    across: floorRows('across', sets, foreign, floors, range),
  };
}
