import * as fc from 'fast-check';
import { Basis, type Draft, type Entry, Event, type LivePayload, PIPELINE } from '#lib/core/entry.ts';
import { step } from '#lib/core/fold.ts';
import { emptyFold, isLiveState } from '#lib/core/fold-state.ts';
import type { Ground } from '#lib/core/item.ts';
import { idOf } from '#test/support/ledger.ts';

const IDS = [1, 2, 3, 4, 5, 6].map(idOf);
const Id = fc.constantFrom(...IDS);

const PIPELINE_EVENTS: readonly Event[] = ['admitted', 'rejected'];

/** What an item brings: two paths with two versions each, two entries; three texts, which may change. */
const factsOf = (id: string, text: number): Pick<Draft, 'path' | 'fingerprint' | 'scopes'> => {
  const n = IDS.indexOf(id);
  return {
    ...(n < 4 && { path: n < 2 ? 'd/a.md' : 'd/支付 🚀.md' }),
    fingerprint: `text ${(n + text) % 3}`,
    scopes: n % 3 === 2 ? ['org:a', 'org:b'] : [],
  };
};

const Writer = fc.record({
  by: fc.constantFrom(PIPELINE, PIPELINE, 'a human', 'sweep'),
  event: fc.constantFrom(...Event.options, ...PIPELINE_EVENTS, ...PIPELINE_EVENTS),
});

/** A check, an amendment and a human's rejection leave the item at its place. */
const staysInPlace = ({ by, event }: Pick<Draft, 'by' | 'event'>) =>
  event === 'checked' || event === 'amended' || (event === 'rejected' && by !== PIPELINE);

const Words = fc.array(
  fc.constantFrom('', 'API', 'e\u0301', '支付', '🚀', 'a longer phrase of several words'),
  { maxLength: 3 },
);

const Payload: fc.Arbitrary<LivePayload> = fc.record({
  kind: fc.constantFrom('entry', 'document'),
  domain: fc.constantFrom('payment', 'infrastructure'),
  title: fc.constantFrom('', 'a title', '标题', 'a title that is longer than the others'),
  keywords: Words,
  keywords_by_author: fc.boolean(),
  covers: Words,
});

/** Any entry that the types allow, right or wrong. */
const AnyDraft: fc.Arbitrary<Draft> = fc
  .record({
    writer: Writer,
    id: Id,
    attempt: fc.integer({ min: 1, max: 4 }),
    path_seq: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    sources: fc.uniqueArray(Id, { maxLength: 2 }),
    reason: fc.constantFrom('known', 'superseded', 'blocked', undefined),
    grounds: fc.uniqueArray(
      fc.record({ id: Id, type: fc.constantFrom('duplicate', 'subset', 'restates', 'blocked') }),
      { maxLength: 3, selector: ({ id }) => id },
    ),
    needs_review: fc.constantFrom(undefined, undefined, 'somebody should look'),
    at: fc.nat(2_000_000_000),
    basis: fc.constantFrom(undefined, ...Basis.options),
    model: fc.constantFrom(undefined, 'a judge', 'rules (stand-in)'),
    note: fc.constantFrom(undefined, '', 'not what we do any more 🙈'),
    relations: fc.option(
      fc.uniqueArray(
        fc.record({
          to: Id,
          type: fc.constantFrom('conflict', 'supersedes'),
          reverse: fc.constantFrom('conflict', 'none'),
        }),
        { maxLength: 2, selector: ({ to }) => to },
      ),
      { nil: undefined },
    ),
    live: fc.option(Payload, { nil: undefined, freq: 9 }),
    text: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ writer, id, reason, text, ...rest }) => ({
    decision_id: '',
    item_id: id,
    ...rest,
    ...writer,
    ...factsOf(id, text),
    reason: writer.event !== 'rejected' ? undefined : writer.by === PIPELINE ? reason : 'human',
    path_seq: staysInPlace(writer) ? undefined : rest.path_seq,
  }));

/**
 * Mostly with the attempt that is next, or hardly anything would count. Grounds are what stood when the judge looked:
 * live, or, for a block, rejected by a human.
 */
export const AnyLedger: fc.Arbitrary<Entry[]> = fc
  .array(fc.tuple(AnyDraft, fc.nat(9)), { maxLength: 40, size: 'medium' })
  .map((drafts) => {
    const f = emptyFold();
    return drafts.map(([draft, wild], n) => {
      const next = (f.items.get(draft.item_id)?.attempt ?? 0) + 1;
      const stands = ({ id, type }: Ground) =>
        type === 'blocked' ? f.items.get(id)?.reason === 'human' : isLiveState(f.items.get(id));
      const entry = {
        ...draft,
        position: n + 1,
        decision_id: `decision ${n + 1}`,
        attempt: wild === 0 ? draft.attempt : next,
        // A human's rejection rests on nothing but the word.
        grounds:
          draft.reason === 'human'
            ? []
            : (draft.grounds ?? []).filter((ground) => ground.id !== draft.item_id && stands(ground)),
      };
      step(f, entry);
      return entry;
    });
  });
