import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { sessionKey } from '#lib/core/session.ts';
import { tokens } from '#lib/core/tokens.ts';
import { agentPrompt } from '#lib/usecases/agent-prompt.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { listDomains } from '#lib/usecases/list-domains.ts';
import { SEARCH_ONCE } from '#prompts/domain-summary.ts';
import { domainWorld, START } from '#test/support/domain-world.ts';

const ANYONE = { principal: 'planner', scopes: [] };
const ACME = { principal: 'planner', scopes: ['org:acme'] };
const asked = `asked about it. ${SEARCH_ONCE.en}`;

const mapOf = async (world: ReturnType<typeof domainWorld>, caller = ANYONE as { scopes: string[] }) =>
  parse(await knowledgeMap(world.instance)(caller)).available_knowledge_domains;

test("R5.1 R5.3 a new document is in the map at once, its domain's text later; no model is called", async () => {
  const world = domainWorld();
  await world.admit({ title: 'Refunds', covers: ['refund'], when_to_retrieve: 'a document of its own' });
  const fresh = { domain_id: 'payment', description: '', when_to_retrieve: '' };
  const documents = [{ title: 'Refunds', covers: ['refund'] }];
  expect(await mapOf(world)).toEqual([{ ...fresh, documents }]);
  expect(world.calls()).toBe(0);
  await world.recompute();
  world.calls();
  expect(await mapOf(world)).toEqual([
    { domain_id: 'payment', description: '1 items', when_to_retrieve: asked, documents },
  ]);
  expect(world.calls()).toBe(0);
});

test('R5.3 a domain leaves the map with its last live item, before its text is recomputed', async () => {
  const world = domainWorld();
  const id = await world.admit({ title: 'Refunds' });
  await world.recompute();
  await world.remove(id);
  expect(await mapOf(world)).toEqual([]);
  expect(await listDomains(world.instance)(ANYONE)).toEqual([]);
});

test('R5.3 a scoped document is in the map of who may see it alone', async () => {
  const world = domainWorld();
  await world.admit({ title: 'Refunds' });
  await world.admit({ title: 'Merger', domain: 'board', scopes: ['org:acme'] });
  expect((await mapOf(world)).map((d: { domain_id: string }) => d.domain_id)).toEqual(['payment']);
  expect((await mapOf(world, ACME)).map((d: { domain_id: string }) => d.domain_id)).toEqual([
    'board',
    'payment',
  ]);
});

test('R5.3 the map keeps to the configured budget and says what it left out', async () => {
  const world = domainWorld();
  await world.admitMany(500, { covers: ['one', 'two'] });
  const map = await knowledgeMap(createInstance(world.ports, { map_budget_tokens: 800 }))(ANYONE);
  expect(tokens(map)).toBeLessThanOrEqual(800);
  const [{ documents, left_out }] = parse(map).available_knowledge_domains;
  expect(left_out).toBe(`+${500 - documents.length} more`);
});

test('R5.3 R6.8 what is left out is counted per caller: nobody hears how many there are for others', async () => {
  const world = domainWorld();
  await world.admitMany(100);
  await world.admitMany(150, { title: 'of acme', scopes: ['org:acme'] });
  await world.admitMany(20, { domain: 'board', scopes: ['org:acme'] });
  const instance = createInstance(world.ports, { map_budget_tokens: 600 });
  const count = async (caller: { scopes: string[] }) => {
    const { available_knowledge_domains, left_out } = parse(await knowledgeMap(instance)(caller));
    const counts = available_knowledge_domains.map(
      (d: { domain_id: string; documents: unknown[]; left_out?: string }) => [
        d.domain_id,
        d.documents.length + Number(d.left_out?.slice(1, -' more'.length) ?? 0),
      ],
    );
    return { ...Object.fromEntries(counts), left_out };
  };
  expect(await count(ANYONE)).toEqual({ payment: 100, left_out: undefined });
  expect(await count(ACME)).toEqual({ payment: 250, board: 20, left_out: undefined });
  expect(await count({ scopes: ['org:b'] })).toEqual({ payment: 100, left_out: undefined });
});

test('R2.3 domains are listed by name, with the documents that the caller may see', async () => {
  const world = domainWorld();
  await world.admit({ title: 'Refunds' });
  await world.admit({ title: 'A note', kind: 'entry' });
  await world.admit({ title: 'Secret refunds', scopes: ['org:acme'] });
  await world.admit({ title: 'Limits', domain: 'api' });
  await world.recompute();
  const times = { created_at: START / 1000, updated_at: START / 1000 };
  const api = {
    domain_id: 'api',
    description: '',
    when_to_retrieve: '',
    model: '',
    document_count: 1,
    ...times,
  };
  const payment = {
    domain_id: 'payment',
    description: '2 items',
    when_to_retrieve: asked,
    model: 'scripted-writer',
    document_count: 1,
    ...times,
    updated_at: START / 1000 + 15,
  };
  expect(await listDomains(world.instance)(ANYONE)).toEqual([api, payment]);
  expect(await listDomains(world.instance)(ACME)).toEqual([api, { ...payment, document_count: 2 }]);
});

test('R2.3 a domain that the projector has not come to has the times of its decisions', async () => {
  const world = domainWorld();
  await world.admit({ title: 'Refunds' });
  world.pass(60_000);
  await world.admit({ title: 'Refunds again' });
  world.ports.domains.list = async () => [];
  expect(await listDomains(createInstance(world.ports))(ANYONE)).toEqual([
    {
      domain_id: 'payment',
      description: '',
      when_to_retrieve: '',
      model: '',
      document_count: 2,
      created_at: START / 1000,
      updated_at: START / 1000 + 60,
    },
  ]);
});

const searchedBy = (world: ReturnType<typeof domainWorld>, principal: string, domain: string) =>
  world.ports.sessions.claim(sessionKey(principal, 's1'), {
    request_id: `r-${domain}`,
    returned: [],
    success: domain,
    domains: [],
    cap: 1,
    fruitless_limit: 3,
    reply: '{}',
    now: START / 1000,
    expires_at: START / 1000 + 60,
  });

test.each(['planner', 'executor'] as const)(
  'R5.4 the %s prompt carries the map that its caller may see',
  async (role) => {
    const world = domainWorld();
    await world.admit({ title: 'Refunds' });
    await world.admit({ title: 'Merger', scopes: ['org:acme'] });
    const map = await knowledgeMap(world.instance)(ANYONE);
    const prompt = await agentPrompt(world.instance)(role, ANYONE);
    expect(prompt).toContain(map.trimEnd());
    expect(prompt).not.toContain('Merger');
    expect(await agentPrompt(world.instance)(role, ACME)).toContain('Merger');
  },
);

test('R5.4 with a session the executor prompt names the domains it has searched, of its own caller alone', async () => {
  const world = domainWorld();
  await world.admit({ title: 'Refunds' });
  await world.admit({ title: 'Limits', domain: 'api' });
  await searchedBy(world, 'planner', 'api');
  await searchedBy(world, 'somebody else', 'payment');
  const prompt = await agentPrompt(world.instance)('executor', ANYONE, 's1');
  expect(prompt).toContain('<data name="searched_domains">\n[\n "api"\n]\n</data>');
  expect(await agentPrompt(world.instance)('executor', ANYONE)).toContain('No domain has been searched');
  expect(await agentPrompt(world.instance)('planner', ANYONE, 's1')).not.toContain('searched_domains');
});

test('R5.4 an expired session has searched nothing', async () => {
  const world = domainWorld();
  await world.admit({ title: 'Limits', domain: 'api' });
  await searchedBy(world, 'planner', 'api');
  world.pass(59_999);
  expect(await agentPrompt(world.instance)('executor', ANYONE, 's1')).toContain('searched_domains');
  world.pass(1);
  expect(await agentPrompt(world.instance)('executor', ANYONE, 's1')).toContain(
    'No domain has been searched',
  );
});

test('R5.4 a searched domain that the caller no longer sees is not named', async () => {
  const world = domainWorld();
  await world.admit({ title: 'Merger', domain: 'board', scopes: ['org:acme'] });
  await searchedBy(world, 'planner', 'board');
  expect(await agentPrompt(world.instance)('executor', ACME, 's1')).toContain('"board"\n]');
  expect(await agentPrompt(world.instance)('executor', ANYONE, 's1')).not.toContain('board');
});
