import { expect, test } from 'vitest';
import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { STANDIN_EMBEDDER } from '#lib/adapters/standin/embedder.ts';
import { EMBEDDER_FLOORS, floorsInForce, floorsOf, settingsOfFloors } from '#lib/core/embedder-floors.ts';
import { chosenModel, settingsOf } from '#lib/runtime/models.ts';
import { health } from '#lib/usecases/health.ts';
import { createInstance } from '#lib/usecases/instance.ts';

const embedder = (name: string) => ({ embedder: { name, dimensions: 3, stand_in: false } });
const openai = {
  url: 'http://127.0.0.1:1/v1',
  dimensions: 384,
  texts_a_call: 1,
  characters: 1,
  timeout_ms: 1,
};

test('R4.1 R6.3 floors are looked up by the embedder’s name, whoever serves it', () => {
  expect(floorsOf('intfloat/Multilingual-E5-small')).toEqual(EMBEDDER_FLOORS['multilingual-e5-small']);
  expect(floorsOf('constructor')).toBeUndefined();
  const e5 = chosenModel({
    embedder: { openai: { ...openai, model: 'multilingual-e5-small' } },
    writer: 'stand-in',
  });
  const floors = EMBEDDER_FLOORS['multilingual-e5-small'];
  expect(settingsOf(e5, { writer: { openai: { ...openai, model: 'm', temperature: 0 } } })).toEqual({
    similarity_floor: floors.similarity,
    relevance_floor: floors.relevance,
    relevance_floor_across: floors.relevance_across,
    vector_weight: floors.vector_weight,
  });
  expect(settingsOf(embedder('unknown'), { writer: 'stand-in' })).toEqual({
    judge_view_budget: expect.any(Number),
  });
});

test('R4.1 R6.3 an embedder that nobody measured has the defaults, and is said not to be measured', () => {
  const known = settingsOfFloors(EMBEDDER_FLOORS['stand-in-hash-512']);
  expect(floorsInForce(STANDIN_EMBEDDER.name, known)).toBe('measured');
  expect(floorsInForce(STANDIN_EMBEDDER.name, { ...known, relevance_floor: 0.7 })).toBe('set');
  expect(floorsInForce('unknown', { similarity_floor: 0.75, relevance_floor: 0.3 })).toBe('not measured');
  expect(floorsInForce('unknown', { similarity_floor: 0.75, relevance_floor: 0.4 })).toBe('set');
});

test('health says where the floors come from', async () => {
  const ports = createMemoryPorts();
  const own = settingsOf(ports.model, { writer: 'stand-in' });
  const floors = async (settings: typeof own) =>
    (await health(createInstance(ports, settings))()).models.floors;
  expect([await floors(own), await floors({ ...own, relevance_floor: 0.9 })]).toEqual(['measured', 'set']);
});
