import { readJudgeReply } from '#lib/core/judge-reply.ts';
import type { JudgeView } from '#lib/core/judge-view.ts';
import type { Completion, Model } from '#lib/ports.ts';
import type { Candidate } from '#prompts/judge-relations.ts';
import { render } from '#prompts/judge-relations.ts';

/** A relation from the newcomer to `to`; `ground`: a rejection rests on it. */
export interface NewcomerRelation {
  to: string;
  type: string;
  reverse: string;
  ground: boolean;
}

/** `calls`: model calls made. `unreadable` is R4.5's way out at once: an answer came, but none that can be used. */
export type Judgement =
  | {
      kind: 'verdict';
      decision: 'approved' | 'rejected';
      relations: NewcomerRelation[];
      model: string;
      calls: number;
    }
  | { kind: 'unreadable'; problem: string; calls: number };

/** The first answer and two more tries (R4.5). */
const CALLS = 3;

/**
 * Asks the judge how the newcomer relates to its candidates: one call; a reply that contradicts R4.2 is sent back once
 * with the reason, an unreadable one is asked for again (R4.2, R4.5). `ModelUnavailable` passes through.
 */
export const judge =
  (model: Model) =>
  async (newcomer: JudgeView, candidates: readonly Candidate[]): Promise<Judgement> => {
    const prompt = render({ newcomer, candidates: [...candidates] });
    const offered = candidates.map((candidate) => candidate.id);
    const repairs: Completion<unknown>['repairs'] = [];
    let problem = '';

    for (let calls = 1; calls <= CALLS; calls += 1) {
      const reply = await model.complete({ ...prompt, repairs: [...repairs] });
      const read = readJudgeReply(reply.text, offered);
      if (read.kind === 'verdict') {
        const { decision, relations } = read;
        const grounds = new Set(read.grounds.map((ground) => ground.id));
        return {
          kind: 'verdict',
          decision,
          relations: relations.map(({ old_id, type, reverse_type }) => ({
            to: old_id,
            type,
            reverse: reverse_type,
            ground: grounds.has(old_id),
          })),
          model: reply.model,
          calls,
        };
      }
      problem = read.problem;
      if (read.kind === 'repair') {
        if (repairs.length > 0) return { kind: 'unreadable', problem, calls };
        repairs.push({ reply: reply.text, problem });
      }
    }
    return { kind: 'unreadable', problem, calls: CALLS };
  };
