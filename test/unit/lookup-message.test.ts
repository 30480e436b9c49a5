import { expect, test } from 'vitest';
import { type Facts, lookupMessage } from '#lib/core/lookup-message.ts';

const facts = (more: Partial<Facts>): Facts => ({
  outcome: 'found',
  domain: 'infra',
  documents: 1,
  in_session: true,
  gave: [],
  keyword_only: false,
  ...more,
});
const gave = [
  { path: 'infra/pool.md', title: 'Pool' },
  { path: '', title: 'an entry' },
];

test.each([
  [{}, 'Found 1 document; the domain "infra" counts as searched.'],
  [{ documents: 2, in_session: false }, 'Found 2 documents.'],
  [{ outcome: 'nothing_found' }, 'Nothing relevant is stored.'],
  [
    { outcome: 'nothing_found', empty_domain: true },
    'The domain "infra" holds nothing that you may see: take a domain from the knowledge map.',
  ],
  [
    { outcome: 'nothing_new', gave },
    'All that matched was returned before in this session: infra/pool.md (Pool), an entry. Other words will not help: work from what you have.',
  ],
  [
    { outcome: 'stopped', cause: 'searched', gave },
    'The domain "infra" was searched already in this session. It gave: infra/pool.md (Pool), an entry. Other words will not help: work from what you have.',
  ],
  [
    { outcome: 'stopped', cause: 'fruitless' },
    'The domain "infra" was searched too often without success in this session. Other words will not help: work from what you have.',
  ],
  [
    { in_session: false, keyword_only: true },
    'Found 1 document. Search by meaning is out of reach just now: these are keyword matches only.',
  ],
] as const)('R6.1 R6.6 in English: %j', (more, message) => {
  expect(lookupMessage('en', facts(more))).toBe(message);
});

test.each([
  [{}, '找到 1 份文档；知识域「infra」已计为检索过。'],
  [{ outcome: 'nothing_found' }, '没有找到相关知识。'],
  [
    { outcome: 'nothing_found', empty_domain: true },
    '知识域「infra」中没有你可见的内容；请从知识地图中选择知识域。',
  ],
  [
    { outcome: 'nothing_new', gave },
    '匹配到的内容在本会话中都已给出：infra/pool.md（Pool）、an entry。换其他词检索也不会有新结果，请依据已有内容推理。',
  ],
  [
    { outcome: 'stopped', cause: 'searched', gave },
    '知识域「infra」在本会话中已检索过。此前已给出：infra/pool.md（Pool）、an entry。换其他词检索也不会有新结果，请依据已有内容推理。',
  ],
  [
    { outcome: 'stopped', cause: 'fruitless' },
    '知识域「infra」在本会话中已多次检索无果。换其他词检索也不会有新结果，请依据已有内容推理。',
  ],
  [{ in_session: false, keyword_only: true }, '找到 1 份文档。（语义检索暂不可用，以上仅为关键词匹配。）'],
] as const)('R6.1 R6.6 in Chinese: %j', (more, message) => {
  expect(lookupMessage('zh', facts(more))).toBe(message);
});

test('R6.6 a document without a title is named by its path alone', () => {
  const before = facts({ outcome: 'nothing_new', gave: [{ path: 'infra/dns.md', title: '' }, ...gave] });
  expect(lookupMessage('en', before)).toBe(
    'All that matched was returned before in this session: infra/dns.md, infra/pool.md (Pool), an entry. Other words will not help: work from what you have.',
  );
  expect(lookupMessage('zh', before)).toBe(
    '匹配到的内容在本会话中都已给出：infra/dns.md、infra/pool.md（Pool）、an entry。换其他词检索也不会有新结果，请依据已有内容推理。',
  );
});

test('R6.6 too many fruitless searches without a domain: the advice is to name one', () => {
  const stopped = facts({ outcome: 'stopped', cause: 'fruitless', domain: '*' });
  expect(lookupMessage('en', stopped)).toBe(
    'Too many searches without a domain found nothing in this session. Other words will not help: name a domain, or work from what you have.',
  );
  expect(lookupMessage('zh', stopped)).toBe(
    '本会话中未指明知识域的检索已多次无果，换其他词也不会有结果；请指明 domain，或依据已有内容推理。',
  );
});
