import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFrontmatter } from '#lib/core/frontmatter.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';

const cases: { file: string; fields: unknown; body: string; warnings: string[] }[] = JSON.parse(
  readFileSync('../shared/cases/frontmatter/expected.json', 'utf8'),
);
const block = (yaml: string, body = 'Body.') => parseFrontmatter(`---\n${yaml}\n---\n${body}`);

test.each(cases)('R3.3 $file', ({ file, fields, body, warnings }) => {
  const text = readFileSync(`../shared/cases/frontmatter/${file}`, 'utf8');
  expect(parseFrontmatter(text)).toEqual({ fields, body, warnings });
});

test('R3.3 every file of the contract is a test above', () => {
  const files = readdirSync('../shared/cases/frontmatter').filter((file) => file.endsWith('.md'));
  expect(cases.map(({ file }) => file).sort()).toEqual(files.sort());
  expect(files).toHaveLength(31);
});

test('R3.3 keys are data, never prototypes, at any depth', () => {
  const { fields } = block('__proto__: x\nnested:\n  __proto__: {polluted: yes}\n  toString: z');
  expect(Object.entries(fields ?? {})).toEqual([
    ['__proto__', 'x'],
    ['nested', JSON.parse('{"__proto__": {"polluted": "yes"}, "toString": "z"}')],
  ]);
  expect(JSON.stringify(fields)).toBe(
    '{"__proto__":"x","nested":{"__proto__":{"polluted":"yes"},"toString":"z"}}',
  );
  expect('polluted' in {}).toBe(false);
});

test.each([
  ['a colon in a label', 'covers:\n- 支付: 超时\n- b', { covers: ['支付: 超时', 'b'] }, ['recovered:covers']],
  [
    'two colons in a label',
    'covers:\n  - a: b: c\n  - d',
    { covers: ['a: b: c', 'd'] },
    ['recovered:covers'],
  ],
  ['a star in a label', 'keywords:\n  - *a\n  - b', { keywords: ['*a', 'b'] }, ['recovered:keywords']],
  ['labels out of line', 'covers:\n  - a\n - b\nx: y', { covers: ['a', 'b'], x: 'y' }, ['recovered:covers']],
  ['a list left open', 'keywords: [a, b\nx: y', { keywords: ['a', 'b'], x: 'y' }, ['recovered:keywords']],
  ['a quote left open', 'title: "a\nx: y', { title: '"a', x: 'y' }, ['recovered:title']],
  ['a quote in a quote', "title: 'It's'\nx: y", { title: "'It's'", x: 'y' }, ['recovered:title']],
  ['a star all round', 'title: *all*', { title: '*all*' }, ['recovered:title']],
  ['a wiki link', 'title: [[Gateway]]', { title: '[[Gateway]]' }, ['recovered:title']],
  ['a template', 'title: {{ x }}\ny: z', { title: '{{ x }}', y: 'z' }, ['recovered:title']],
  [
    'a mark of YAML',
    'a: - x\nb: > 5 s\nc: `d`',
    { a: '- x', b: '> 5 s', c: '`d`' },
    ['recovered:a', 'recovered:b', 'recovered:c'],
  ],
  ['a bad escape', 'a: "C:\\path"\nb: c', { a: '"C:\\path"', b: 'c' }, ['recovered:a']],
  [
    'a wrapped line',
    'summary: long\nand on\nx: y',
    { summary: 'long and on', x: 'y' },
    ['recovered:summary'],
  ],
  [
    'a wrapped line with colons',
    'summary: a: b\n  c: d\nx: y',
    { summary: 'a: b c: d', x: 'y' },
    ['recovered:summary'],
  ],
  [
    'a colon in a nested value',
    'n:\n  a: x: y\n  b: z\nt: u',
    { n: { a: 'x: y', b: 'z' }, t: 'u' },
    ['recovered:n'],
  ],
  ['a line that nothing mends', 'a: [b\n  c: {d\ne: f', { a: '[b\n  c: {d', e: 'f' }, ['recovered:a']],
  [
    'no blank after the colon',
    'title:Foo\nx: a: b',
    { title: 'Foo', x: 'a: b' },
    ['recovered:title', 'recovered:x'],
  ],
  [
    'a full-width colon',
    'x: a: b\ntitle：支付',
    { x: 'a: b', title: '支付' },
    ['recovered:x', 'recovered:title'],
  ],
  ['an indented block', '  title: a: b\n  x: y', { title: 'a: b', x: 'y' }, ['recovered:title']],
  [
    'a colon beside block text',
    's: |\n  a: b: c\n  # d\nt: a: b',
    { s: 'a: b: c\n# d\n', t: 'a: b' },
    ['recovered:t'],
  ],
  [
    'a colon below block text',
    'n:\n  s: |\n    a: b: c\n  t: x: y',
    { n: { s: 'a: b: c\n', t: 'x: y' } },
    ['recovered:n'],
  ],
  ['a duplicate beside a colon', 'a: b\na: c: d', { a: 'c: d' }, ['recovered:a', 'duplicate_key:a']],
  [
    'tabs and a colon',
    'covers:\n\t- a\ntitle: x: y',
    { covers: ['a'], title: 'x: y' },
    ['tabs', 'recovered:title'],
  ],
  ['a second document', 'a: b\n--- c\nd: e', { a: 'b --- c', d: 'e' }, ['recovered:a']],
  ['an alias of nothing above', 'a: &x [*x]\nb: c', { a: '&x [*x]', b: 'c' }, ['recovered:a']],
])('R3.3 mended: %s', (_, yaml, fields, warnings) => {
  expect(block(yaml)).toEqual({ fields, body: 'Body.', warnings });
});

test.each([
  ['tags are never run', 'a: !!binary aGk=\nb: !important c', { a: 'aGk=', b: 'c' }, ['unknown_tag']],
  ['harmless aliases are read', 'a: &x [1.0, b]\nc: *x', { a: ['1.0', 'b'], c: ['1.0', 'b'] }, []],
  ['a duplicate in a mapping', 'a: {b: c, b: d}', { a: { b: 'd' } }, ['duplicate_key:b']],
  [
    'null is nothing as a value, and a word in a list',
    'a: ~\nkeywords: [null, b]',
    { a: '', keywords: ['null', 'b'] },
    [],
  ],
  ['a quoted null is a word', 'a: "null"', { a: 'null' }, []],
  ['lists in lists are one list', 'keywords: [[a, b], " c ", ""]', { keywords: ['a', 'b', 'c'] }, []],
  ['lines are labels', 'keywords: |\n  a\n  b, c', { keywords: ['a', 'b', 'c'] }, []],
  ['a mapping in place of a list stays', 'keywords: {a: b}', { keywords: { a: 'b' } }, []],
  ['tabs that YAML allows stay', 'code: |\n  \tx', { code: '\tx\n' }, []],
  ['tabs are an indentation', 'n:\n\ta:\n\t\tb: c', { n: { a: { b: 'c' } } }, ['tabs']],
  [
    'aliases are read in a block with tabs',
    'a: &x\n\t- b\nc: *x\nc: d',
    { a: ['b'], c: 'd' },
    ['tabs', 'duplicate_key:c'],
  ],
  ['a mapping over lines in place of a list stays', 'covers:\n  a: b', { covers: { a: 'b' } }, []],
  ['a mapping in a list stays', 'covers: [{a: b}, c]', { covers: [{ a: 'b' }, 'c'] }, []],
  ['only scalars are split', 'covers: ["a, b"]', { covers: ['a, b'] }, []],
  ['keys as written', '"a b": c\n1: d', { 'a b': 'c', '1': 'd' }, []],
])('R3.3 read: %s', (_, yaml, fields, warnings) => {
  expect(block(yaml)).toEqual({ fields, body: 'Body.', warnings });
});

test.each([
  ['prose with a colon', 'Prose with: a colon\nand more\nand more of it', ['not_a_mapping']],
  ['prose before the keys', 'Prose\ntitle: a: b', ['not_a_mapping']],
  ['a list below a key', 'title: T\n- a', ['malformed']],
  ['tabs in what nothing mends', 'title: [a, b\n\tx: {y', ['malformed']],
  ['a line that looks like a directive', '%done', ['not_a_mapping']],
  ['a text that is empty', '""', ['not_a_mapping']],
  ['too long a block', `a: ${'b'.repeat(65_536)}`, ['malformed']],
  ['too long a broken block', `a: b: ${'c'.repeat(16_384)}`, ['malformed']],
  ['too many broken lines', `a: *b${'\n'.repeat(1000)}`, ['malformed']],
  [
    'a bomb beside a broken line',
    `c: d: e\nb: [&a [${'x,'.repeat(100)}],${'*a,'.repeat(100)}]`,
    ['malformed'],
  ],
])('R3.3 %s is no frontmatter, and the text stays whole', (_, yaml, warnings) => {
  expect(block(yaml)).toEqual({ fields: null, body: `---\n${yaml}\n---\nBody.`, warnings });
});

test('R3.3 a block is read up to 64 K characters, and mended up to 16 K', () => {
  const filled = (start: string, length: number) => start + 'c'.repeat(length - start.length - 1);
  expect(block(filled('a: ', 65_536))).toMatchObject({ fields: { a: 'c'.repeat(65_532) }, warnings: [] });
  expect(block(filled('a: ', 65_537)).warnings).toEqual(['malformed']);
  expect(block(filled('a: b: ', 16_384))).toMatchObject({
    fields: { a: `b: ${'c'.repeat(16_377)}` },
    warnings: ['recovered:a'],
  });
  expect(block(filled('a: b: ', 16_385)).warnings).toEqual(['malformed']);
});

test('R3.3 a fence at the very end closes, and needs its own line', () => {
  expect(parseFrontmatter('---\na: b\n---')).toEqual({ fields: { a: 'b' }, body: '', warnings: [] });
  expect(parseFrontmatter('---\r\na: b\r\n---\r')).toEqual({ fields: { a: 'b' }, body: '', warnings: [] });
  expect(parseFrontmatter('---')).toEqual({ fields: null, body: '---', warnings: ['unclosed'] });
  expect(parseFrontmatter('--- a\nb: c\n---\n').fields).toBeNull();
  expect(parseFrontmatter('\n---\na: b\n---\n').fields).toBeNull();
  expect(parseFrontmatter('---\na: b\n----\nc: d\n---\nx').body).toBe(
    '---\na: b\n----\nc: d\n---\nx'.slice(-1),
  );
});

test('R3.3 whatever the text, nothing is thrown and the body is its end', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '---',
      '...',
      'title: a: b',
      'keywords:',
      '- a',
      '\t- b',
      '  - *x',
      'a: &x [',
      '*x: {',
      '"',
      "'",
      '|',
      '? ',
      ': ',
      '#',
      '!!x y',
      '%YAML 1.1',
      '\r',
      '__proto__: x',
      'covers: [a',
      '  b: c: d',
      'title：x',
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('', '\ufeff', '---\n', '\ufeff---  \r\n'),
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom('', '\n---\n', '\n...\r\nBody.\n'),
      (start, lines, end) => {
        const text = start + lines.join('\n') + end;
        const { fields, body, warnings } = parseFrontmatter(text);
        const whole = text.replace(/^\ufeff/, '');
        expect(whole.endsWith(body)).toBe(true);
        if (fields === null) expect(body).toBe(whole);
        else
          expect(whole.slice(0, whole.length - body.length)).toMatch(
            /^---[ \t]*\r?\n([\s\S]*\n)?(---|\.\.\.)[ \t]*\r?\n?$/,
          );
        expect(new Set(warnings).size).toBe(warnings.length);
        expect(() => JSON.stringify(fields)).not.toThrow();
      },
    ),
    { numRuns: 3000 },
  );
});

test('R3.3 hostile blocks are read or refused quickly', () => {
  const pieces = [
    '[',
    '{',
    '{a: ',
    '- ',
    '? ',
    'a: ',
    '&a ',
    '!a ',
    '!',
    '"',
    '\\x',
    ' \n',
    '\n',
    ' ',
    '\t',
    '#\n',
    ',',
    ']',
    '[]',
    '\t- a\n',
    '-\n',
    '%a\n',
    '- *a\n',
    'a: |\n',
    'b\n ',
    'a\n',
    'a:\n',
    '[a,',
    '"a":b,',
    '--- a\n',
    '\r',
    'a: b: c\n',
    '：',
    'title:',
  ];
  const timed = (text: string, most: number) => {
    expect(
      cpuMs(() => parseFrontmatter(text)),
      JSON.stringify(text.slice(0, 40)),
    ).toBeLessThan(most);
  };
  for (const piece of pieces) {
    for (const start of ['', 'a: [', 'k: v: w\na:\n ']) {
      timed(`---\n${start}${piece.repeat(6000 / piece.length)}\n---\n`, 2000);
    }
    const large = piece.repeat(1_000_000 / piece.length);
    for (const text of [`---\n${large}\n---\n`, `---\n${large}`, `---${large}`]) timed(text, 500);
  }
  for (const piece of ['[', ']']) timed(`---\n${piece.repeat(65_000)}\n---\n`, 5000);
});
