import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { emptyTally, everyFault, type Tally } from '#test/crash/explore.ts';
import { INVARIANT_COUNT } from '#test/crash/invariants.ts';
import { randomRun } from '#test/crash/random-history.ts';
import { SCENARIOS } from '#test/crash/scenarios.ts';

const HELP = `npm run test:crash [-- options]
Runs every scenario once for every call and every fault, then random histories, and checks the invariants of cases/crash.md.
  --scenario TEXT   only scenarios whose name holds TEXT
  --fault TEXT      only faults whose name holds TEXT
  --histories N     random histories (default 3000)
  --seed N          first seed; with --histories 1 it replays one run
  --until-red       stop at the first violation
  --only-histories  skip the scenarios
  --help`;

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: '' },
    fault: { type: 'string', default: '' },
    histories: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    'until-red': { type: 'boolean', default: false },
    'only-histories': { type: 'boolean', default: false },
    part: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else if (values.part === undefined) process.exitCode = await runAll();
else process.send?.(await runPart(...(values.part.split('/').map(Number) as [number, number])));

/** One of `parts` equal shares of all runs. */
async function runPart(part: number, parts: number): Promise<Tally> {
  const tally = emptyTally();
  const mine = (n: number) => n % parts === part;
  const stop = () => values['until-red'] && tally.reds.length > 0;
  if (!values['only-histories'])
    for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.scenario)))
      for (const twice of [false, true])
        await everyFault(tally, scenario, {
          keep: mine,
          stop,
          twice,
          fault: values.fault,
        });
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.histories) && !stop(); seed++)
    if (mine(seed)) await randomRun(tally, seed);
  return tally;
}

async function runAll(): Promise<number> {
  const started = performance.now();
  const parts = values['until-red'] ? 1 : availableParallelism();
  const children = Array.from({ length: parts }, (_, part) =>
    fork(import.meta.filename, [...process.argv.slice(2), '--part', `${part}/${parts}`]),
  );
  const stop = () => {
    for (const child of children) child.kill();
    process.exit(130);
  };
  process.on('SIGINT', stop);
  const tallies = await Promise.all(
    children.map(
      (child) =>
        new Promise<Tally>((resolve, reject) => {
          child.on('message', (tally) => resolve(tally as Tally));
          child.on('exit', (code) => code !== 0 && reject(new Error(`a part ended with ${code}`)));
        }),
    ),
  );
  return report(tallies, (performance.now() - started) / 1000);
}

function report(tallies: Tally[], seconds: number): number {
  const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
  const reds = tallies.flatMap((tally) => tally.reds);
  for (const red of reds.slice(0, 10)) {
    console.log(
      styleText('red', `${red.scenario} (seed ${red.seed}): ${red.faults.join('; ') || 'no fault'}`),
    );
    for (const violation of red.violations.slice(0, 5)) console.log(`  invariant ${violation}`);
  }
  console.log(
    [
      `${sum(({ runs }) => runs)} runs`,
      `${sum(({ fault_points }) => fault_points)} fault points`,
      `${sum(({ interleavings }) => interleavings)} random interleavings`,
      `${INVARIANT_COUNT} invariants checked after each`,
      `${reds.length} red`,
      `${seconds.toFixed(0)} s on ${tallies.length} processes`,
    ].join(', '),
  );
  return reds.length === 0 ? 0 : 1;
}
