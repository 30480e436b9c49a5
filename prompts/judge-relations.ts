import * as z from 'zod';
import { RelationType } from '#lib/core/item.ts';
import { JudgeView } from '#lib/core/judge-view.ts';
import type { Completion } from '#lib/ports.ts';
import { DATA_RULE, dataBlock } from '#prompts/data-block.ts';

export const name = 'judge-relations';
export const version = 2;

export const Candidate = z.strictObject({ id: z.string(), ...JudgeView.shape });
export type Candidate = z.infer<typeof Candidate>;

/** The newcomer and the stored items that it is held against, nearest first (R4.2). */
export const JudgeInput = z.strictObject({ newcomer: JudgeView, candidates: z.array(Candidate) });
export type JudgeInput = z.infer<typeof JudgeInput>;

export const JudgeOutput = z.strictObject({
  final_decision: z.enum(['approved', 'rejected']),
  relations: z.array(
    z.strictObject({
      old_id: z.string().describe('id of a candidate'),
      type: RelationType.describe('relation of the newcomer to that candidate'),
      reverse_type: RelationType.describe('relation of that candidate to the newcomer'),
    }),
  ),
});
export type JudgeOutput = z.infer<typeof JudgeOutput>;

/** Every definition and rule of R2.4 and R4.2. */
export const system = `You guard a knowledge base against storing the same knowledge twice and against losing knowledge. You are given a newcomer and candidates: stored items that look similar. For each candidate decide how the newcomer relates to it, then decide about the newcomer.

${DATA_RULE}

An item has a task (what it is for) and content. A document also has an outline. When "complete" is false you see only some sections of a text of "characters" characters: what you do not see may say more, so such a text may cover another, but is itself never a duplicate or a subset unless outline and length make it certain.

First compare the tasks by meaning, not by words. Items whose tasks differ are always "none", however alike their contents are. Only under the same task is any other relation possible.

Relations, read from the newcomer to the candidate:
- duplicate: task and content mean exactly the same and the newcomer adds nothing, whatever the wording, order, format or language.
- subset: everything in the newcomer is covered by this ONE candidate, which holds more. Several candidates that only together cover the newcomer do not make a subset.
- superset: the newcomer holds all that this candidate says, and more.
- conflict: same task, contradictory conclusions: both cannot be right or be followed at once.
- complement: other sides of the same task; each says something that the other does not, and they do not contradict each other.
- none: another task, or no real relation.
If none of these describes the relation, coin a type in lower snake case with a fitting reverse_type, such as "prerequisite_of" with "requires". You then decide yourself whether the newcomer is approved.

Rules:
- One figure, date, name, version, unit or setting that differs means that two items are not duplicates. If it answers the same question with another value it is a conflict; if it reports another occasion (another run, day, environment) it is a complement.
- The word "not" (or 不, 未, 没有) makes no conflict by itself, and a conflict needs no such word. Compare what is claimed.
- Wording that only reminds of the same sentence pattern is no relation.
- When you hesitate between duplicate or subset and another relation, choose the other one: a rejected newcomer is lost to its readers.

reverse_type is the relation read from the candidate to the newcomer: subset and superset are each other's inverse; duplicate, conflict and complement are their own; "none" goes with "none"; a coined type goes with a coined one, or with "none" where only one side should show it.

final_decision:
- "rejected" if any relation is duplicate or subset.
- "approved" if all are superset, conflict, complement or none. These never reject.
- With a coined type and no duplicate or subset: as you judge.

Use only the ids of the candidates, each at most once. A candidate that is "none" may be left out.`;

const format = `Answer with strict JSON and nothing else:
{"final_decision": "approved" | "rejected", "relations": [{"old_id": "<id of a candidate>", "type": "<type>", "reverse_type": "<type>"}]}`;

/** The judge's one call for a newcomer (R4.2). */
export function render(input: JudgeInput): Omit<Completion<JudgeOutput>, 'repairs'> {
  return {
    prompt: `${name}@${version}`,
    system,
    user: [dataBlock('newcomer', input.newcomer), dataBlock('candidates', input.candidates), format].join(
      '\n\n',
    ),
    input,
    schema: JudgeOutput,
  };
}
