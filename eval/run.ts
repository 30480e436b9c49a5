/** `npm run eval -- NAME …`: how good the answers are, on public texts with labels made by others. */
import { type Commands, runNamed } from '../bin/support/command.ts';

const EVALUATIONS: Commands = {
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

await runNamed('npm run eval', 'evaluation', EVALUATIONS, process.argv.slice(2));
