import { join } from 'node:path';
import { floorsOf } from '#lib/core/embedder-floors.ts';
import { JUDGE_VIEW_BUDGET } from '#lib/core/judge-view.ts';
import { Settings } from '#lib/core/settings.ts';
import { withOptions } from '../bin/support/command.ts';
import { writeSection } from '../bin/support/write-section.ts';
import { type AdmissionOptions, HELP, readOptions } from './support/admission-options.ts';
import {
  type FloorFacts,
  holds,
  type JudgeFacts,
  tellFloors,
  tellSiblings,
  tellVerdicts,
} from './support/admission-tell.ts';
import { embedderOf, judgeOf } from './support/chosen-models.ts';
import { evaluate } from './support/evaluate.ts';
import { judgeCases } from './support/judge-cases.ts';
import { readPairs } from './support/labelled-pairs.ts';
import { measureCosines, type Running, vectorsOf } from './support/measure-cosines.ts';
import { type Reading, taskIn } from './support/readings.ts';
import { samplePairs, sampleRelations } from './support/sample-pairs.ts';
import { siblingPools, wholeBase } from './support/twin-pools.ts';
import { scoreVerdicts } from './support/verdicts.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs/evaluation.md');
const FAILED = 1;

const PAIRS_A_RELATION = 100;
const JUDGED_AT_ONCE = 4;

/** How good admission is: what reaches the judge, or, with `--judge`, what it says. Resolves with the exit code. */
export async function admission(args: readonly string[]): Promise<number> {
  return withOptions(readOptions(args, join(ROOT, '../shared')), HELP, (options) =>
    evaluate('admission', args, (command, running) =>
      options.judge ? verdicts(options, command, running) : floors(options, command, running),
    ),
  );
}

async function floors(options: AdmissionOptions, command: string, running: Running): Promise<number> {
  const model = embedderOf(options, process.env.MODELS_KEY);
  const all = options.sets.flatMap((set) => readPairs(options.data, set));
  const pairs = options.sample === undefined ? all : samplePairs(all, options.sample);
  const floor = floorsOf(model.embedder.name)?.similarity ?? Settings.parse({}).similarity_floor;
  const measured = await measureCosines(model, pairs, running);
  const base = [];
  // A knowledge base of single sentences, or of a sample, is none.
  const sections = options.sample === undefined ? pairs.filter(({ kind }) => kind === 'section') : [];
  for (const reading of ['entry', 'document', 'summary'] satisfies Reading[]) {
    const tasks = sections.flatMap((pair) => [taskIn(reading, pair.new), taskIn(reading, pair.stored)]);
    base.push(...wholeBase(sections, reading, await vectorsOf(model, tasks, running), floor));
  }
  const facts: FloorFacts = {
    ...{ embedder: model.embedder.name, stand_in: model.embedder.stand_in, command, sample: options.sample },
    ...{ floor, measured, base, siblings: siblingPools(pairs) },
  };
  print(options, facts, [
    [`admission-${facts.stand_in ? 'standin' : facts.embedder}`, tellFloors(facts)],
    // The same for every embedder: written with the one that reads all pairs.
    ...(facts.stand_in ? [['admission-twins', tellSiblings(facts)] as const] : []),
  ]);
  if (holds(facts)) return 0;
  console.error(
    `The floor ${floor} of ${facts.embedder} loses more than 1 % of the true duplicates of a set.`,
  );
  return FAILED;
}

async function verdicts(options: AdmissionOptions, command: string, running: Running): Promise<number> {
  const { model, settings } = judgeOf(options, process.env.MODELS_KEY);
  const budget = settings.judge_view_budget ?? JUDGE_VIEW_BUDGET;
  const sample = options.sample ?? PAIRS_A_RELATION;
  const pairs = sampleRelations(
    options.sets.flatMap((set) => readPairs(options.data, set)),
    sample,
  );
  const facts: JudgeFacts = {
    ...{ judge: model.writer.name, stand_in: model.writer.stand_in, command, sample },
    cases: await judgeCases(options.cases, model, budget, running),
    scored: await scoreVerdicts(model, budget, pairs, JUDGED_AT_ONCE, running),
  };
  const name = facts.stand_in ? 'standin' : facts.judge.replace(/[^\w.-]/g, '-');
  print(options, facts, [[`admission-judge-${name}`, tellVerdicts(facts)]]);
  return 0;
}

function print(
  { json, write }: AdmissionOptions,
  facts: object,
  sections: readonly (readonly [name: string, markdown: string])[],
): void {
  if (write) for (const [name, markdown] of sections) writeSection(DOCUMENT, name, markdown);
  if (json) console.log(JSON.stringify(facts, null, 2));
  else console.log(sections.map(([, markdown]) => markdown).join('\n\n'));
}
