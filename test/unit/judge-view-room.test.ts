import { expect, test } from 'vitest';
import { judgeView, judgeViews } from '#lib/core/judge-view.ts';

const OUTLINE = 'Manual\n  Causes\n  Cure';
const SECTIONS = [
  `# Manual\n\n${'one '.repeat(150)}end`,
  `## Causes\n\n${'two '.repeat(150)}end`,
  // The shortest.
  `## Cure\n\n${'tri '.repeat(140)}end`,
];
const BODY = SECTIONS.join('\n\n');
const view = (budget: number, more: { kind?: 'entry'; body?: string } = {}) =>
  judgeView({ kind: 'document', task: 'Manual', title: 'Manual', body: BODY, ...more }, { budget });

test('R4.2 an entry has no outline, though its text has headings', () => {
  expect(view(8000, { kind: 'entry' })).toEqual({
    task: 'Manual',
    outline: '',
    content: BODY,
    complete: true,
    characters: BODY.length,
  });
});

test('R4.2 outline and sections fill the budget to the last character; in place of one too long a shorter one is shown', () => {
  const [first, second, third] = SECTIONS as [string, string, string];
  const one = OUTLINE.length + first.length;
  expect(view(one)).toMatchObject({ outline: OUTLINE, content: first, complete: false });

  const two = one + '\n\n'.length + second.length;
  expect(view(two)).toMatchObject({ outline: OUTLINE, content: `${first}\n\n${second}` });
  expect(view(two - 1)).toMatchObject({ outline: OUTLINE, content: `${first}\n\n${third}` });

  const shorter = one + '\n\n'.length + third.length;
  expect(view(shorter)).toMatchObject({ outline: OUTLINE, content: `${first}\n\n${third}` });
  expect(view(shorter - 1)).toMatchObject({ outline: OUTLINE, content: first });
});

test('R4.2 a heading is in the outline while it ends within the quarter', () => {
  // Each heading counts with its line end.
  const outline = (quarter: number) => view(quarter * 4).outline;
  expect(outline(7)).toBe('Manual');
  expect(outline(6)).toBe('');
  expect(outline(16)).toBe('Manual\n  Causes');
  expect(outline(15)).toBe('Manual');
});

test('R4.2 a first section longer than the room is cut to it', () => {
  const body = `# M\n\n${'用'.repeat(900)}`;
  expect(view(100, { body })).toEqual({
    task: 'Manual',
    outline: 'M',
    content: body.slice(0, 99),
    complete: false,
    characters: 905,
  });
});

test('R4.2 characters of two code units count as one on both sides of a judgement', () => {
  const source = (body: string) => ({ kind: 'entry', task: 't', title: '', body }) as const;
  const views = judgeViews(source('😀'.repeat(50)), [source('😀'.repeat(51))], 50);
  expect(views.newcomer).toMatchObject({ complete: true, content: '😀'.repeat(50), characters: 50 });
  expect(views.candidates).toMatchObject([{ complete: false, content: '😀'.repeat(50), characters: 51 }]);
});
