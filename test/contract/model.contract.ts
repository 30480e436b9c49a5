import { describe, expect, test } from 'vitest';
import { cosine } from '#lib/core/ranking.ts';
import type { Completion, Model } from '#lib/ports.ts';
import * as domainSummary from '#prompts/domain-summary.ts';
import * as frontmatter from '#prompts/frontmatter.ts';
import * as judgeRelations from '#prompts/judge-relations.ts';
import { UNICODE, uniqueId } from '#test/support/rows.ts';

const ROLES = ['query', 'passage'] as const;
const [POOL, POEM] = [
  'Raise maximumPoolSize when the HikariCP connection pool is exhausted.',
  'An autumn poem about rivers and moonlight.',
];

const view = (task: string, content: string) => ({
  task,
  outline: '',
  content,
  complete: true,
  characters: content.length,
});

/** One call of each prompt that the pipeline makes. */
const COMPLETIONS: [string, Omit<Completion<unknown>, 'repairs'>][] = [
  [
    'judge-relations',
    judgeRelations.render({
      newcomer: view('Pool exhausted', POOL),
      candidates: [{ id: uniqueId(), ...view('Pool exhausted', POOL) }],
    }),
  ],
  [
    'frontmatter',
    frontmatter.render({
      path: 'payment/pool.md',
      body: `# Pool exhausted\n\n${POOL}\n`,
      authored: {},
      missing: ['title', 'summary', 'keywords', 'covers', 'when_to_retrieve'],
    }),
  ],
  [
    'domain-summary',
    domainSummary.render({
      domain_id: 'payment',
      items: [{ title: 'Pool exhausted', summary: POOL, when_to_retrieve: 'Asked about the pool.' }],
    }),
  ],
];

/** The shape of what a model answers (R3.4, R4.2, R5.2); how good it is belongs to `eval/`. `make` opens a model that is up. */
export function modelContract(name: string, make: () => Promise<Model>): void {
  describe(name, () => {
    test('R4.2 both models have a name and say whether they are stand-ins', async () => {
      const { embedder, writer } = await make();
      for (const { name: model, stand_in } of [embedder, writer]) {
        expect(model).toMatch(/\S/);
        expect(typeof stand_in).toBe('boolean');
      }
      expect(embedder.dimensions).toBeGreaterThan(0);
    });

    test.each(ROLES)('R3.4 each text has a vector of the embedder, as a %s', async (role) => {
      const model = await make();
      const texts = [POOL, '支付超时', 'x', UNICODE, POOL];
      const vectors = await model.embed(texts, role);
      expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => model.embedder.dimensions));
      expect(vectors.flat().every(Number.isFinite)).toBe(true);
      for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    });

    test.each(ROLES)('R3.4 vectors come in the order of the texts, as a %s', async (role) => {
      const model = await make();
      const [pool, poem, again] = await model.embed([POOL, POEM, POOL], role);
      expect(cosine(pool!, again!)).toBeCloseTo(1, 3);
      expect(cosine(pool!, poem!)).toBeLessThan(0.99);
      const [alone] = await model.embed([POEM], role);
      expect(cosine(poem!, alone!)).toBeCloseTo(1, 3);
    });

    test('R6.3 a query lies nearer to the passage about it than to another', async () => {
      const model = await make();
      const [query] = await model.embed(['HikariCP connection pool exhausted'], 'query');
      const [pool, poem] = await model.embed([POOL, POEM], 'passage');
      expect(cosine(query!, pool!)).toBeGreaterThan(cosine(query!, poem!));
    });

    test('R3.4 as many texts as a document has sections are embedded, and none at all', async () => {
      const model = await make();
      const texts = Array.from({ length: 128 }, (_, n) => `Step ${n} of the runbook`);
      expect((await model.embed(texts, 'passage')).map(({ length }) => length)).toEqual(
        texts.map(() => model.embedder.dimensions),
      );
      expect(await model.embed([], 'passage')).toEqual([]);
    });

    test('R3.4 a text longer than the embedder reads is embedded by its beginning', async () => {
      const model = await make();
      const [vector] = await model.embed([`${POOL} `.repeat(1000)], 'passage');
      expect(vector).toHaveLength(model.embedder.dimensions);
    });

    test.each(COMPLETIONS)('R4.5 %s is answered in its schema, by a model with a name', async (_, prompt) => {
      const reply = await (await make()).complete({ ...prompt, repairs: [] });
      expect(reply.model).toMatch(/\S/);
      expect(prompt.schema.safeParse(JSON.parse(reply.text))).toMatchObject({ success: true });
    });

    test('R4.5 an answer that was sent back is answered anew', async () => {
      const [, prompt] = COMPLETIONS[0]!;
      const repairs = [{ reply: 'approved, I think', problem: 'This is not JSON.' }];
      const reply = await (await make()).complete({ ...prompt, repairs });
      expect(prompt.schema.safeParse(JSON.parse(reply.text))).toMatchObject({ success: true });
    });
  });
}
