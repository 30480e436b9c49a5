import { expect, test } from 'vitest';
import * as executor from '#prompts/executor.ts';
import * as planner from '#prompts/planner.ts';

const map = 'available_knowledge_domains:\n  - domain_id: "payment"\n    description: "支付链路问题排查"\n';

test('R5.4 the Planner gets the map and the rules: by when_to_retrieve and covers, named, each at most once', () => {
  const prompt = planner.render(map);
  expect(prompt).toContain(`<knowledge_map>\n${map}</knowledge_map>`);
  expect(prompt).toContain('Choose domains by their when_to_retrieve and by the covers of their documents.');
  expect(prompt).toContain('Name each chosen domain in the plan by its domain_id');
  expect(prompt).toContain('Each domain at most once in the whole plan.');
});

test('R5.4 the Executor gets the map and the rules of searching once', () => {
  const prompt = executor.render(map, []);
  expect(prompt).toContain(`<knowledge_map>\n${map}</knowledge_map>`);
  for (const rule of [
    'Call lookup_knowledge at most once per domain',
    'Always pass "domain"',
    'Do not search a domain again that has been searched, not in other words',
    'Reason from what is already in hand.',
    'No domain has been searched in this session yet.',
  ]) {
    expect(prompt).toContain(rule);
  }
});

test('R5.4 the Executor is told which domains its session has searched', () => {
  const prompt = executor.render(map, ['infrastructure', 'api']);
  expect(prompt).not.toContain('No domain has been searched');
  const block = /<data name="searched_domains">\n(.*?)\n<\/data>/s.exec(prompt);
  expect(JSON.parse(block?.[1] ?? '')).toEqual(['infrastructure', 'api']);
});
