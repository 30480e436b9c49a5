import type { CommandName } from './cli-options.ts';

const COMMON = `  --json          one JSON document on stdout; an error is one, too
  --scopes A,B    scopes of the caller, for what is not public (under JWT the token's count)
  --sign          sign with SigV4 (execute-api addresses are signed anyway); the region comes from
                  the address, else from AWS_REGION, the credentials from where the AWS SDK looks
  --help          this text`;

const EXIT = `Exit codes: 0 done, a lookup without a result included; 1 failed; 2 wrong use; 130 Ctrl-C.`;

export const USAGE = `KnowHub on the command line.

  npm run knowhub -- push DIR                 pushes the Markdown files of a folder, and tells what was decided
  npm run knowhub -- lookup QUERY             asks, as an agent would
  npm run knowhub -- status ID                one item: its status, the decision, its relations
  npm run knowhub -- review                   what waits for a human's word, or what was rejected
  npm run knowhub -- map                      the knowledge map
  npm run knowhub -- session end S            forgets a session
  npm run knowhub -- mcp                      speaks MCP on stdin and stdout, for an agent's configuration
  npm run knowhub -- COMMAND --help           the options of one command

Options of all commands
${COMMON}

The server: KNOWHUB_URL, else http://127.0.0.1:3000, the local run (npm start).
Under JWT: the token in KNOWHUB_TOKEN, which is sent in place of a signature.
${EXIT}`;

/** What each command's --help says. */
export const HELP: Readonly<Record<CommandName, string>> = {
  push: `npm run knowhub -- push DIR [options]

Pushes the Markdown files of DIR. The first folder is the category, deeper ones become part of the file
name. Each file is compared with what is stored before it gets in; the table says what was decided.
Files that were pushed before and are the same are "unchanged", so that it can be repeated at any time.

Options
  --concurrency N so many uploads at once (8)
  --no-wait       upload only, and do not wait for the decisions
  --timeout S     how long to wait for the decisions, in seconds (600)
${COMMON}

Exit codes: 0 all files were taken in; 1 a file failed (blank, not UTF-8, too large, refused) or was not
decided in time, the others are done; 2 wrong use; 130 Ctrl-C.`,
  lookup: `npm run knowhub -- lookup QUERY [options]

Asks for knowledge. Within a session an item is handed over once, and a domain is searched once.

Options
  --session S     the session that the question belongs to
  --domain D      the domain to search
${COMMON}

${EXIT}`,
  status: `npm run knowhub -- status ID [options]

Tells the status of an item, the decision behind it, and its relations.

Options
${COMMON}

${EXIT}`,
  review: `npm run knowhub -- review [options]

Lists the items that a human should look at, each with the reason: admitted while the judge was away, or leaning on
something that was rejected since. With --rejected what was turned away, which can be restored
(POST /api/knowledge/ID/review).

Options
  --rejected      the rejected ones instead, the latest first
  --domain D      of one domain
  --limit N       so many at most (20)
${COMMON}

${EXIT}`,
  map: `npm run knowhub -- map [options]

Prints the knowledge map: YAML, or with --json the same as JSON.

Options
${COMMON}

${EXIT}`,
  mcp: `npm run --silent knowhub -- mcp [options]

Speaks MCP on stdin and stdout and carries it to /mcp of the server, signed where it has to be: a line for
the configuration of an agent that cannot sign. --silent keeps npm's own lines out of the protocol. It
ends, and the session with it, when stdin does or by Ctrl-C. What it has to tell goes to stderr.

Options
  --scopes A,B    scopes of the caller, for what is not public (under JWT the token's count)
  --sign          sign with SigV4 (execute-api addresses are signed anyway); the region comes from
                  the address, else from AWS_REGION, the credentials from where the AWS SDK looks
  --help          this text

The server: KNOWHUB_URL, else http://127.0.0.1:3000, the local run (npm start).
Under JWT: the token in KNOWHUB_TOKEN, which is sent in place of a signature.
Exit codes: 0 stdin ended; 2 wrong use; 130 Ctrl-C.`,
  'session end': `npm run knowhub -- session end S [options]

Forgets the session: nothing was searched or handed over in it.

Options
${COMMON}

${EXIT}`,
};
