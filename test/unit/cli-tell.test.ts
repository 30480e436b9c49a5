import { expect, test } from 'vitest';
import { countResults, type PushedFile, type PushFacts } from '../../bin/support/cli-facts.ts';
import { tellReview } from '../../bin/support/cli-review.ts';
import { tellLookup, tellPush, tellStatus } from '../../bin/support/cli-tell.ts';
import { createTerminal, displayWidth } from '../../bin/support/terminal.ts';

/** What a terminal of this width was told, without colours. */
function told(width: number, tell: (terminal: ReturnType<typeof createTerminal>) => void): string[] {
  let text = '';
  tell(createTerminal({ columns: width, write: (more) => (text += more) }, {}));
  return text.split('\n').slice(0, -1);
}

const pushed = (path: string, more: Partial<PushedFile>): PushedFile => ({
  origin: path,
  path,
  decision: 'admitted',
  relations: [],
  generated: [],
  generated_by: [],
  warnings: [],
  ...more,
});

const facts = (results: PushedFile[], more: Partial<PushFacts> = {}): PushFacts => ({
  url: 'http://h',
  folder: 'notes',
  files: results.length,
  results,
  skipped: [],
  kinds: countResults(results),
  interrupted: false,
  elapsed_ms: 1234,
  ...more,
});

const all = [
  pushed('ops/blank.md', {
    decision: 'failed',
    why: 'content is blank',
    code: 'invalid_input',
    field: 'content',
  }),
  pushed('ops/a.md', { basis: 'no_candidates', warnings: ['cut:title', 'cut:title'] }),
  pushed('支付/退款.md', { decision: 'rejected', relations: [{ type: 'duplicate', to: '支付/旧.md' }] }),
  pushed('ops/b.md', { basis: 'judge', relations: [{ type: 'conflict', to: 'mail/x.md' }] }),
  pushed('ops/c.md', { decision: 'unchanged', status: 'rejected' }),
  pushed('ops/d.md', { decision: 'waiting', why: 'not decided in time' }),
];

test('API a push is told as an aligned table, what failed last, with the counts below', () => {
  expect(told(100, (terminal) => tellPush(terminal, facts(all)))).toEqual([
    'DECISION   PATH          WHY',
    'admitted   ops/a.md      nothing stored is near it',
    '           ! "title" is too long: cut',
    'rejected   支付/退款.md  duplicate of 旧.md',
    'admitted   ops/b.md      conflict: contradicts mail/x.md; both stay',
    'unchanged  ops/c.md      it was there already (rejected)',
    'waiting    ops/d.md      not decided in time',
    'failed     ops/blank.md  content is blank (invalid_input, field content)',
    '',
    '      1  admitted',
    '      1  admitted: conflict',
    '      1  rejected: duplicate',
    '      1  waiting',
    '      1  unchanged',
    '      1  failed',
    '',
    '6 files in 1.2 s.',
  ]);
});

test('API a path is never cut, however long, and a reason stays in its column', () => {
  const path = `ops/${'very-long-name-'.repeat(6)}.md`;
  const lines = told(60, (terminal) =>
    tellPush(
      terminal,
      facts([pushed(path, { decision: 'failed', why: 'one reason of several words that takes lines' })]),
    ),
  );
  expect(lines[1]).toBe(`failed     ${path}`);
  const reason = lines.slice(2, lines.indexOf(''));
  expect(reason.map((line) => line.trim()).join(' ')).toBe('one reason of several words that takes lines');
  expect(new Set(reason.map((line) => line.search(/\S/)))).toEqual(new Set([lines[0]!.indexOf('WHY')]));
  for (const line of reason) expect(displayWidth(line)).toBeLessThanOrEqual(60);
});

test('API somebody else’s text cannot steer the terminal', () => {
  const lines = told(100, (terminal) =>
    tellPush(terminal, facts([pushed('ops/\u001b[31m.md', { decision: 'failed', why: 'no\u0007\nyes' })])),
  );
  expect(lines[1]).toBe('failed     ops/·[31m.md  no··yes');
});

test('API an interrupted push says what was done and that it can be repeated', () => {
  const lines = told(100, (terminal) =>
    tellPush(terminal, facts([all[1]!, all[5]!], { files: 9, interrupted: true })),
  );
  expect(lines.slice(-2).join(' ')).toBe(
    'Interrupted: 2 of 9 files uploaded, 1 of them seen decided. Those go on by themselves; push again for the rest.',
  );
});

test('API what was left alone in the folder is told, ten at most', () => {
  const skipped = Array.from({ length: 12 }, (_, n) => ({ origin: `f${n}.png`, why: 'not Markdown' }));
  const lines = told(100, (terminal) => tellPush(terminal, facts([], { skipped })));
  expect(lines.slice(0, 3)).toEqual(['', '12 files and folders left alone', '  f0.png: not Markdown']);
  expect(lines.slice(11, 13)).toEqual(['  f9.png: not Markdown', '  +2 more']);
});

const reply = {
  request_id: 'r',
  level: 'L1',
  confidence: 'low',
  documents: [
    {
      id: 'knowledge-20260101-aaaa',
      path: 'ops/a.md',
      title: 'A',
      domain: 'ops',
      excerpt: '## Steps\r\n\r\n\tmailctl restart  --now\n',
      truncated: true,
      score: 0.5,
      section: 'A > Steps',
    },
  ],
  message: 'Found 1 document.',
  suppressed: [{ id: 'i', path: 'ops/b.md', reason: 'already_returned' }],
  session: { searched_domains: ['ops'] },
  took_ms: 1,
  stand_ins: ['stand-in-hash-512'],
};

test('R6.1 an answer is told with its excerpts as they are', () => {
  expect(told(100, (terminal) => tellLookup(terminal, reply))).toEqual([
    'L1, confidence low, by stand-in-hash-512',
    '',
    'A',
    '  ops/a.md § A > Steps',
    '  ## Steps',
    '',
    '      mailctl restart  --now',
    '  (there is more of it)',
    '',
    'Found 1 document.',
    '  held back: ops/b.md (already_returned)',
    'searched in this session: ops',
  ]);
});

test('R6.1 an answer without documents is told by its message', () => {
  const nothing = {
    ...reply,
    documents: [],
    suppressed: [],
    session: { searched_domains: [] },
    stand_ins: [],
  };
  expect(
    told(100, (terminal) => tellLookup(terminal, { ...nothing, message: 'Nothing was found.' })),
  ).toEqual(['nothing handed over', '', 'Nothing was found.']);
});

test('API a status is told row by row, with the names of its relations', () => {
  const status = {
    id: 'knowledge-20260101-aaaa',
    kind: 'document',
    path: 'ops/a.md',
    status: 'rejected',
    decision: 'It was rejected: it is known already.',
    model: 'stand-in-rules',
    decided_at: 1_767_225_600,
    grounds: [],
    relations: [],
  } as const;
  const lines = told(100, (terminal) =>
    tellStatus(terminal, { ...status, grounds: [], relations: [] }, [{ type: 'subset', to: 'ops/b.md' }]),
  );
  expect(lines).toEqual([
    'id          knowledge-20260101-aaaa',
    'kind        document',
    'path        ops/a.md',
    'status      rejected',
    'decision    It was rejected: it is known already.',
    'judged by   stand-in-rules',
    'decided at  2026-01-01T00:00:00.000Z',
    'relation    subset ops/b.md',
  ]);
});

test('API what waits for a word is told with its decision and the reason', () => {
  const items = [
    {
      id: 'knowledge-20260101-aaaa',
      path: 'ops/a.md',
      task: 'A',
      status: 'approved',
      decision: 'It was admitted without a verdict.',
      needs_review: 'the judge could not be reached 7 times in 15 minutes: throttled',
    },
    { id: 'knowledge-20260101-bbbb', task: 'rotate keys\nmore', status: 'rejected', decision: 'Known.' },
  ];
  expect(told(100, (terminal) => tellReview(terminal, { rejected: false }, { items, more: true }))).toEqual([
    'ops/a.md',
    '  knowledge-20260101-aaaa',
    '  approved: It was admitted without a verdict.',
    '  look at it: the judge could not be reached 7 times in 15 minutes: throttled',
    '',
    'rotate keys',
    '  knowledge-20260101-bbbb',
    '  rejected: Known.',
    '',
    'There are more: --limit N',
  ]);
  const nothing = (rejected: boolean) =>
    told(100, (terminal) => tellReview(terminal, { rejected }, { items: [], more: false }));
  expect([nothing(false), nothing(true)]).toEqual([['Nothing waits for a word.'], ['Nothing was rejected.']]);
});
