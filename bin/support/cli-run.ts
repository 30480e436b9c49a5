import { stat } from 'node:fs/promises';
import type { WriteStream } from 'node:tty';
import { parse } from 'yaml';
import { namedRelations, namer, statusCall } from './cli-decide.ts';
import type { Command, Common } from './cli-options.ts';
import { pushFolder } from './cli-push.ts';
import { LookupAnswer, StatusReply } from './cli-replies.ts';
import { listForReview, tellReview } from './cli-review.ts';
import { tellLookup, tellPush, tellStatus } from './cli-tell.ts';
import { type Client, segment } from './client.ts';
import { createProgress } from './progress.ts';
import { codeOf, type Folder, readFolder } from './push-folder.ts';
import { printable, type Terminal } from './terminal.ts';

export const EXIT = { done: 0, failed: 1, wrong_use: 2, interrupted: 130 } as const;

/** Where a command is carried out. */
export interface Stage {
  client: Client;
  terminal: Terminal;
  /** Whether somebody looks at stdout. */
  on_terminal: boolean;
  progress: WriteStream;
  signal: AbortSignal;
  random: (digits: number) => string;
  /** Prints the one JSON document. */
  print: (value: unknown) => void;
  complain: (problem: string) => void;
}

/** Carries a command out, and returns the exit code. Throws what the client throws. */
export async function runCommand(
  stage: Stage,
  command: Exclude<Command, { name: 'mcp' }>,
  { json }: Common,
): Promise<number> {
  switch (command.name) {
    case 'push':
      return push(stage, command, json);
    case 'lookup':
      return lookup(stage, command, json);
    case 'status':
      return status(stage, command.id, json);
    case 'review':
      return review(stage, command, json);
    case 'map':
      return map(stage, json);
    case 'session end':
      return endSession(stage, command.session, json);
  }
}

async function push(
  { client, terminal, progress, signal, print, complain }: Stage,
  { folder: path, concurrency, wait, timeout_s }: Extract<Command, { name: 'push' }>,
  json: boolean,
): Promise<number> {
  const folder = await openFolder(path);
  if (typeof folder === 'string') {
    complain(folder);
    return EXIT.wrong_use;
  }
  if (folder.files.length + folder.unreadable.length === 0) {
    complain(`there is no Markdown in ${path} (files and folders skipped: ${folder.skipped.length})`);
    if (!json) return EXIT.failed;
  }
  const facts = await pushFolder(path, folder, {
    client,
    concurrency,
    wait,
    timeout_s,
    signal,
    progressOf: (label, total) => createProgress(progress, label, total),
  });
  if (json) print(facts);
  else tellPush(terminal, facts);
  if (facts.interrupted) return EXIT.interrupted;
  const bad = facts.results.some(({ decision }) => decision === 'failed' || (wait && decision === 'waiting'));
  return bad || facts.results.length === 0 ? EXIT.failed : EXIT.done;
}

async function openFolder(path: string): Promise<Folder | string> {
  try {
    return (await stat(path)).isDirectory() ? await readFolder(path) : `${path} is not a folder`;
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? `there is no folder ${path}` : `${path} cannot be read: ${code}`;
  }
}

async function lookup(
  { client, terminal, random, print }: Stage,
  { query, session, domain }: Extract<Command, { name: 'lookup' }>,
  json: boolean,
): Promise<number> {
  // With a name of its own the question may be sent again after a lost answer, and counts once (R6.1).
  const body = {
    query,
    request_id: random(8),
    ...(session !== undefined && { session_id: session }),
    ...(domain !== undefined && { domain }),
  };
  const call = { method: 'POST', path: '/api/lookup', body } as const;
  const { reply, whole } = await client.json(call, LookupAnswer);
  if (json) print(whole);
  else tellLookup(terminal, reply);
  return EXIT.done;
}

async function status({ client, terminal, print }: Stage, id: string, json: boolean): Promise<number> {
  const { reply, whole } = await client.json(statusCall(id), StatusReply);
  if (json) print(whole);
  else tellStatus(terminal, reply, await namedRelations(reply, namer(client)));
  return EXIT.done;
}

async function review(
  { client, terminal, print }: Stage,
  asked: Extract<Command, { name: 'review' }>,
  json: boolean,
): Promise<number> {
  const listed = await listForReview(client, asked);
  if (json) print(listed);
  else tellReview(terminal, asked, listed);
  return EXIT.done;
}

async function map({ client, terminal, on_terminal, print }: Stage, json: boolean): Promise<number> {
  const { text } = await client.send({ method: 'GET', path: '/api/knowledge-map' });
  if (json) print(parse(text));
  // A pipe gets the bytes as they are.
  else for (const each of text.trimEnd().split('\n')) terminal.line(on_terminal ? printable(each) : each);
  return EXIT.done;
}

async function endSession(
  { client, terminal, print }: Stage,
  session_id: string,
  json: boolean,
): Promise<number> {
  await client.send({ method: 'DELETE', path: `/api/sessions/${segment(session_id)}` });
  if (json) print({ session_id, ended: true });
  else terminal.line(`Session ${printable(session_id)} is forgotten.`);
  return EXIT.done;
}
