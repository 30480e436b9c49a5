import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { writeDomainSummary, writeFrontmatter } from '#lib/adapters/standin/writers.ts';
import { checkDomainText, checkFields } from '#lib/core/checked-fields.ts';
import { FieldName } from '#lib/core/item.ts';
import { languageOf } from '#lib/core/language.ts';
import { cut } from '#lib/core/limits.ts';
import * as domainSummary from '#prompts/domain-summary.ts';
import * as frontmatter from '#prompts/frontmatter.ts';
import * as judgeRelations from '#prompts/judge-relations.ts';
import { entryView } from '#test/support/judge-views.ts';

const bare = (path: string, body: string): frontmatter.FrontmatterInput => ({
  path,
  body,
  authored: {},
  missing: ['title', 'summary', 'keywords', 'covers', 'when_to_retrieve'],
});

const chinese = `# 支付超时排查手册

支付网关返回 ERR_TIMEOUT 时，先看网关日志。多数超时来自连接池耗尽。本手册按顺序列出步骤。

## 扣款无回调

检查 \`HikariCP\` 的连接池。

## 2. 网关超时

支付超时重试三次，支付超时后人工处理。ERR_TIMEOUT 再次出现则升级。

\`\`\`sh
# 这不是标题
kubectl get pods
\`\`\`

## 参考资料
`;

test('R3.2 a Chinese document without frontmatter is described in Chinese by its own words', () => {
  expect(writeFrontmatter(bare('payment/x.md', chinese))).toEqual({
    title: '支付超时排查手册',
    summary: '支付网关返回 ERR_TIMEOUT 时，先看网关日志。多数超时来自连接池耗尽。',
    keywords: ['ERR_TIMEOUT', 'HikariCP', '支付超时', 'kubectl', 'pods'],
    covers: ['扣款无回调', '网关超时'],
    when_to_retrieve: '用户的问题涉及支付超时排查手册、扣款无回调、网关超时时检索。',
  });
});

test('R3.2 an English document without headings takes its title from the file name', () => {
  const body =
    'Renew the certificate with `certbot renew`. Then reload nginx. The certificate lasts 90 days.';
  expect(writeFrontmatter(bare('api/renew-tls_cert.md', body))).toEqual({
    title: 'renew tls cert',
    summary: 'Renew the certificate with certbot renew. Then reload nginx.',
    keywords: ['renew', 'tls', 'cert', 'certificate', 'certbot'],
    covers: ['renew tls cert'],
    when_to_retrieve: 'Retrieve when the question is about renew tls cert.',
  });
});

test('R3.2 what the author wrote is repeated unchanged', () => {
  const authored = { title: '我的标题', keywords: ['甲'], covers: ['乙'] };
  expect(writeFrontmatter({ ...bare('payment/x.md', chinese), authored })).toMatchObject({
    ...authored,
    when_to_retrieve: '用户的问题涉及我的标题、乙时检索。',
  });
});

test('R3.2 real documents get every field within the limits, in their language, naming nothing foreign', () => {
  const root = fileURLToPath(new URL('../../../shared/data/markdown/', import.meta.url));
  const bodies = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect(bodies.length).toBeGreaterThan(20);
  for (const name of bodies) {
    const text = readFileSync(join(root, name), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '');
    // As much as the model is shown.
    const body = cut(text, 8000);
    const fields = frontmatter.FrontmatterOutput.parse(writeFrontmatter(bare(name, body)));
    expect(fields.title, name).not.toBe('');
    expect([...fields.title].length).toBeLessThanOrEqual(200);
    expect(fields.covers.length, name).toBeGreaterThan(0);
    for (const label of [...fields.keywords, ...fields.covers])
      expect([...label].length).toBeLessThanOrEqual(64);
    const foreign = fields.keywords.filter(
      (keyword) =>
        !`${name}\n${body}`.normalize('NFKC').replace(/['’]/g, '').includes(keyword.normalize('NFKC')),
    );
    expect(foreign, name).toEqual([]);
    if (languageOf(body) === 'zh') expect(fields.when_to_retrieve, name).toContain('检索');
    const checked = checkFields(fields, FieldName.options, `${name}\n${body}`, body);
    expect(checked, name).toEqual({ kept: fields, dropped: 0, problems: [] });
  }
});

const item = (title: string) => ({ title, summary: '', when_to_retrieve: '' });

test('R5.2 a domain is described by its titles and ends with the advice to search once', () => {
  expect(
    writeDomainSummary({
      domain_id: 'payment',
      items: [item('支付超时排查'), item('退款处理'), item('退款处理')],
    }),
  ).toEqual({
    description: '支付超时排查、退款处理',
    when_to_retrieve: '用户的问题涉及支付超时排查、退款处理时检索；优先检索一次，勿重复。',
  });
  expect(writeDomainSummary({ domain_id: 'api', items: [], parts: ['Rate limits', 'Webhooks'] })).toEqual({
    description: 'Rate limits; Webhooks',
    when_to_retrieve:
      'Retrieve when the question is about Rate limits; Webhooks. Search it once; do not repeat the search in other words.',
  });
});

test('R5.2 a domain of real titles is described by nothing else', () => {
  const titles = ['Mysql 面试题', 'ERR_TIMEOUT 排查', 'SHOW [GLOBAL] <variable>', 'Pool exhausted', '2.4.0'];
  for (let first = 0; first < titles.length; first += 1) {
    const items = [...titles.slice(first), ...titles.slice(0, first)].slice(0, 3).map(item);
    const text = writeDomainSummary({ domain_id: 'api', items });
    const source = items.map(({ title }) => title).join('\n');
    expect(checkDomainText(text, source)).toEqual({ kept: text, dropped: 0, problems: [] });
  }
});

test('R2.3 a description stays within 256 characters and cuts no title in two', () => {
  const titles = Array.from({ length: 30 }, (_, n) => `Runbook ${n} ${'x'.repeat(40)}`);
  const { description } = domainSummary.DomainSummaryOutput.parse(
    writeDomainSummary({ domain_id: 'api', items: titles.map(item) }),
  );
  expect(description.split('; ')).toEqual(titles.slice(0, 4));
});

test('the stand-in answers every prompt by its name, as JSON of its schema, and signs with its own name', async () => {
  const model = createStandinModel();
  const view = entryView('Restart', 'Drain the node.');
  const prompts = [
    judgeRelations.render({ newcomer: view, candidates: [{ id: 'knowledge-20260317-aaaa', ...view }] }),
    frontmatter.render(bare('payment/x.md', chinese)),
    domainSummary.render({ domain_id: 'payment', items: [item('支付超时排查')] }),
  ];
  for (const prompt of prompts) {
    const reply = await model.complete({ ...prompt, repairs: [] });
    expect(reply.model).toBe('stand-in-rules');
    expect(prompt.schema.safeParse(JSON.parse(reply.text)).success).toBe(true);
  }
  expect([model.writer, model.embedder]).toEqual([
    { name: 'stand-in-rules', stand_in: true },
    { name: 'stand-in-hash-512', dimensions: 512, stand_in: true },
  ]);
  expect((await model.embed(['a', 'b'], 'query')).map((vector) => vector.length)).toEqual([512, 512]);
  await expect(model.complete({ ...prompts[0]!, prompt: 'poem@1', repairs: [] })).rejects.toThrow('"poem@1"');
});
