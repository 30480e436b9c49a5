import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outline, sectionText, splitSections } from '#lib/core/sections.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';

const lines = (...all: string[]) => all.join('\n');
const headings = (body: string, title = 'T') => splitSections(body, title).map(({ heading }) => heading);
const squeezed = (text: string) => text.replace(/\s+/g, '');
const markdown = () =>
  readdirSync('../shared/data/markdown', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|markdown)$/.test(entry.name))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'));

test('R6.4 a document is split at its headings, each section under the path to it', () => {
  const body = lines(
    'Before.',
    '',
    '# Redis',
    'Intro.',
    '## Memory #',
    '  Full.',
    '',
    '### OOM {#oom}',
    'Killed.',
    '',
    'Disk',
    'full',
    '----',
    'Slow.',
    '#hashtag',
    '',
  );
  expect(splitSections(body, 'Redis')).toEqual([
    { heading: 'Redis', text: 'Before.' },
    { heading: 'Redis', text: '# Redis\nIntro.' },
    { heading: 'Redis > Memory', text: '## Memory #\n  Full.' },
    { heading: 'Redis > Memory > OOM', text: '### OOM {#oom}\nKilled.' },
    { heading: 'Redis > Disk full', text: 'Disk\nfull\n----\nSlow.\n#hashtag' },
  ]);
});

test('R6.4 the title heads the path, once', () => {
  expect(headings('# Redis Guide\nx\n## A\ny', ' redis  guide')).toEqual(['redis guide', 'redis guide > A']);
  expect(headings('# A\nx', '')).toEqual(['A']);
  expect(headings('x', '')).toEqual(['']);
});

test('R6.3 the heading path is in the text that is embedded', () => {
  expect(splitSections('# A\n\nx', 'T').map(sectionText)).toEqual(['T > A\n\n# A\n\nx']);
  expect(sectionText({ heading: '', text: 'x' })).toBe('x');
});

test('R6.4 headings without text join the section below, and stand alone at the end', () => {
  expect(splitSections('# A\n\n## B\n\ntext\n\n## C\n', 'T')).toEqual([
    { heading: 'T > A > B', text: '# A\n\n## B\n\ntext' },
    { heading: 'T > A > C', text: '## C' },
  ]);
});

test('R6.3 a body without text is its title', () => {
  expect(splitSections(' \n\n', 'Only a title')).toEqual([{ heading: 'Only a title', text: '' }]);
});

test.each([
  ['a fenced block', '```bash\n# not a heading\n\n# nor this\n```'],
  ['a tilde block', '~~~\n```\n# not a heading\n~~~~'],
  ['a tilde block with a backtick in its first line', '~~~ a`b\n# not a heading\n~~~'],
  ['a block in a list', '- ```\n  # not a heading\n  ```'],
  ['a block in a quote', '> ```\n> # no\n> ```'],
  ['an unclosed block', '```\n# not a heading\n'],
  ['an indented example of a fence, and a rule in a list', '    ```\n- item\n---\nmore'],
])('R6.4 %s holds no heading', (_, block) => {
  expect(headings(`# A\n${block}`)).toEqual(['T > A']);
});

test('R6.4 a heading after a closed block, and after a quote that ends, counts', () => {
  expect(headings('```\nx\n```\n# A\nx')).toEqual(['T', 'T > A']);
  expect(headings('> ```\n> x\n# A\nx')).toEqual(['T', 'T > A']);
  expect(headings('Use ```x``` here\n# A\nx')).toEqual(['T', 'T > A']);
  expect(headings('    ```\n\n# A\nx')).toEqual(['T', 'T > A']);
});

test('R6.4 a code block or table up to 6,000 characters is one section with its heading', () => {
  const code = lines('```', ...new Array<string>(200).fill('kubectl get pods'), '', '# x', '```');
  const table = lines('| a | b |', '|---|---|', ...new Array<string>(150).fill('| value | other value |'));
  expect(splitSections(lines('# Code', code, '', 'After.', '# Table', table), 'T')).toEqual([
    { heading: 'T > Code', text: `# Code\n${code}` },
    { heading: 'T > Code', text: 'After.' },
    { heading: 'T > Table', text: `# Table\n${table}` },
  ]);
  expect(splitSections(lines('x'.repeat(1000), '', table), 'T').map(({ text }) => text)).toEqual([
    'x'.repeat(1000),
    table,
  ]);
});

test('R6.4 a longer one is cut at line ends', () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `row ${n}`);
  const sections = splitSections(lines('```', ...rows, '```'), 'T').map(({ text }) => text);
  expect(sections.map((text) => text.length <= 6000)).toEqual([true, true]);
  expect(sections.join('\n').split('\n')).toEqual(['```', ...rows, '```']);
});

test('R6.4 a long paragraph is cut after a sentence, at 1,500 characters at most', () => {
  const sentence = `${'支付网关超时怎么排查'.repeat(5)}。`;
  const sections = splitSections(sentence.repeat(60), 'T').map(({ text }) => text);
  expect(sections.join('')).toBe(sentence.repeat(60));
  expect(sections.every((text) => text.length <= 1500 && text.length % sentence.length === 0)).toBe(true);
});

test.each([
  ['after its last line', `${'x'.repeat(800)}\n${'y '.repeat(150)}\n`, 'z. '.repeat(300)],
  ['after its last line, in the middle', `${'x'.repeat(750)}\n`, 'y. '.repeat(300)],
  [
    'after its last sentence, else',
    `${'Redis 7.2 is full; see 4.1.1! '.repeat(48)}See 5.0;`,
    ` ${'x 1.5 '.repeat(99)}`,
  ],
  ['after its last word, else', 'word '.repeat(300), 'more '.repeat(30)],
  ['after its last word, though a tab ends it', `${'a b '.repeat(300)}c\t`, 'x'.repeat(600)],
  ['after a word that ends in the middle', `${'x'.repeat(750)} `, 'y'.repeat(900)],
  ['after a word, where the last sentence ends far above', `One. ${'two '.repeat(373)}`, 'two '.repeat(30)],
  ['after a character, else', 'x'.repeat(1500), 'x'.repeat(600)],
  ['after a character, where one of two units follows', 'x'.repeat(1500), `x${'😀'.repeat(9)}`],
  ['before a character of two units', 'x'.repeat(1499), '😀'.repeat(9)],
])('R6.4 a paragraph of more than 1,500 characters is cut %s', (_, first, second) => {
  expect(splitSections(first + second, 'T')).toEqual([
    { heading: 'T', text: first.trimEnd() },
    { heading: 'T', text: second.trimEnd() },
  ]);
});

test.each([
  ['a paragraph', `${'word '.repeat(299)}words`],
  ['a paragraph and its line end', `${'x'.repeat(1500)}\n`],
  ['two paragraphs', `${'word '.repeat(200)}\n\n${'word '.repeat(99)}abc`],
  ['headings', `# ${'a '.repeat(349)}\n## ${'b '.repeat(397)}bc`],
  ['a paragraph below many blank lines', `${' \n'.repeat(1000)}${'word '.repeat(280)}`],
])('R6.4 %s of 1,500 characters are one section', (_, body) => {
  expect(splitSections(body, '').map(({ text }) => text)).toEqual([body.trim()]);
});

test('R6.4 short paragraphs, and headings, stay together however far below they are', () => {
  const long = `# A\n${'word '.repeat(280)}\n`;
  expect(splitSections(`${long}## B\n### C\nOne.\n\nTwo.`, 'T')).toEqual([
    { heading: 'T > A', text: long.trimEnd() },
    { heading: 'T > A > B > C', text: '## B\n### C\nOne.\n\nTwo.' },
  ]);
});

test('R6.4 headings that are together longer than 1,500 characters are sections of their own', () => {
  const [first, second] = ['a'.repeat(800), 'b'.repeat(800)];
  expect(splitSections(`# ${first}\n## ${second}\nx`, '')).toEqual([
    { heading: 'a'.repeat(100), text: `# ${first}` },
    { heading: `${'a'.repeat(100)} > ${'b'.repeat(100)}`, text: `## ${second}\nx` },
  ]);
});

test('R6.4 headings stay with the beginning of what they head, where that is too long', () => {
  const above = Array.from({ length: 40 }, (_, n) => `## Heading number ${10 + n}\n`).join('');
  const paragraph = 'word '.repeat(200);
  const [first, second] = splitSections(above + paragraph, 'T');
  expect(above.length).toBe(840);
  expect(first).toEqual({
    heading: 'T > Heading number 49',
    text: `${above}${'word '.repeat(132)}`.trimEnd(),
  });
  expect(second).toEqual({ heading: 'T > Heading number 49', text: 'word '.repeat(68).trimEnd() });
});

test('R6.4 where a code block is cut, blank lines go and indentation stays', () => {
  const code = lines('```', 'x'.repeat(99), ...new Array<string>(2000).fill('\n \n  \n'), '    y', '```');
  expect(
    splitSections(code, '')
      .map(({ text }) => text)
      .filter((text) => !text.includes('x')),
  ).toEqual(['    y\n```']);
});

test('R6.4 no character is halved', () => {
  const sections = splitSections(`x${'😀'.repeat(3000)}`, 'T').map(({ text }) => text);
  expect(sections.join('')).toBe(`x${'😀'.repeat(3000)}`);
  expect(sections.every((text) => text.isWellFormed() && text.length <= 1500)).toBe(true);
});

test('R6.4 of more than 128 sections the last takes a cut of the rest', () => {
  const body = Array.from({ length: 1000 }, (_, n) => `# H${n}\n${'text '.repeat(50)}\n`).join('');
  const sections = splitSections(body, 'T');
  expect(sections).toHaveLength(128);
  expect(sections[127]?.heading).toBe('T > H127');
  expect(sections[127]?.text).toBe(body.slice(body.indexOf('# H127\n')).slice(0, 6000).trimEnd());
  expect(splitSections(body.slice(0, body.indexOf('# H128\n')), 'T')[127]?.text.length).toBeLessThan(300);
});

test('R6.3 no text is lost and no section is too long, in any document below the cap', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '# A',
      '## B ##',
      '```',
      '~~~',
      '    ```',
      '> ```',
      '- ```',
      '---',
      '===',
      '| a |',
      '|-|-|',
      '',
      '\r',
      ' ',
    ),
    fc.constantFrom(
      '字'.repeat(1600),
      '词 '.repeat(900),
      '😀'.repeat(900),
      '| x '.repeat(500),
      `- ${'x'.repeat(1490)}`,
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), (pieces, end) => {
      const body = pieces.join(end);
      const sections = splitSections(body, 'T');
      expect(squeezed(sections.map(({ text }) => text).join(''))).toBe(squeezed(body));
      const most = /```|~~~|\|/.test(body) ? 6000 : 1500;
      expect(sections.every(({ text }) => text.length <= most)).toBe(true);
      for (const line of body.split(/\r?\n/)) {
        const kept = sections.some(({ text }) => text.includes(line.trim()));
        expect(kept || line.length > 700).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test('R6.3 real documents keep every line, and every fence its block', () => {
  for (const body of markdown()) {
    const sections = splitSections(body, '');
    if (sections.length === 128) continue;
    expect(squeezed(sections.map(({ text }) => text).join(''))).toBe(squeezed(body));
    expect(sections.filter(({ text }) => text.length > 6000)).toEqual([]);
  }
});

test('R6.3 hostile documents are split in linear time', () => {
  const size = 300_000;
  const hostile = [
    '    ```x\n',
    '```\n',
    '> ```\n',
    '|\n|-|\n',
    '\n',
    ' ',
    '#\n',
    '# a\n',
    'a\n-\n',
    '# #',
    '- ',
    '1. ',
    '`',
    '~',
    '{#',
    '。',
  ];
  for (const piece of hostile) {
    const text = piece.repeat(size / piece.length);
    expect(
      cpuMs(() => splitSections(text, 'T')),
      piece,
    ).toBeLessThan(2000);
  }
});

test('R4.2 an outline is the headings, indented', () => {
  expect(
    outline(
      lines('# A', 'x', '```', '# no', '```', 'B', '---', '### C# ###', '#', `#### ${'长'.repeat(200)}`),
    ),
  ).toBe(lines('A', '  B', '    C#', `      ${'长'.repeat(100)}`));
  expect(outline('plain')).toBe('');
});
