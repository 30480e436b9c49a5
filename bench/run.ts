/** `npm run bench -- NAME …`: each measured claim is one command. */
import { styleText } from 'node:util';

type Bench = (args: readonly string[]) => Promise<number>;

/** Loaded when asked for: each brings the half of the system that it measures. */
const BENCHES: Readonly<Record<string, { about: string; load: () => Promise<Bench> }>> = {
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

const USAGE = `Usage: npm run bench -- NAME [options]

${Object.entries(BENCHES)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

npm run bench -- NAME --help tells its options.`;

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(USAGE);
    return 0;
  }
  const bench = name !== undefined && Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench) return (await bench.load())(args);
  console.error(name === undefined ? USAGE : `unknown bench "${name}"\n\n${USAGE}`);
  return 2;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(styleText('red', error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}
