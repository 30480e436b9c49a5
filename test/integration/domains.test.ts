import { expect, test } from 'vitest';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { SEARCH_ONCE } from '#prompts/domain-summary.ts';
import { counting, DELAY, domainWorld, LEASE } from '#test/support/domain-world.ts';

const MODEL = 'scripted-writer';
const down = () => new ModelUnavailable('throttled');
const asked = `asked about it. ${SEARCH_ONCE.en}`;

test('R5.1 a domain without a change costs nothing', async () => {
  const world = domainWorld();
  expect(await world.recompute()).toEqual({ kind: 'clean' });
  await world.admit({ title: 'one' });
  expect(await world.recompute()).toEqual({ kind: 'written', computed_position: 1 });
  expect(await world.recompute()).toEqual({ kind: 'clean' });
  expect(world.calls()).toBe(1);
});

test('R5.1 only the domain that changed is recomputed', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  await world.admit({ title: 'two', domain: 'api' });
  await world.recompute();
  expect(await world.text('api')).toEqual({ description: '', when_to_retrieve: '', model: '' });
  expect(await world.text()).toEqual({ description: '1 items', when_to_retrieve: asked, model: MODEL });
});

test('R5.2 the model sees title, summary and when_to_retrieve of a document, and the task of an entry', async () => {
  const world = domainWorld();
  await world.admit({
    title: '支付失败',
    summary: '排查步骤',
    when_to_retrieve: '支付失败时',
    covers: ['扣款'],
  });
  await world.admit({ title: 'Refund twice', kind: 'entry' });
  await world.recompute();
  expect(world.model.completions.map(({ prompt, input }) => ({ prompt, input }))).toEqual([
    {
      prompt: 'domain-summary@1',
      input: {
        domain_id: 'payment',
        items: [
          { title: '支付失败', summary: '排查步骤', when_to_retrieve: '支付失败时' },
          { title: 'Refund twice', summary: '', when_to_retrieve: '' },
        ],
      },
    },
  ]);
});

test('R5.1 a fresh change waits, so that a burst is written by one call once it is over', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  world.pass(DELAY - 4000);
  await world.admit({ title: 'two' });
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'waits', waits_ms: 4000 });
  world.pass(4000);
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'waits', waits_ms: DELAY - 4000 });
  world.pass(DELAY - 4000);
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'written', computed_position: 2 });
  expect(world.calls()).toBe(1);
});

test('R5.1 a steady stream costs one text in three delays, and each document is in it within a minute', async () => {
  const world = domainWorld();
  const texts: [number, string | undefined][] = [];
  for (let second = 0; second < 100; second += 1) {
    await world.admit({ title: 'again', domain: 'busy' });
    const outcome = await recomputeDomain(world.instance)('busy');
    if (outcome.kind === 'written') texts.push([second, (await world.text('busy'))?.description]);
    world.pass(1000);
  }
  expect(texts).toEqual([
    [45, '46 items'],
    [91, '2 parts'],
  ]);
  expect(world.calls()).toBe(1 + 3);
});

test('R5.1 what comes in while a text is being written waits for the next delay', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  world.model.script.before = async () => {
    await world.admit({ title: 'meanwhile' });
  };
  expect(await world.recompute()).toEqual({ kind: 'written', computed_position: 1 });
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'waits', waits_ms: DELAY });
});

test('R5.1 a change marked by a clock that is ahead does not wait for it', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  world.pass(-1000);
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'written', computed_position: 1 });
});

test('R5.1 100 documents into one domain at once cost at most 3 model calls', async () => {
  const world = domainWorld();
  await world.admitMany(100);
  expect(await world.recompute()).toEqual({ kind: 'written', computed_position: 100 });
  expect(world.calls()).toBe(3);
  expect(await world.text()).toEqual({ description: '2 parts', when_to_retrieve: asked, model: MODEL });
});

test('R5.1 one more document in a domain of 5,000 costs 2 model calls: its part and the merge', async () => {
  const world = domainWorld();
  await world.admitMany(5000);
  await world.recompute();
  expect(world.calls()).toBe(84 + 1);
  const id = await world.admit({ title: 'one more' });
  await world.recompute();
  expect(world.calls()).toBe(2);
  await world.remove(id);
  await world.recompute();
  expect(world.calls()).toBe(2);
});

test('R5.2 a large domain that takes longer than a claim allows is written over several runs, each part once', async () => {
  const world = domainWorld();
  await world.admitMany(600);
  world.model.script.before = async () => world.pass(LEASE / 12);
  expect(await world.recompute()).toEqual({ kind: 'unfinished', parts_left: 6 });
  expect(await world.recompute()).toEqual({ kind: 'unfinished', parts_left: 2 });
  expect(await world.recompute()).toEqual({ kind: 'written', computed_position: 600 });
  expect(world.calls()).toBe(10 + 1);
});

test.each([
  [100, 2, { kind: 'written', computed_position: 142 }],
  [1, 0, { kind: 'written', computed_position: 241 }],
  [0, 0, { kind: 'cleared', computed_position: 242 }],
])(
  'R5.2 shrunk to %i items a domain keeps %i parts; the others are blanked: they may speak of erased items',
  async (items, kept, outcome) => {
    const world = domainWorld();
    const ids = await world.admitMany(121);
    await world.recompute();
    const partTexts = async () =>
      (await Promise.all([0, 1, 2].map((n) => world.ports.domains.part('payment', n)))).map(
        (part) => part?.text,
      );
    expect(await partTexts()).not.toContain('');
    for (const id of ids.slice(items)) await world.remove(id);
    expect(await world.recompute()).toEqual(outcome);
    expect((await partTexts()).filter((text) => text !== '').length).toBe(kept);
    expect((await partTexts()).slice(kept)).toEqual(Array(3 - kept).fill(''));
  },
);

test('R5.2 another model writes every part anew', async () => {
  const world = domainWorld();
  await world.admitMany(121);
  await world.recompute();
  world.calls();
  await world.admit({ title: 'one more' });
  world.pass(DELAY);
  const writer = { name: 'another', stand_in: false };
  const instance = createInstance({ ...world.ports, model: { ...world.model, writer } });
  expect(await recomputeDomain(instance)('payment')).toEqual({ kind: 'written', computed_position: 122 });
  expect(world.calls()).toBe(3 + 1);
});

test('R5.2 an item that is erased meanwhile is not in the text any more', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  const id = await world.admit({ title: 'two' });
  await world.ports.items.applyDecision(
    id,
    3,
    { status: 'removed', attempt: 2, grounds: [], relations: [] },
    true,
  );
  await world.recompute();
  expect((await world.text())?.description).toBe('1 items');
});

test('R5.2 scoped items stay out of the text and of its parts', async () => {
  const world = domainWorld();
  await world.admitMany(70);
  await world.admitMany(70, { title: 'merger with Initech', scopes: ['org:acme'] });
  await world.recompute();
  expect(world.model.completions.length).toBe(3);
  expect(JSON.stringify(world.model.completions)).not.toContain('Initech');
});

test('R5.1 a domain whose last open item is gone loses its text and keeps its row', async () => {
  const world = domainWorld();
  const id = await world.admit({ title: 'one' });
  await world.admit({ title: 'scoped', scopes: ['org:acme'] });
  await world.recompute();
  await world.remove(id);
  expect(await world.recompute()).toEqual({ kind: 'cleared', computed_position: 3 });
  expect(await world.text()).toEqual({ description: '', when_to_retrieve: '', model: '' });
  expect(world.calls()).toBe(1);
  expect(await world.recompute()).toEqual({ kind: 'clean' });
});

test('R5.2 while the model is down the domain keeps its last text, and is written once it is back', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  await world.recompute();
  const before = await world.ports.domains.get('payment');
  await world.admit({ title: 'two' });
  world.model.script.domainSummary = down;
  expect(await world.recompute()).toEqual({ kind: 'model_down', why: 'throttled' });
  const after = await world.ports.domains.get('payment');
  expect({ ...after, dirty_at: 0 }).toEqual({ ...before, dirty_position: 2, dirty_at: 0, claim: undefined });
  world.model.script.domainSummary = counting;
  expect(await world.recompute()).toEqual({ kind: 'written', computed_position: 2 });
  expect((await world.text())?.description).toBe('2 items');
});

test('R5.2 a model that fails in the middle of a large domain costs only the parts that are missing', async () => {
  const world = domainWorld();
  await world.admitMany(300);
  let answers = 0;
  world.model.script.domainSummary = (input) => ((answers += 1) <= 2 ? counting(input) : down());
  expect(await world.recompute()).toEqual({ kind: 'model_down', why: 'throttled' });
  world.calls();
  world.model.script.domainSummary = counting;
  await world.recompute();
  expect(world.calls()).toBe(3 + 1);
  expect((await world.text())?.description).toBe('5 parts');
});

test('R5.2 an invalid answer is sent back once with the reason', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  const long = JSON.stringify({ description: 'x'.repeat(257), when_to_retrieve: 'often' });
  world.model.script.domainSummary = (input, { repairs }) => (repairs.length > 0 ? counting(input) : long);
  expect(await world.recompute()).toEqual({ kind: 'written', computed_position: 1 });
  expect(world.model.completions.map(({ repairs }) => repairs)).toEqual([
    [],
    [{ reply: long, problem: expect.stringContaining('description') }],
  ]);
});

test('R5.2 an answer that stays invalid leaves the last text, like a model that is down', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  world.model.script.domainSummary = () => 'I cannot do that.';
  expect(await world.recompute()).toEqual({
    kind: 'model_down',
    why: 'its answer stayed invalid: The answer holds no complete JSON object.',
  });
  expect(world.calls()).toBe(2);
  expect((await world.ports.domains.get('payment'))?.claim).toBeUndefined();
});

test.each([
  ['网关超时手册', '用户问支付时检索', `用户问支付时检索；${SEARCH_ONCE.zh}`],
  ['网关超时手册', `用户问支付时检索；${SEARCH_ONCE.zh}`, `用户问支付时检索；${SEARCH_ONCE.zh}`],
  ['Gateway runbook', 'On time-outs.', `On time-outs. ${SEARCH_ONCE.en}`],
  ['Gateway runbook', 'x'.repeat(900), `${'x'.repeat(600)}. ${SEARCH_ONCE.en}`],
  ['Gateway runbook', '', SEARCH_ONCE.en],
])(
  'R5.2 the text ends with the advice to search once, whatever the model wrote: %s, %s',
  async (title, wrote, shown) => {
    const world = domainWorld();
    await world.admit({ title });
    world.model.script.domainSummary = () => JSON.stringify({ description: 'd', when_to_retrieve: wrote });
    await world.recompute();
    expect(await world.text()).toEqual({ description: 'd', when_to_retrieve: shown, model: MODEL });
  },
);

test('R5.1 a worker that died holds the domain until its claim runs out, then another goes on', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  world.pass(DELAY);
  const now = world.ports.clock.now();
  await world.ports.domains.claim('payment', { token: 'dead', at: now }, now - LEASE, now);
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'claimed' });
  world.pass(LEASE + 1);
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'written', computed_position: 1 });
});

test('R5.1 a fault of the store frees the domain for the next try', async () => {
  const world = domainWorld();
  await world.admit({ title: 'one' });
  world.model.script.domainSummary = () => new Error('bug');
  await expect(world.recompute()).rejects.toThrow('bug');
  expect((await world.ports.domains.get('payment'))?.claim).toBeUndefined();
});
