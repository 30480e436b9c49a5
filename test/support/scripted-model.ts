import { reverseOf } from '#lib/core/relation-types.ts';
import type { Completion, Model, Reply } from '#lib/ports.ts';
import type { DomainSummaryInput } from '#prompts/domain-summary.ts';
import { DomainSummaryInput as DomainSummary } from '#prompts/domain-summary.ts';
import { FrontmatterInput as Frontmatter, type FrontmatterInput } from '#prompts/frontmatter.ts';
import { type Candidate, JudgeInput as Judge, type JudgeInput } from '#prompts/judge-relations.ts';

/** An answer of the model: its text, or what it throws. */
export type Answer = string | Error;

export interface Script {
  judge?: (input: JudgeInput, completion: Completion<unknown>) => Answer;
  frontmatter?: (input: FrontmatterInput, completion: Completion<unknown>) => Answer;
  domainSummary?: (input: DomainSummaryInput, completion: Completion<unknown>) => Answer;
  /** One text's vector. */
  embed?: (text: string, role: 'query' | 'passage') => number[] | Error;
  /** Awaited before each answer: lets a test hold a model's thought. */
  before?: (what: 'embed' | 'complete') => Promise<void>;
}

export interface ScriptedModel extends Model {
  /** The script may be changed between calls. */
  script: Script;
  /** Texts embedded, one list a call. */
  readonly embeds: string[][];
  readonly completions: Completion<unknown>[];
  /** Number of `complete` calls for a prompt, e.g. `judge-relations`; all without one. */
  calls(prompt?: string): number;
}

/** A model that answers as told, counts every call, and throws at whatever it was not told about. */
export function scriptedModel(script: Script = {}, dimensions = 4): ScriptedModel {
  const embeds: string[][] = [];
  const completions: Completion<unknown>[] = [];
  const model: ScriptedModel = {
    script,
    embeds,
    completions,
    embedder: { name: 'scripted-embedder', dimensions, stand_in: false },
    writer: { name: 'scripted-writer', stand_in: false },
    calls: (prompt) => completions.filter((each) => prompt === undefined || nameOf(each) === prompt).length,
    async embed(texts, role) {
      embeds.push([...texts]);
      await model.script.before?.('embed');
      return texts.map((text) => told(model.script.embed, 'embed')(text, role)).map(orThrow);
    },
    async complete(completion): Promise<Reply> {
      completions.push(completion);
      await model.script.before?.('complete');
      return { text: orThrow(answer(model.script, completion)), model: 'scripted-writer' };
    },
  };
  return model;
}

const nameOf = (completion: Completion<unknown>): string => completion.prompt.split('@')[0] ?? '';

function answer(script: Script, completion: Completion<unknown>): Answer {
  const prompt = nameOf(completion);
  const { input } = completion;
  switch (prompt) {
    case 'judge-relations':
      return told(script.judge, prompt)(Judge.parse(input), completion);
    case 'frontmatter':
      return told(script.frontmatter, prompt)(Frontmatter.parse(input), completion);
    case 'domain-summary':
      return told(script.domainSummary, prompt)(DomainSummary.parse(input), completion);
    default:
      throw new Error(`The scripted model knows no prompt "${prompt}".`);
  }
}

function told<Step>(step: Step | undefined, what: string): Step {
  if (step === undefined) throw new Error(`The scripted model was not told how to answer "${what}".`);
  return step;
}

function orThrow<Value>(value: Value | Error): Value {
  if (value instanceof Error) throw value;
  return value;
}

/** A judge that answers by a function over pairs, with the inverse and the decision of R2.4 and R4.2. */
export const pairwiseJudge =
  (relate: (newcomer: JudgeInput['newcomer'], old: Candidate) => string) =>
  (input: JudgeInput): string => {
    const relations = input.candidates
      .map((old) => ({ old_id: old.id, type: relate(input.newcomer, old) }))
      .filter(({ type }) => type !== 'none')
      .map((relation) => ({ ...relation, reverse_type: reverseOf(relation.type) }));
    const rejected = relations.some(({ type }) => type === 'duplicate' || type === 'subset');
    return JSON.stringify({ final_decision: rejected ? 'rejected' : 'approved', relations });
  };
