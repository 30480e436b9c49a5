import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentTask, JUDGE_VIEW_BUDGET, JudgeView, judgeView, judgeViews } from '#lib/core/judge-view.ts';

const section = (name: string, size: number) => `## ${name}\n\n${`${name} `.repeat(size)}`.trim();
const long = (...names: string[]) => `# Manual\n\n${names.map((name) => section(name, 150)).join('\n\n')}`;
const document = (body: string) => ({ kind: 'document', task: 'Manual', title: 'Manual', body }) as const;
const codePoints = (text: string) => [...text].length;

test('a document’s task is title, summary, covers and when_to_retrieve, a line each, empty ones left out', () => {
  const fields = { title: '支付超时', summary: '先查网关。', covers: ['超时', ' '], when_to_retrieve: '' };
  expect(documentTask(fields)).toBe('支付超时\n先查网关。\n超时');
});

test('R4.2 of an entry the judge sees task and content', () => {
  const body = '  Drain the node.\n';
  expect(judgeView({ kind: 'entry', task: 'Restart', title: '', body })).toEqual({
    task: 'Restart',
    outline: '',
    content: body,
    complete: true,
    characters: 18,
  });
});

test('R4.2 a document within the budget is shown whole, with its outline', () => {
  const view = judgeView(document('# Manual\n\nIntro.\n\n## Causes\n\nNone.'));
  expect(view).toMatchObject({ content: '# Manual\n\nIntro.\n\n## Causes\n\nNone.', complete: true });
  expect(view.outline.split('\n').map((line) => line.replace(/^[#\s-]*/, ''))).toEqual(['Manual', 'Causes']);
});

test('R4.2 beyond the budget whole sections are shown, the preferred ones first, in the order of the text', () => {
  const body = long('alpha', 'bravo', 'gamma', 'delta');
  const prefer =
    () =>
    ({ text }: { text: string }) =>
      /delta/.test(text) ? 2 : /bravo/.test(text) ? 1 : 0;
  const { content, complete, characters } = judgeView(document(body), { budget: 2100, prefer });
  expect(content).toBe(`${section('bravo', 150)}\n\n${section('delta', 150)}`);
  expect({ complete, characters }).toEqual({ complete: false, characters: codePoints(body) });
});

test('R4.2 without a preference the first sections are shown', () => {
  const { content } = judgeView(document(long('alpha', 'bravo', 'gamma')), { budget: 2100 });
  expect(content).toContain('alpha');
  expect(content).not.toContain('gamma');
});

test('R4.2 headings take at most a quarter of the budget', () => {
  const body = Array.from({ length: 3000 }, (_, n) => `## Heading number ${n}\n\nText.`).join('\n\n');
  const view = judgeView(document(body));
  expect(codePoints(view.outline)).toBeLessThanOrEqual(JUDGE_VIEW_BUDGET / 4);
  expect(codePoints(view.content)).toBeGreaterThan(JUDGE_VIEW_BUDGET / 4);
});

test('R4.2 a single line longer than the budget is still shown, never half a character', () => {
  const { content, complete } = judgeView(document('😀'.repeat(9000)), { budget: 501 });
  expect(complete).toBe(false);
  expect(codePoints(content)).toBeGreaterThan(0);
  expect(content).toBe('😀'.repeat(codePoints(content)));
});

test('R4.2 no view passes its budget or tears a character, and a complete one is the text itself', () => {
  const line = fc.oneof(
    fc.constantFrom('# 标题', '## B', '```', '| a | b |', '', '😀😀'),
    fc.string({ unit: 'grapheme' }),
  );
  const body = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(
      body,
      fc.integer({ min: 10, max: 300 }),
      fc.constantFrom('entry', 'document'),
      (text, budget, kind) => {
        const view = JudgeView.parse(judgeView({ kind, task: 't', title: 'T', body: text }, { budget }));
        expect(codePoints(view.outline) + codePoints(view.content)).toBeLessThanOrEqual(budget);
        expect(view.complete ? view.content : text).toBe(text);
        expect(view.content.isWellFormed()).toBe(true);
      },
    ),
  );
});

test('R4.2 a text that fits is shown whole: its own headings take only the room that is left', () => {
  const body = `# Manual\n\n${section('alpha', 100)}\n\n${section('bravo', 100)}`;
  expect(judgeView(document(body), { budget: codePoints(body) })).toMatchObject({
    outline: '',
    content: body,
    complete: true,
  });
  expect(judgeView(document(body), { budget: codePoints(body) + 8 })).toMatchObject({
    outline: 'Manual',
    content: body,
    complete: true,
  });
  expect(judgeView(document(body), { budget: codePoints(body) - 1 }).complete).toBe(false);
});

/** A chapter of invented sentences, in words that belong to it alone. */
const chapter = (name: string, figure = 3): string =>
  `## Chapter ${name}\n\n${Array.from(
    { length: 12 },
    (_, n) => `The ${name} of part ${n} is turned by the ${name}wright ${figure + n} times a day.`,
  ).join(' ')}`;
const NAMES = ['anvil', 'bellows', 'crucible', 'drill', 'engine', 'flange', 'gearbox', 'hopper', 'injector'];
const book = (...chapters: string[]) => document(`# Manual\n\n${chapters.join('\n\n')}`);
const chaptersIn = ({ content }: { content: string }) =>
  [...content.matchAll(/## Chapter (\w+)/g)].map(([, name]) => name);

test('R4.2 two versions of a long document: the section that changed is shown on both sides', () => {
  for (const changed of NAMES) {
    const stored = book(...NAMES.map((name) => chapter(name)));
    const newcomer = book(...NAMES.map((name) => chapter(name, name === changed ? 5 : 3)));
    const views = judgeViews(newcomer, [stored], 1900);
    expect(chaptersIn(views.newcomer)).toContain(changed);
    expect(chaptersIn(views.candidates[0]!)).toEqual(chaptersIn(views.newcomer));
    expect(views.newcomer).toMatchObject({ complete: false });
  }
});

test('R4.2 of a long document the section is shown that a short one speaks of, however small a part it is', () => {
  const pairs = NAMES.flatMap((a) => NAMES.filter((b) => b !== a).map((b) => a + b));
  const stored = book(...pairs.map((name) => chapter(name)));
  const note = {
    kind: 'entry',
    task: 'Manual',
    title: '',
    body: chapter('gearboxdrill', 4).slice(20, 700),
  } as const;
  const views = judgeViews(note, [stored], 2000);
  expect(chaptersIn(views.candidates[0]!)).toContain('gearboxdrill');
  expect(views.newcomer).toMatchObject({ complete: true, content: note.body });
});

test('R4.2 each candidate has its nearest section in the view of a long newcomer', () => {
  const newcomer = book(...NAMES.map((name) => chapter(name)));
  // The first candidate alone could fill the view.
  const near = book(...NAMES.slice(0, 7).map((name) => chapter(name, 4)));
  const last = { kind: 'entry', task: 'Manual', title: '', body: chapter('injector', 9) } as const;
  const { newcomer: view, candidates } = judgeViews(newcomer, [near, last], 1900);
  expect(chaptersIn(view)).toContain('injector');
  expect(candidates[1]).toMatchObject({ complete: true, content: last.body });
});

test('R4.2 both sides of a judgement keep to the budget whatever the texts are, and tear no character', () => {
  const line = fc.oneof(
    fc.constantFrom('# 标题', '## B', '', '😀😀😀 支付'),
    fc.string({ unit: 'grapheme' }),
  );
  const source = fc.record({
    kind: fc.constantFrom('entry' as const, 'document' as const),
    task: fc.constant('t'),
    title: fc.constant('T'),
    body: fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n')),
  });
  fc.assert(
    fc.property(
      source,
      fc.array(source, { maxLength: 3 }),
      fc.integer({ min: 10, max: 200 }),
      (me, stored, budget) => {
        const views = judgeViews(me, stored, budget);
        expect(views.candidates).toHaveLength(stored.length);
        [me, ...stored].forEach(({ body }, n) => {
          const view = JudgeView.parse([views.newcomer, ...views.candidates][n]);
          expect(codePoints(view.outline) + codePoints(view.content)).toBeLessThanOrEqual(budget);
          expect(view.complete).toBe(codePoints(body) <= budget);
          expect(view.complete ? view.content : body).toBe(body);
          expect(view.content.isWellFormed() || !body.isWellFormed()).toBe(true);
        });
      },
    ),
  );
});
