import { checkFields } from '#lib/core/checked-fields.ts';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { FieldName, type Fields } from '#lib/core/item.ts';
import { documentTask } from '#lib/core/judge-view.ts';
import { cut, LIMITS } from '#lib/core/limits.ts';
import { readAnswer } from '#lib/core/model-answer.ts';
import type { Completion } from '#lib/ports.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { FrontmatterOutput, render } from '#prompts/frontmatter.ts';

export type Authored = Partial<FrontmatterOutput>;

const EMPTY: FrontmatterOutput = { title: '', summary: '', keywords: [], covers: [], when_to_retrieve: '' };
const BODY_CODE_POINTS = 8000;
const TRIES = 2;

/**
 * The author's fields, completed by the model in the document's language (R3.2). Author-written ones always win; while
 * the model is down, or answers nothing usable, they stay empty and are named in `missing`.
 */
export async function completedFields(instance: Instance, document: Described): Promise<Fields> {
  return describe(instance, document).catch((error: unknown) => {
    if (!(error instanceof ModelUnavailable)) throw error;
    instance.log.warn('fields wait for the model', { path: document.path, why: error.message });
    return withoutModel(document.authored);
  });
}

export interface Described {
  path: string;
  body: string;
  authored: Authored;
}

const missingOf = (authored: Authored) => FieldName.options.filter((field) => authored[field] === undefined);

const withoutModel = (authored: Authored): Fields => ({
  ...EMPTY,
  ...authored,
  generated: [],
  missing: missingOf(authored),
});

/** The same, but throws `ModelUnavailable`: `missing` then means that the model has no usable answer for this document. */
export async function describe(instance: Instance, document: Described): Promise<Fields> {
  const { authored } = document;
  const missing = missingOf(authored);
  if (missing.length === 0) return withoutModel(authored);
  const written = await write(instance, { ...document, body: cut(document.body, BODY_CODE_POINTS), missing });
  if (!written) return withoutModel(authored);
  return { ...written, ...authored, generated: missing, missing: [] };
}

/**
 * What the model wrote, as far as the document supports it. An answer that cannot be read, or that is about something
 * else, is sent back once with the reasons; of a second one that is no better the usable part is taken, and where it has
 * none that of the first.
 */
async function write(
  { model, log }: Instance,
  input: Described & { missing: FieldName[] },
): Promise<FrontmatterOutput | undefined> {
  const { path, body, authored, missing } = input;
  const source = [path, body, ...Object.values(authored).flat()].join('\n');
  const repairs: Completion<unknown>['repairs'] = [];
  let usable: FrontmatterOutput | undefined;
  while (repairs.length < TRIES) {
    const reply = await model
      .complete({ ...render(input), repairs: [...repairs] })
      .catch((error: unknown) => {
        if (usable && error instanceof ModelUnavailable) return undefined;
        throw error;
      });
    if (!reply) break;
    const { text } = reply;
    const read = readAnswer(text, FrontmatterOutput);
    if ('problem' in read) {
      repairs.push({ reply: text, problem: read.problem });
      continue;
    }
    const { kept, dropped, problems } = checkFields(read.answer, missing, source, body);
    usable = better(withinLimits(kept), usable);
    if (dropped > 0) log.info('generated words dropped', { path, dropped });
    if (problems.length === 0) return usable;
    repairs.push({ reply: text, problem: problems.join(' ') });
  }
  if (usable) log.warn('fields are taken as far as the document supports them', { path });
  else log.warn('fields wait for a usable answer', { path, why: repairs.at(-1)?.problem });
  return usable;
}

const better = (answer: FrontmatterOutput, before: FrontmatterOutput = EMPTY): FrontmatterOutput => ({
  title: answer.title || before.title,
  summary: answer.summary || before.summary,
  keywords: answer.keywords.length > 0 ? answer.keywords : before.keywords,
  covers: answer.covers.length > 0 ? answer.covers : before.covers,
  when_to_retrieve: answer.when_to_retrieve || before.when_to_retrieve,
});

const withinLimits = (fields: FrontmatterOutput): FrontmatterOutput => ({
  title: cut(fields.title.trim(), LIMITS.title),
  summary: cut(fields.summary.trim(), LIMITS.summary),
  keywords: labels(fields.keywords, LIMITS.keywords, LIMITS.keyword),
  covers: labels(fields.covers, LIMITS.covers, LIMITS.cover),
  when_to_retrieve: cut(fields.when_to_retrieve.trim(), LIMITS.when_to_retrieve),
});

const labels = (texts: readonly string[], count: number, length: number): string[] =>
  [...new Set(texts.map((text) => cut(text.trim(), length)))].filter((text) => text !== '').slice(0, count);

/** What the document is for; one without any field is known by its first heading or its file name until it has them. */
export function taskOf(fields: Fields, path: string, body: string): string {
  const heading = /^#{1,6}[ \t]+(\S.*?)[ \t#]*$/m.exec(body)?.[1];
  const filename = path.slice(path.indexOf('/') + 1).replace(/\.[^.]*$/, '');
  return documentTask(fields) || cut(heading ?? filename, LIMITS.title);
}
