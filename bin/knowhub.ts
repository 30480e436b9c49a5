import { randomBytes } from 'node:crypto';
import { KnowHubError } from '#lib/core/errors.ts';
import { type Command, type Common, readCommand } from './support/cli-options.ts';
import { EXIT, runCommand } from './support/cli-run.ts';
import { remedyFor, serverOf } from './support/cli-server.ts';
import { ApiFault, createClient, Unreachable } from './support/client.ts';
import { signerFor } from './support/sign.ts';
import { createTerminal, printable } from './support/terminal.ts';

/** Of one call; somebody waits for the answer of everything but a push. */
const TRIES = { push: 6, other: 3 };

const given = readCommand(process.argv.slice(2));
const interrupt = new AbortController();
process.on('SIGINT', () => {
  const name = given.kind === 'run' ? given.command.name : undefined;
  // A push tells what was done; asked twice, it ends at once. MCP ends its session, in seconds, however often it is
  // asked: npm passes on the signal that the terminal has sent to every process already.
  const patient = name === 'mcp' || (name === 'push' && !interrupt.signal.aborted);
  if (patient) interrupt.abort();
  else process.exit(EXIT.interrupted);
});
// Who reads no further, like `head`, has had enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

if (given.kind === 'help') console.log(given.text);
else if (given.kind === 'wrong') {
  complain(given.problem, given.hint);
  process.exitCode = EXIT.wrong_use;
} else if (given.command.name === 'mcp') process.exit(await bridge(given.common));
else process.exitCode = await carryOut(given.command, given.common);

async function carryOut(command: Exclude<Command, { name: 'mcp' }>, common: Common): Promise<number> {
  const server = serverOf(process.env, common.sign);
  if ('problem' in server) {
    complain(server.problem);
    return EXIT.wrong_use;
  }
  const { url } = server;
  const { signal } = interrupt;
  const client = createClient({
    url,
    scopes: common.scopes,
    signal,
    tries: command.name === 'push' ? TRIES.push : TRIES.other,
    sign: signerFor(server),
  });
  const stage = {
    client,
    terminal: createTerminal(process.stdout, process.env),
    on_terminal: process.stdout.isTTY,
    progress: process.stderr,
    signal,
    random: (digits: number) => randomBytes(digits / 2).toString('hex'),
    print,
    complain,
  };
  try {
    return await runCommand(stage, command, common);
  } catch (error) {
    if (!(error instanceof KnowHubError)) throw error;
    if (common.json) print(errorDocument(error));
    complain(sentenceOf(error), ...(error instanceof Unreachable ? [remedyFor(url)] : []));
    return EXIT.failed;
  }
}

async function bridge({ sign, scopes }: Common): Promise<number> {
  const server = serverOf(process.env, sign);
  if ('problem' in server) {
    complain(server.problem);
    return EXIT.wrong_use;
  }
  // No other command waits for the SDK to be loaded.
  const { runMcpBridge } = await import('./support/cli-mcp.ts');
  const { url } = server;
  return runMcpBridge({ url, sign: signerFor(server), scopes, signal: interrupt.signal, complain });
}

/** The error as the API itself would put it. */
function errorDocument(error: KnowHubError) {
  const { code, message, field } = error;
  const request_id = error instanceof ApiFault ? error.request_id : undefined;
  return {
    error: { code, message, ...(field !== undefined && { field }) },
    ...(request_id !== undefined && { request_id }),
  };
}

/** What went wrong: the server's words, with its code, the field at fault and the name of the request. */
function sentenceOf(error: KnowHubError): string {
  if (!(error instanceof ApiFault)) return error.message;
  const { code, field, request_id } = error;
  const details = [code, field && `field ${field}`, request_id && `request ${request_id}`];
  return `${error.message} (${details.filter((each) => each !== undefined && each !== '').join(', ')})`;
}

function complain(...lines: string[]): void {
  const [first = '', ...rest] = lines.map(printable);
  console.error([`knowhub: ${first}`, ...rest].join('\n'));
}

function print(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}
