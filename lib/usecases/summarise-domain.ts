import { bucketsOf } from '#lib/core/buckets.ts';
import { checkDomainText } from '#lib/core/checked-fields.ts';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { dataText } from '#lib/core/knowledge-map.ts';
import { readAnswer } from '#lib/core/model-answer.ts';
import { sha256 } from '#lib/core/normalise.ts';
import type { Completion } from '#lib/ports.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import {
  type DomainSummaryInput,
  DomainSummaryOutput,
  languageOfDomain,
  name,
  render,
  version,
  withAdvice,
} from '#prompts/domain-summary.ts';

/** What a domain's text is made from: one unscoped live item. */
export interface Source {
  id: string;
  title: string;
  summary: string;
  when_to_retrieve: string;
}

export interface DomainText {
  description: string;
  when_to_retrieve: string;
  /** Model that wrote it. */
  model: string;
}

type ModelDown = { kind: 'model_down'; why: string };

export type Summary =
  | ({ kind: 'written' } & DomainText)
  | ModelDown
  | { kind: 'unfinished'; parts_left: number };

/** The first answer and one repair turn. */
const ANSWERS = 2;
/** Parts written, and stored ones read, side by side. */
const WRITERS = 4;
const READERS = 16;
/** Characters of one call's items or parts together: each gets an equal share. */
const CALL_CHARACTERS = 60_000;
const FIELDS = 3;
const TITLE = 200;
const SENTENCE = 600;
const WHEN_TO_RETRIEVE = 600;

/**
 * The text of a domain from its items (R5.2): one model call, or for a large domain one for each part that changed and
 * one that merges them. Stops with `unfinished` at `deadline` (epoch milliseconds); the parts that are written stay, so
 * the next run goes on from there. `ModelUnavailable` and an answer that stays invalid are `model_down`.
 */
export async function summariseDomain(
  instance: Instance,
  domain_id: string,
  sources: readonly Source[],
  deadline: number,
): Promise<Summary> {
  const buckets = bucketsOf(sources);
  if (buckets.length === 1) {
    await forgetParts(instance, domain_id, 0);
    return write(instance, { domain_id, items: itemsOf(buckets[0]!) });
  }
  const parts = await writeParts(instance, domain_id, buckets, deadline);
  if (parts.kind !== 'parts') return parts;
  await forgetParts(instance, domain_id, buckets.length);
  const share = Math.floor(CALL_CHARACTERS / parts.texts.length);
  return write(instance, { domain_id, items: [], parts: parts.texts.map((text) => dataText(text, share)) });
}

/** The text that is shown: it ends with the advice to search once, whatever the model wrote. */
async function write(instance: Instance, input: DomainSummaryInput): Promise<Summary> {
  const answer = await ask(instance, input);
  if (answer.kind === 'model_down') return answer;
  const when_to_retrieve = dataText(answer.when_to_retrieve, WHEN_TO_RETRIEVE);
  return { ...answer, when_to_retrieve: withAdvice(when_to_retrieve, languageOfDomain(input)) };
}

/** Blanks the stored parts from `from` on, the last one first: what they say may come from items that are erased. */
export async function forgetParts({ domains }: Instance, domain_id: string, from: number): Promise<void> {
  let end = from;
  while ((await domains.part(domain_id, end))?.key) end += 1;
  for (let n = end - 1; n >= from; n -= 1) await domains.savePart(domain_id, n, { key: '', text: '' });
}

async function writeParts(
  instance: Instance,
  domain_id: string,
  buckets: readonly (readonly Source[])[],
  deadline: number,
): Promise<{ kind: 'parts'; texts: string[] } | Exclude<Summary, { kind: 'written' }>> {
  const { domains, clock } = instance;
  const inputs = buckets.map((bucket): DomainSummaryInput => ({ domain_id, items: itemsOf(bucket) }));
  const keys = inputs.map((input) => keyOf(instance, input));
  const texts = new Map<number, string>();
  await inGroups([...keys.keys()], READERS, async (n) => {
    const stored = await domains.part(domain_id, n);
    if (stored?.key === keys[n]) texts.set(n, stored!.text);
  });
  const changed = [...keys.keys()].filter((n) => !texts.has(n) && buckets[n]!.length > 0);
  for (let at = 0; at < changed.length; at += WRITERS) {
    if (clock.now() >= deadline) return { kind: 'unfinished', parts_left: changed.length - at };
    const group = changed.slice(at, at + WRITERS);
    const answers = await Promise.all(group.map((n) => ask(instance, inputs[n]!)));
    for (const [which, answer] of answers.entries()) {
      if (answer.kind === 'model_down') continue;
      const n = group[which]!;
      const text = `${answer.description}\n${answer.when_to_retrieve}`;
      texts.set(n, text);
      await domains.savePart(domain_id, n, { key: keys[n]!, text });
    }
    const down = answers.find((answer) => answer.kind === 'model_down');
    if (down) return down;
  }
  return { kind: 'parts', texts: [...texts].sort(([a], [b]) => a - b).map(([, text]) => text) };
}

/** Another model or prompt writes every part anew, once. */
const keyOf = ({ model }: Instance, input: DomainSummaryInput): string =>
  sha256(JSON.stringify([name, version, model.writer.name, input]));

function itemsOf(sources: readonly Source[]): DomainSummaryInput['items'] {
  const share = Math.floor(CALL_CHARACTERS / sources.length / FIELDS);
  return sources.map(({ title, summary, when_to_retrieve }) => ({
    title: dataText(title, Math.min(TITLE, share)),
    summary: dataText(summary, Math.min(SENTENCE, share)),
    when_to_retrieve: dataText(when_to_retrieve, Math.min(SENTENCE, share)),
  }));
}

/**
 * One call, and a second that says what was wrong with the answer. Of a text that still names what its items do not
 * contain the other sentences are taken; one without any is invalid.
 */
async function ask(
  { model, log }: Instance,
  input: DomainSummaryInput,
): Promise<({ kind: 'written' } & DomainText) | ModelDown> {
  const { domain_id, items, parts = [] } = input;
  const source = [domain_id, ...items.flatMap((item) => Object.values(item)), ...parts].join('\n');
  const repairs: Completion<unknown>['repairs'] = [];
  let usable: DomainText | undefined;
  while (repairs.length < ANSWERS) {
    const reply = await model
      .complete({ ...render(input), repairs: [...repairs] })
      .catch((error: unknown) => {
        if (error instanceof ModelUnavailable) return error;
        throw error;
      });
    if (reply instanceof ModelUnavailable && usable) break;
    if (reply instanceof ModelUnavailable) return { kind: 'model_down', why: reply.message };
    const { text, problem, dropped } = readReply(reply.text, source);
    if (dropped > 0) log.info('generated sentences dropped', { domain_id, dropped });
    if (text) usable = { ...text, model: reply.model };
    if (problem === '') break;
    repairs.push({ reply: reply.text, problem });
  }
  if (usable) return { kind: 'written', ...usable };
  return { kind: 'model_down', why: `its answer stayed invalid: ${repairs.at(-1)?.problem}` };
}

/** What of the answer may be shown, and what is wrong with it. */
function readReply(
  reply: string,
  source: string,
): { text?: DomainSummaryOutput; problem: string; dropped: number } {
  const read = readAnswer(reply, DomainSummaryOutput);
  if ('problem' in read) return { problem: read.problem, dropped: 0 };
  const { kept, dropped, problems } = checkDomainText(read.answer, source);
  return { ...(kept.description !== '' && { text: kept }), problem: problems.join(' '), dropped };
}

async function inGroups<Each>(
  all: readonly Each[],
  size: number,
  work: (each: Each) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < all.length; at += size) await Promise.all(all.slice(at, at + size).map(work));
}
