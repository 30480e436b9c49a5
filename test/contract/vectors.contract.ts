import { describe, expect, test } from 'vitest';
import type { TaskVector } from '#lib/core/rows.ts';
import type { Vectors } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';
import { sectionVector, taskVector, UNICODE, uniqueId, vectorOf } from '#test/support/rows.ts';

/** Every promise of the port (R3.4). `make` opens the store. */
export function vectorsContract(name: string, make: () => Promise<Vectors>): void {
  describe(name, () => {
    test('R3.4 a task vector is read back whole, at once', async () => {
      const vectors = await make();
      const sketch = Array.from({ length: 64 }, (_, n) => (n * 0x9e37_79b1) >>> 0);
      const saved = taskVector({ model: UNICODE, vector: vectorOf(1024, 7), sketch });
      await vectors.saveTask(saved);
      expect(await vectors.tasks([saved.id])).toEqual([saved]);
    });

    test.each<[string, Partial<TaskVector>]>([
      ['an empty sketch', { sketch: [] }],
      ['the ends of 32 bits', { sketch: [0, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff] }],
      ['the ends of float32', { vector: [0, 1, -1, 2 ** -149, -(2 ** -126), Math.fround(0.1), 2 ** 127] }],
    ])('R3.4 a task vector with %s is kept exactly', async (_, overrides) => {
      const vectors = await make();
      const saved = taskVector(overrides);
      await vectors.saveTask(saved);
      expect(await vectors.tasks([saved.id])).toEqual([saved]);
    });

    test('R3.4 a vector made anew, by another model too, takes the place of the old one', async () => {
      const vectors = await make();
      const saved = taskVector();
      await vectors.saveTask(saved);
      const anew = { ...saved, model: 'other', vector: vectorOf(16, 9), sketch: [1] };
      await vectors.saveTask(anew);
      expect(await vectors.tasks([saved.id])).toEqual([anew]);
    });

    test('R4.1 many task vectors are read at once, without those that are not there', async () => {
      const vectors = await make();
      const saved = Array.from({ length: 130 }, (_, n) => taskVector({ vector: vectorOf(512, n) }));
      await together(130, (n) => vectors.saveTask(saved[n]!));
      const ids = saved.map(({ id }) => id);
      const read = await vectors.tasks([uniqueId(), ...ids, uniqueId(), ids[0]!]);
      expect(byId(read)).toEqual(byId(saved));
      expect(await vectors.tasks([uniqueId()])).toEqual([]);
      expect(await vectors.tasks([])).toEqual([]);
    });

    test('R6.3 the sections of the longest document are read back whole and in order', async () => {
      const vectors = await make();
      const id = uniqueId();
      const sections = Array.from({ length: 128 }, (_, n) =>
        sectionVector({
          heading: `${n} > ${UNICODE}`,
          text: '支付🚀'.repeat(500),
          vector: vectorOf(512, n),
        }),
      );
      await vectors.saveSections(id, 'stand-in', sections);
      expect(await vectors.sections(id, 'stand-in')).toEqual(sections);
    });

    test('R6.3 empty headings, empty texts and no sections at all are kept', async () => {
      const vectors = await make();
      const [id, none] = [uniqueId(), uniqueId()];
      const sections = [sectionVector({ heading: '', text: '' })];
      await vectors.saveSections(id, 'stand-in', sections);
      await vectors.saveSections(none, 'stand-in', []);
      expect(await vectors.sections(id, 'stand-in')).toEqual(sections);
      expect(await vectors.sections(none, 'stand-in')).toEqual([]);
    });

    test('R6.3 sections belong to an item and a model', async () => {
      const vectors = await make();
      const [id, other] = [uniqueId(), uniqueId()];
      // The slash, dots and colon of real model names.
      const [one, two] = ['amazon.titan-embed-text-v2:0', 'intfloat/multilingual-e5-small'];
      await vectors.saveSections(id, one, [sectionVector({ text: 'one' })]);
      await vectors.saveSections(id, two, [sectionVector({ text: 'two' })]);
      expect(await vectors.sections(id, one)).toEqual([sectionVector({ text: 'one' })]);
      expect(await vectors.sections(id, two)).toEqual([sectionVector({ text: 'two' })]);
      expect(await vectors.sections(id, 'intfloat')).toBeUndefined();
      expect(await vectors.sections(other, one)).toBeUndefined();
      expect(await vectors.tasks([id])).toEqual([]);
    });

    test('R6.3 sections saved again take the place of the old ones', async () => {
      const vectors = await make();
      const id = uniqueId();
      await vectors.saveSections(id, 'stand-in', [sectionVector(), sectionVector({ text: 'second' })]);
      await vectors.saveSections(id, 'stand-in', [sectionVector({ text: 'anew' })]);
      expect(await vectors.sections(id, 'stand-in')).toEqual([sectionVector({ text: 'anew' })]);
    });

    test('R3.6 where sections lie is listed a page at a time, once for each item and model', async () => {
      const vectors = await make();
      const ids = [uniqueId(), uniqueId(), uniqueId()].sort();
      for (const id of ids)
        for (const model of ['one', 'vendor/two']) await vectors.saveSections(id, model, [sectionVector()]);
      const listed: { id: string; place: string }[] = [];
      for (let page = await vectors.listSections('', 2); page.length > 0; ) {
        expect(page.length).toBeLessThanOrEqual(2);
        listed.push(...page);
        page = await vectors.listSections(page.at(-1)!.place, 2);
      }
      const places = listed.map(({ place }) => place);
      expect(places).toEqual([...new Set(places)].sort());
      const mine = listed.map(({ id }) => id).filter((id) => ids.includes(id));
      expect(mine.sort()).toEqual([...ids, ...ids].sort());
      expect(await vectors.listSections(places.at(-1)!, 2)).toEqual([]);
    });

    test('R3.6 erasing takes the vectors of all models, and of no other item', async () => {
      const vectors = await make();
      const [gone, stays] = [taskVector(), taskVector()];
      for (const task of [gone, stays]) {
        await vectors.saveTask(task);
        for (const model of ['one', 'two']) await vectors.saveSections(task.id, model, [sectionVector()]);
      }
      for (const _time of [1, 2]) {
        await vectors.erase(gone.id);
        expect(await vectors.tasks([gone.id, stays.id])).toEqual([stays]);
        for (const model of ['one', 'two']) {
          expect(await vectors.sections(gone.id, model)).toBeUndefined();
          expect(await vectors.sections(stays.id, model)).toEqual([sectionVector()]);
        }
      }
      await vectors.erase(uniqueId());
    });
  });
}

const byId = (vectors: readonly TaskVector[]) => new Map(vectors.map((vector) => [vector.id, vector]));
