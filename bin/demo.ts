import { stat } from 'node:fs/promises';
import { type AskedFact, type RefusedFact, tellAsked } from './support/ask.ts';
import { type DemoOptions, readOptions, USAGE } from './support/demo-options.ts';
import { onStores } from './support/demo-stores.ts';
import { runFolder } from './support/folder-run.ts';
import { tellFolder, tellFolderFacts } from './support/folder-tell.ts';
import type { LocalSystem } from './support/local-instance.ts';
import { createProgress } from './support/progress.ts';
import { codeOf, type Folder, readFolder } from './support/push-folder.ts';
import { answerLines, pipedLines, typedLines } from './support/questions.ts';
import { runStory, SILENT } from './support/story-run.ts';
import { heading, storyTeller, tellHead } from './support/story-tell.ts';
import { createTerminal, hanging, printable } from './support/terminal.ts';

const FAILED = 1;
const WRONG_USE = 2;
/** By what ends it; the stores' folder goes in every case. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const terminal = createTerminal(process.stdout, process.env);
const interrupted = () => process.exit(SIGNALS.SIGINT);
for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => process.exit(code));
// Who reads no further, like `head`, has had enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const options = readOptions(process.argv.slice(2));
if ('problem' in options) process.exitCode = complain(options.problem, WRONG_USE);
else if (options.help) console.log(USAGE);
else if (options.folder === undefined) process.exitCode = await story(options);
else process.exitCode = await folder(options.folder, options);

async function story({ json, all, stores }: DemoOptions): Promise<number> {
  const audience = json ? SILENT : storyTeller(terminal, { all });
  const facts = await onStores(stores, (opened) => runStory(opened, audience));
  if (json) print(facts);
  return facts.twins.admitted.length === 1 && facts.twins.others === 0 ? 0 : FAILED;
}

async function folder(path: string, options: DemoOptions): Promise<number> {
  const found = await openFolder(path);
  if (typeof found === 'string') return complain(found, WRONG_USE);
  if (found.files.length === 0)
    return complain(
      `there is no Markdown in ${path} (files and folders skipped: ${found.skipped.length})`,
      FAILED,
    );
  if (!options.json) {
    tellHead(terminal, options.stores);
    tellFolder(terminal, path, found);
  }
  const failed = await onStores(options.stores, async (stores) => {
    const { system, facts } = await runFolder(stores, found, (label, total) =>
      createProgress(process.stderr, label, total),
    );
    if (options.json) print({ ...facts, answers: await pipedAnswers(system) });
    else {
      tellFolderFacts(terminal, facts, options);
      await converse(system);
    }
    return facts.failed;
  });
  return failed.length > 0 ? FAILED : 0;
}

async function openFolder(path: string): Promise<Folder | string> {
  try {
    return (await stat(path)).isDirectory() ? await readFolder(path) : `${path} is not a folder`;
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? `there is no folder ${path}` : `${path} cannot be read: ${code}`;
  }
}

/** Answers what is typed; what is piped in is shown, too, as nobody saw it being typed. */
async function converse(system: LocalSystem): Promise<void> {
  const { line, style, width } = terminal;
  const typed = process.stdin.isTTY && process.stdout.isTTY;
  if (process.stdin.isTTY && !typed) return;
  const begin = () => {
    heading(terminal, '5. Ask');
    const how =
      'All questions belong to one session: each domain is searched once, as for an agent. ":new" opens another session, "@DOMAIN question" names the domain, ":q" ends.';
    for (const each of hanging('   ', how, width)) line(each);
    line();
  };
  if (typed) begin();
  let first = !typed;
  await answerLines(system, typed ? typedLines(interrupted) : pipedLines(), {
    answer(asked) {
      if (first) begin();
      first = false;
      if (!typed) {
        const domain = 'domain' in asked && asked.domain !== undefined ? `@${asked.domain} ` : '';
        line(`${style.cyan('?')} ${style.bold(printable(domain + asked.query))}`);
      }
      tellAsked(terminal, asked);
      line();
    },
    note(words) {
      for (const each of hanging('   ', printable(words), width, style.yellow)) line(each);
    },
  });
  if (typed) line();
}

async function pipedAnswers(system: LocalSystem): Promise<(AskedFact | RefusedFact)[]> {
  const answers: (AskedFact | RefusedFact)[] = [];
  if (process.stdin.isTTY) return answers;
  await answerLines(system, pipedLines(), {
    answer: (asked) => answers.push(asked),
    note: (words) => console.error(words),
  });
  return answers;
}

function complain(problem: string, exit_code: number): number {
  console.error(`demo: ${problem}\nTry: npm run demo -- --help`);
  return exit_code;
}

function print(facts: unknown): void {
  console.log(JSON.stringify(facts, null, 2));
}
