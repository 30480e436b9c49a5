import * as z from 'zod';
import type { Ground } from '#lib/core/item.ts';
import { RelationType } from '#lib/core/item.ts';
import { answersIn } from '#lib/core/model-answer.ts';
import { isKnownType, rejects, reverseOf } from '#lib/core/relation-types.ts';

/** One relation as the judge wrote it, from the newcomer to a stored item. */
export interface JudgedRelation {
  old_id: string;
  type: string;
  reverse_type: string;
}

/**
 * What a judge's reply comes to (R4.5): a verdict that obeys R4.2; `repair` = readable but wrong, `problem` is written
 * for the model; `retry` = nothing readable in it. `relations` are all but `none`; `grounds` say on which of them a
 * rejection rests.
 */
export type JudgeReply =
  | {
      kind: 'verdict';
      decision: 'approved' | 'rejected';
      relations: JudgedRelation[];
      grounds: Ground[];
    }
  | { kind: 'repair'; problem: string }
  | { kind: 'retry'; problem: string };

const lowered = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);

// Foreign text is read loosely: capitals, and keys that were not asked for (a model's reasoning), do no harm.
const Envelope = z.object({
  final_decision: z.preprocess(lowered, z.enum(['approved', 'rejected'], 'must be "approved" or "rejected"')),
  relations: z.array(
    z.object({
      old_id: z.string('must be a string').trim(),
      type: z.unknown().optional(),
      reverse_type: z.unknown().optional(),
    }),
    'must be a list of objects {old_id, type, reverse_type}',
  ),
});
type Envelope = z.infer<typeof Envelope>;

const VERDICT = { keys: ['final_decision'], lists: ['relations'] };

const repair = (problem: string): JudgeReply => ({ kind: 'repair', problem });

/** Reads and validates a judge's raw reply against the ids that it was offered (R4.2, R4.5). */
export function readJudgeReply(raw: string, offered: readonly string[]): JudgeReply {
  const objects = answersIn(raw, VERDICT);
  const decided = objects.filter((value) => 'final_decision' in value);
  const verdicts = decided.length > 0 || !isJson(raw) ? decided : objects;
  if (verdicts.length === 0) return { kind: 'retry', problem: 'The reply holds no complete JSON object.' };
  if (new Set(verdicts.map((value) => JSON.stringify(value))).size > 1) {
    return repair('The reply holds several different verdicts. Answer with exactly one JSON object.');
  }
  const envelope = Envelope.safeParse(verdicts[0]);
  if (!envelope.success) return repair(envelope.error.issues.map(sentence).join(' '));

  const named = readRelations(envelope.data, offered);
  return typeof named === 'string' ? repair(named) : decide(envelope.data, named, offered);
}

/** Tells a complete object of the wrong shape from one that stands inside a reply that was cut off. */
function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== null;
  } catch {
    return false;
  }
}

const sentence = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  `"${path.join('.')}" ${message}.`;

/** The relations to offered ids, one an id, `none` left out; or what is wrong with them. */
function readRelations(envelope: Envelope, offered: readonly string[]): JudgedRelation[] | string {
  const byId = new Map<string, JudgedRelation>();
  for (const { old_id, type, reverse_type } of envelope.relations) {
    if (!offered.includes(old_id)) continue;
    const forward = RelationType.safeParse(lowered(type));
    if (!forward.success) return notSnakeCase('type', type, old_id);
    const reverse = readReverse(forward.data, reverse_type);
    if (reverse === undefined) return notSnakeCase('reverse_type', reverse_type, old_id);
    if (reverse !== reverseOf(forward.data) && reverse !== 'none' && isKnownType(reverse))
      return `The relation to ${old_id} is "${forward.data}" one way and "${reverse}" the other. The inverse of a known type is known: give a type of your own for both ways, or a known one.`;

    const before = byId.get(old_id);
    if (before !== undefined && before.type !== 'none' && forward.data !== 'none') {
      if (before.type === forward.data) continue;
      return `Two different relations to ${old_id}: "${before.type}" and "${forward.data}". Give the one that fits best.`;
    }
    if (before === undefined || before.type === 'none') {
      byId.set(old_id, { old_id, type: forward.data, reverse_type: reverse });
    }
  }
  return [...byId.values()].filter((relation) => relation.type !== 'none');
}

/** R2.4 fixes the inverse of a known type, whatever the reply says; a coined type brings its own. */
function readReverse(type: string, reverse: unknown): string | undefined {
  const fixed = reverseOf(type);
  if (isKnownType(type) || reverse === undefined || reverse === null || reverse === '') return fixed;
  const own = RelationType.safeParse(lowered(reverse));
  return own.success ? own.data : undefined;
}

const notSnakeCase = (field: string, value: unknown, id: string): string =>
  value === undefined
    ? `The relation to ${id} has no ${field}, such as "complement" or "prerequisite_of".`
    : `The ${field} ${JSON.stringify(value)} of the relation to ${id} is not lower snake case, such as "complement" or "prerequisite_of".`;

/** Holds the verdict against R4.2. */
function decide(envelope: Envelope, relations: JudgedRelation[], offered: readonly string[]): JudgeReply {
  const decision = envelope.final_decision;
  const known = relations.filter((relation) => rejects(relation.type));
  if (decision === 'approved') {
    if (known.length === 0) return { kind: 'verdict', decision, relations, grounds: [] };
    const { old_id, type } = known[0]!;
    return repair(
      `The relation to ${old_id} is "${type}", but final_decision is "approved". A duplicate or a subset of one stored item is always rejected: change the decision, or the type if it was wrong.`,
    );
  }
  const resting = known.length > 0 ? known : relations.filter((relation) => !isKnownType(relation.type));
  if (resting.length > 0) {
    const grounds = resting.map((relation) => ({ id: relation.old_id, type: relation.type }));
    return { kind: 'verdict', decision, relations, grounds };
  }
  const strangers = envelope.relations.filter((relation) => !offered.includes(relation.old_id));
  return repair(
    strangers.length > 0
      ? `final_decision is "rejected", but ${strangers.map((relation) => JSON.stringify(relation.old_id.slice(0, 80))).join(', ')} is no id that was offered. Use only these ids: ${offered.join(', ')}.`
      : 'final_decision is "rejected" without a ground. Only a duplicate, a subset or a coined relation to an offered item is a ground; superset, conflict, complement and none mean "approved".',
  );
}
