import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REQUIREMENTS, type Requirement } from '#test/requirements.ts';

/** The first argument of `test(…)`, `test.each(…)(…)` and `describe(…)`, where it is written out. */
const TITLE = /(?:\b(?:test|describe)(?:\.\w+)?\(|\)\()\s*(['"`])((?:\\[\s\S]|(?!\1)[\s\S])*)\1/g;
const ID = /\bR\d+\.\d+\b|\bAPI\b|\bFIGURES\b/g;

/** The ids that the titles in a test file name. */
const idsIn = (source: string): string[] =>
  [...source.matchAll(TITLE)].flatMap(([, , title = '']) => title.match(ID) ?? []);

const files = globSync('test/**/*.ts').map((path) => ({ path, ids: idsIn(readFileSync(path, 'utf8')) }));
const named = new Set(files.flatMap(({ ids }) => ids));
const requirements: [string, Requirement][] = Object.entries(REQUIREMENTS);

test('API the ids in titles are found, whatever the quotes and the table before them, and none elsewhere', () => {
  const source = `
    // R9.1 in a comment
    test('R9.2 R9.3 it\\'s so', () => check('R9.4'));
    test.each([[1, f(2)]])(
      \`R9.5 a \${name}\`, () => undefined);
    describe("R9.6", () => undefined);
  `;
  expect(idsIn(source)).toEqual(['R9.2', 'R9.3', 'R9.5', 'R9.6']);
});

test('API every requirement of the specification is in the manifest, in its order', () => {
  const spec = readFileSync('../shared/spec.md', 'utf8');
  const defined = [...spec.matchAll(/^\*\*(R\d+\.\d+)/gm)].map(([, id]) => id);
  expect(Object.keys(REQUIREMENTS)).toEqual([...defined, 'API', 'FIGURES']);
});

test('API each requirement that is said to be proved is named by a test', () => {
  const unproved = requirements.filter(([id, { status }]) => status === 'proved' && !named.has(id));
  expect(unproved).toEqual([]);
});

test('API each requirement that is planned says what is missing, and in which issue it comes', () => {
  for (const [id, requirement] of requirements) {
    if (requirement.status === 'proved') continue;
    expect({ id, reason: requirement.reason.trim().length > 20, issue: requirement.issue > 0 }).toEqual({
      id,
      reason: true,
      issue: true,
    });
  }
});

test('API no test names a requirement that does not exist', () => {
  const unknown = files.flatMap(({ path, ids }) =>
    ids.filter((id) => !(id in REQUIREMENTS)).map((id) => `${path}: ${id}`),
  );
  expect(unknown.filter((each) => !each.startsWith('test/unit/requirements.test.ts'))).toEqual([]);
});
