/** `npm run bench -- NAME …`: each measured claim is one command. */
import { type Commands, runNamed } from '../bin/support/command.ts';

const BENCHES: Commands = {
  bundles: {
    about: 'size, import time and largest inputs of each function',
    load: async () => (await import('./bundles.ts')).bundles,
  },
  ingest: {
    about: '525 real files into a local run that is killed in the middle: invariants, time, calls',
    load: async () => (await import('./ingest.ts')).ingest,
  },
  admission: {
    about: 'admissions per second with 1 to 64 workers and a judge of 300 ms, beside one global lock',
    load: async () => (await import('./admission.ts')).admission,
  },
  lookup: {
    about: 'p50 and p99 of stopped, L0 and L1 calls at 1,000 and 100,000 documents; CPU of L0 beside a scan',
    load: async () => (await import('./lookup.ts')).lookup,
  },
  outage: {
    about: '60 items while the judge is away for 10 minutes, for 2 hours, or refuses: waits, calls, doubles',
    load: async () => (await import('./outage.ts')).outage,
  },
};

await runNamed('npm run bench', 'bench', BENCHES, process.argv.slice(2));
