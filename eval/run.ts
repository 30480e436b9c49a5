/** `npm run eval -- NAME …`: how good the answers are, on public texts with labels made by others. */
import { styleText } from 'node:util';

type Evaluation = (args: readonly string[]) => Promise<number>;

/** Loaded when asked for: each brings the half of the system that it evaluates. */
const EVALUATIONS: Readonly<Record<string, { about: string; load: () => Promise<Evaluation> }>> = {
  admission: {
    about:
      'which duplicates, subsets and conflicts reach the judge at each similarity floor; --judge scores verdicts',
    load: async () => (await import('./admission.ts')).admission,
  },
  retrieval: {
    about:
      'R@1, R@5, MRR@10 of lookups beside BM25 alone and vectors alone; how often the routing texts lead right',
    load: async () => (await import('./retrieval.ts')).retrieval,
  },
};

const USAGE = `Usage: npm run eval -- NAME [options]

${Object.entries(EVALUATIONS)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

npm run eval -- NAME --help tells its options.`;

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(USAGE);
    return 0;
  }
  const evaluation = name !== undefined && Object.hasOwn(EVALUATIONS, name) ? EVALUATIONS[name] : undefined;
  if (evaluation) return (await evaluation.load())(args);
  console.error(name === undefined ? USAGE : `unknown evaluation "${name}"\n\n${USAGE}`);
  return 2;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(styleText('red', error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}
