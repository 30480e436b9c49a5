import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { HELP, USAGE } from './cli-usage.ts';

export type Command =
  | { name: 'push'; folder: string; concurrency: number; wait: boolean; timeout_s: number }
  | { name: 'lookup'; query: string; session: string | undefined; domain: string | undefined }
  | { name: 'status'; id: string }
  | { name: 'review'; rejected: boolean; domain: string | undefined; limit: number }
  | { name: 'map' }
  | { name: 'session end'; session: string }
  | { name: 'mcp' };

export type CommandName = Command['name'];

/** What every command takes. */
export interface Common {
  json: boolean;
  sign: boolean;
  scopes: string[];
}

/** What the command line asks for, or what is wrong with it. */
export type Given =
  | { kind: 'run'; command: Command; common: Common }
  | { kind: 'help'; text: string }
  | { kind: 'wrong'; problem: string; hint: string };

const COMMON = {
  json: { type: 'boolean', default: false },
  sign: { type: 'boolean', default: false },
  scopes: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsOptionsConfig;

const OWN: Readonly<Record<CommandName, ParseArgsOptionsConfig>> = {
  push: {
    concurrency: { type: 'string' },
    'no-wait': { type: 'boolean' },
    timeout: { type: 'string' },
  },
  lookup: { session: { type: 'string' }, domain: { type: 'string' } },
  status: {},
  review: { rejected: { type: 'boolean' }, domain: { type: 'string' }, limit: { type: 'string' } },
  map: {},
  'session end': {},
  mcp: {},
};

const CONCURRENCY = { default: 8, most: 64 };
const TIMEOUT_S = { default: 600, most: 86_400 };
const REVIEWED = { default: 20, most: 100 };

/** The caller's fault, told with the usage. */
class WrongUse extends Error {}

export function readCommand(given: readonly string[]): Given {
  const [first, second] = given;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help')
    return first === undefined
      ? wrong('no command', '--help')
      : { kind: 'help', text: isCommand(second) ? HELP[second] : USAGE };
  const name = first === 'session' && second === 'end' ? 'session end' : first;
  if (first === 'session' && second !== 'end' && given.some((each) => each === '--help' || each === '-h'))
    return { kind: 'help', text: HELP['session end'] };
  if (!isCommand(name)) return wrong(unknownCommand(first), '--help');
  const rest = given.slice(name.split(' ').length);
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { ...COMMON, ...OWN[name] },
    });
    if (values.help === true) return { kind: 'help', text: HELP[name] };
    const { json, sign } = values;
    const common = { json: json === true, sign: sign === true, scopes: listOf(values.scopes) };
    return { kind: 'run', command: commandOf(name, positionals, values), common };
  } catch (error) {
    const problem = error instanceof Error ? error.message.split('. ')[0]! : String(error);
    return wrong(problem, `${name} --help`);
  }
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function commandOf(name: CommandName, positionals: readonly string[], values: Values): Command {
  switch (name) {
    case 'push':
      return {
        name,
        folder: only('DIR', positionals),
        concurrency: whole('concurrency', values.concurrency, CONCURRENCY),
        wait: values['no-wait'] !== true,
        timeout_s: whole('timeout', values.timeout, TIMEOUT_S),
      };
    case 'lookup':
      if (positionals.length === 0) throw new WrongUse('QUERY is missing');
      // Words without quotes around them are one question.
      return {
        name,
        query: positionals.join(' '),
        session: textOf(values.session),
        domain: textOf(values.domain),
      };
    case 'status':
      return { name, id: only('ID', positionals) };
    case 'review':
      if (positionals.length > 0) throw new WrongUse(`review takes nothing, not "${positionals[0]}"`);
      return {
        name,
        rejected: values.rejected === true,
        domain: textOf(values.domain),
        limit: whole('limit', values.limit, REVIEWED),
      };
    case 'map':
    case 'mcp':
      if (positionals.length > 0) throw new WrongUse(`${name} takes nothing, not "${positionals[0]}"`);
      return { name };
    case 'session end':
      return { name, session: only('S', positionals) };
  }
}

function only(what: string, positionals: readonly string[]): string {
  const [first] = positionals;
  if (first === undefined || first === '') throw new WrongUse(`${what} is missing`);
  if (positionals.length > 1) throw new WrongUse(`one ${what}, not ${positionals.length}`);
  return first;
}

function whole(
  name: string,
  value: Values[string],
  { default: otherwise, most }: typeof CONCURRENCY,
): number {
  if (value === undefined) return otherwise;
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > most) throw new WrongUse(`--${name} is a whole number from 1 to ${most}`);
  return number;
}

const textOf = (value: Values[string]): string | undefined => (typeof value === 'string' ? value : undefined);

const listOf = (value: Values[string]): string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
    : [];

const isCommand = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(HELP, name);

function unknownCommand(first: string): string {
  if (first === 'session') return 'session knows one thing: session end S';
  if (first.startsWith('-')) return `name a command before "${first}"`;
  return `unknown command "${first}"`;
}

const wrong = (problem: string, hint: string): Given => ({
  kind: 'wrong',
  problem,
  hint: `Commands: push, lookup, status, review, map, session end, mcp. Try: npm run knowhub -- ${hint}`,
});
