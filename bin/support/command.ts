import { styleText } from 'node:util';

const FAILED = 1;
const WRONG_USE = 2;
export const INTERRUPTED = 130;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Does the work with its options; tells the help where that is asked for, and what is wrong with them where something is. */
export async function withOptions<Options extends { help: boolean }>(
  options: Options | string,
  help: string,
  work: (options: Options) => Promise<number>,
): Promise<number> {
  if (typeof options === 'string') {
    console.error(`${options}\n\n${help}`);
    return WRONG_USE;
  }
  if (!options.help) return work(options);
  console.log(help);
  return 0;
}

/** Work that Ctrl-C ends by its signal: what it throws then is no fault, and its exit code is 130. */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupt = new AbortController();
  const abort = () => interrupt.abort();
  for (const name of SIGNALS) process.on(name, abort);
  try {
    return await work(interrupt.signal);
  } catch (error) {
    if (interrupt.signal.aborted) return INTERRUPTED;
    throw error;
  } finally {
    for (const name of SIGNALS) process.off(name, abort);
  }
}

/** Commands that share a program, each loaded when asked for: it brings the half of the system that it works on. */
export type Commands = Readonly<Record<string, { about: string; load: () => Promise<Command> }>>;
type Command = (args: readonly string[]) => Promise<number>;

/** Runs one of the commands by its name and sets the exit code. `program`: how it is called; `kind`: what one is. */
export async function runNamed(
  program: string,
  kind: string,
  commands: Commands,
  args: readonly string[],
): Promise<void> {
  try {
    process.exitCode = await carryOut(program, kind, commands, args);
  } catch (error) {
    console.error(styleText('red', error instanceof Error ? error.message : String(error)));
    process.exitCode = FAILED;
  }
}

async function carryOut(
  program: string,
  kind: string,
  commands: Commands,
  [name, ...args]: readonly string[],
): Promise<number> {
  const usage = usageOf(program, commands);
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(usage);
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return (await command.load())(args);
  console.error(name === undefined ? usage : `unknown ${kind} "${name}"\n\n${usage}`);
  return WRONG_USE;
}

const usageOf = (program: string, commands: Commands): string => `Usage: ${program} -- NAME [options]

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

${program} -- NAME --help tells its options.`;
