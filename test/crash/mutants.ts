/** A protocol with one rule removed: text replaced in one or more files. */
export interface Mutant {
  rule: string;
  edits: { file: string; from: string; to: string }[];
  /** Where it bites first. */
  arguments: string[];
}

const HISTORIES = ['--only-histories', '--histories', '600'];
const within = (scenario: string, fault: string) => [
  '--scenario',
  scenario,
  '--fault',
  fault,
  '--histories',
  '300',
];

export const MUTANTS: readonly Mutant[] = [
  {
    rule: 'path_seq',
    edits: [
      {
        file: 'lib/core/fold-effects.ts',
        from: 'if (path && seq < path.maxseq) {',
        to: 'if (path && seq < -1) {',
      },
      {
        file: 'lib/core/admission.ts',
        from: 'pathOf(f, me.path).maxseq > (me.path_seq ?? 0)',
        to: 'pathOf(f, me.path).maxseq < 0',
      },
    ],
    arguments: within('three uploads at one path', 'killed'),
  },
  {
    rule: 'position guard',
    edits: [
      { file: 'lib/adapters/memory/items.ts', from: 'if (row && row.pos >= position) return false;', to: '' },
    ],
    arguments: within('replaced, and what leaned', 'frozen'),
  },
  {
    rule: 'tail after W',
    edits: [{ file: 'lib/usecases/recall.ts', from: '...liveAfter(f, me, W).map(({ id }) => id)', to: '' }],
    arguments: HISTORIES,
  },
  {
    rule: 'newly-live check',
    edits: [
      { file: 'lib/core/admission.ts', from: 'if (newly_live.length > 0)', to: 'if (newly_live.length < 0)' },
    ],
    arguments: HISTORIES,
  },
  {
    rule: 'ground-loss check',
    edits: [
      {
        file: 'lib/core/admission.ts',
        from: 'return isLiveState(x) && x.live_pos <= view.judged;',
        to: 'return x !== undefined;',
      },
    ],
    arguments: HISTORIES,
  },
  {
    rule: 'contiguous fold',
    edits: [
      { file: 'lib/core/fold.ts', from: 'e.position !== f.position + 1', to: 'e.position <= f.position' },
    ],
    arguments: within('every relation', 'partial'),
  },
  {
    rule: 'scope rule',
    edits: [
      {
        file: 'lib/core/relevance.ts',
        from: 'stored.length === 0 || (newcomer.length > 0',
        to: 'newcomer.length >= 0 || (newcomer.length > 0',
      },
    ],
    arguments: within('twins in other scopes', 'killed'),
  },
  {
    rule: 'tombstones',
    edits: [
      {
        file: 'lib/adapters/memory/items.ts',
        from: 'if (!row || erase) return set(tombstone(id, position, decision));',
        to: 'if (!row || erase) return rows.delete(id);',
      },
    ],
    arguments: within('deleted while a version waits', 'killed'),
  },
  {
    rule: 'claim clearing',
    edits: [
      {
        file: 'lib/adapters/memory/items.ts',
        from: 'const { claim: _claim, judge_failures: _failures, next_at: _next, ...rest } = row;',
        to: 'const { judge_failures: _failures, next_at: _next, ...rest } = row;',
      },
    ],
    arguments: within('one document', 'twice'),
  },
  {
    rule: 'conditional W',
    edits: [
      {
        file: 'lib/adapters/memory/projections.ts',
        from: 'row.lease?.token !== token || row.W !== seen.W || row.physical !== seen.physical',
        to: '!token || !seen',
      },
    ],
    arguments: within('W moved by one who slept', 'partial'),
  },
  {
    rule: 'partial-answer check',
    edits: [
      {
        file: 'lib/usecases/recall.ts',
        from: 'await index.nearest(physical, mine.vector, settings.recall_k, me.scopes)',
        to: 'await index.nearest(physical, mine.vector, settings.recall_k, me.scopes).catch(() => [])',
      },
    ],
    arguments: within('every relation', 'partial'),
  },
  {
    rule: 'fingerprint, with more siblings than k-NN returns',
    edits: [
      {
        file: 'lib/core/admission.ts',
        from: 'const twins = twinsOf(f, me);',
        to: 'const twins = twinsOf(f, me).slice(0, 0);',
      },
    ],
    arguments: within('a twin among more siblings', 'killed'),
  },
  {
    rule: 'own-item check together with the version rule',
    edits: [
      { file: 'lib/core/relevance.ts', from: 'x.id !== me.id && (x.path', to: '(x.path' },
      {
        file: 'lib/core/fold.ts',
        from: 'if (s.e.attempt !== attemptOf(s.f, s.e.item_id) + 1) return false;',
        to: '',
      },
      {
        file: 'lib/core/fold.ts',
        from: "return known === undefined || known.status === 'pending';",
        to: 'return true;',
      },
      {
        file: 'lib/core/admission.ts',
        from: 'isRemoved(f, row.id) || attemptOf(f, row.id) >= row.attempt',
        to: 'isRemoved(f, row.id) || attemptOf(f, row.id) > row.attempt',
      },
    ],
    arguments: within('one document', 'twice'),
  },
  {
    rule: 'a snapshot is of what was folded up to its position',
    edits: [
      {
        file: 'lib/usecases/store-catalog.ts',
        from: 'encodeSnapshot(f, catalog.head,',
        to: 'encodeSnapshot({ ...f, position: position - 1 }, catalog.head,',
      },
      {
        file: 'lib/usecases/store-catalog.ts',
        from: 'put(SNAPSHOT_SCHEMA, position, bytes)',
        to: 'put(SNAPSHOT_SCHEMA, position - 1, bytes)',
      },
      { file: 'lib/usecases/stored-catalogs.ts', from: ' || entry.decision_id !== head', to: '' },
    ],
    arguments: HISTORIES,
  },
  {
    rule: 'no snapshot outlives an erasure',
    edits: [
      {
        file: 'lib/usecases/store-catalog.ts',
        from: '|| (latest > 0 && latest < erased_at)',
        to: '|| erased_at < 0',
      },
      { file: 'lib/usecases/store-catalog.ts', from: '|| each.position < erased_at', to: '|| erased_at < 0' },
    ],
    arguments: HISTORIES,
  },
  {
    rule: 'vectors that come late',
    edits: [
      {
        file: 'lib/usecases/sweep.ts',
        from: 'report.vectors_swept += await sweepVectors(instance);',
        to: '',
      },
    ],
    arguments: within('vectors of what was removed', 'killed'),
  },
];
