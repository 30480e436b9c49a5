import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { judgeByRules, STANDIN_JUDGE_BUDGET } from '#lib/adapters/standin/judge.ts';
import { parseFrontmatter } from '#lib/core/frontmatter.ts';
import { type JudgeView, judgeView } from '#lib/core/judge-view.ts';
import { JudgeOutput } from '#prompts/judge-relations.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';
import { entryView } from '#test/support/judge-views.ts';

const sharedPath = (name: string) => join(fileURLToPath(new URL('../../../shared/', import.meta.url)), name);
const shared = (name: string) => readFileSync(sharedPath(name), 'utf8');

const relation = (newcomer: JudgeView, old: JudgeView): string => {
  const verdict = judgeByRules({ newcomer, candidates: [{ id: 'knowledge-20260317-aaaa', ...old }] });
  const type = verdict.relations[0]?.type ?? 'none';
  const rejects = type === 'duplicate' || type === 'subset';
  expect(verdict.final_decision).toBe(rejects ? 'rejected' : 'approved');
  return type;
};
/** The relation of `content` to `old` under one task. */
const related = (content: string, old: string, task = 'One task') =>
  relation(entryView(task, content), entryView(task, old));

const text = z.looseObject({ task: z.string(), content: z.string() });
const pair = z.looseObject({
  id: z.string(),
  stored: z.array(text).length(1),
  new: text,
  relations: z.array(z.string()).min(1),
});
const cases = z
  .array(z.unknown())
  .parse(JSON.parse(shared('cases/admission.json')))
  .flatMap((each) => pair.safeParse(each).data ?? []);

test('R4.2 the rules give the right relation for every admission case but those that need knowledge of the world', () => {
  const wrong = cases
    .map(({ id, stored, new: newcomer, relations }) => ({
      id,
      said: relation(
        entryView(newcomer.task, newcomer.content),
        entryView(stored[0]!.task, stored[0]!.content),
      ),
      right: relations,
    }))
    .filter(({ said, right }) => !right.includes(said));
  expect(cases).toHaveLength(16);
  expect(wrong).toEqual([
    { id: 'A3', said: 'complement', right: ['conflict'] },
    { id: 'A6', said: 'complement', right: ['duplicate'] },
    { id: 'A13', said: 'complement', right: ['duplicate'] },
  ]);
});

test('R2.4 tasks are compared by their words, and another task is always none', () => {
  const between = (a: string, b: string) => relation(entryView(a, 'Same text.'), entryView(b, 'Same text.'));
  expect(between('Restarting the payment gateways', 'How to restart a payment gateway')).toBe('duplicate');
  expect(between('支付超时排查手册', '支付超时的排查')).toBe('duplicate');
  expect(between('Release notes of 2.1.3', 'Release notes of 2.1.4')).toBe('none');
  expect(between('部署主集群', '部署其他集群')).toBe('none');
  expect(between('支付超时排查', '登录超时排查')).toBe('none');
});

test('R2.4 small rewording, order and format make no difference; another word, figure or name does', () => {
  const old = '1. Drain the node.\n2. Check `/health` on port 8080 until the queue is empty.';
  expect(
    related('- **Verify** /health on port 8080 until the queue is completely empty\n- First drain node', old),
  ).toBe('duplicate');
  expect(related('- Drain the node. Check /ready on port 8080 until the queue is empty', old)).toBe(
    'complement',
  );
  expect(related('Drain the node. Check /health on port 9090 until the queue is empty.', old)).toBe(
    'conflict',
  );
});

test('R2.4 opposite words and a denial contradict, in both languages', () => {
  expect(related('高峰期必须启用缓存预热。', '高峰期必须禁用缓存预热。')).toBe('conflict');
  expect(related('Restart the broker before the consumers.', 'Restart the broker after the consumers.')).toBe(
    'conflict',
  );
  expect(related('Do not restart the broker by hand.', 'Restart the broker by hand.')).toBe('conflict');
  expect(related('网关不支持热加载。', '网关支持热加载。')).toBe('conflict');
  expect(related('The broker was not seen in May.', 'Consumers read from three topics.')).toBe('complement');
});

test('R2.4 one figure is a setting and contradicts, many of one kind or of another day are observations', () => {
  expect(related('The timeout is 5 s.', 'The timeout is 3 s.')).toBe('conflict');
  expect(related('On Monday the load was 5.', 'On Friday the load was 3.')).toBe('complement');
  expect(related('The release is on Monday.', 'The release is on Friday.')).toBe('conflict');
  expect(related('load 1\nload 2\nload 3', 'load 4\nload 5\nload 6')).toBe('complement');
  expect(related('Details in step 3.', 'Details in step 4.')).toBe('complement');
});

test('R4.2 each candidate is judged alone: two that cover the newcomer together make no subset', () => {
  const task = 'Restart';
  const verdict = judgeByRules({
    newcomer: entryView(task, 'Drain the node. Restart the process.'),
    candidates: [
      { id: 'knowledge-20260317-aaaa', ...entryView(task, 'Drain the node. Call the owner.') },
      { id: 'knowledge-20260317-bbbb', ...entryView(task, 'Restart the process. Write a report.') },
      {
        id: 'knowledge-20260317-cccc',
        ...entryView('Paint the shed', 'Drain the node. Restart the process.'),
      },
    ],
  });
  expect(JudgeOutput.parse(verdict)).toEqual({
    final_decision: 'approved',
    relations: [
      { old_id: 'knowledge-20260317-aaaa', type: 'complement', reverse_type: 'complement' },
      { old_id: 'knowledge-20260317-bbbb', type: 'complement', reverse_type: 'complement' },
    ],
  });
});

test('R4.2 of a text that is shown in part nothing is called covered that was not seen', () => {
  const body = 'Drain the node. Restart the process. Call the owner.';
  const whole = entryView('Restart', body);
  const part = { ...whole, outline: 'Restart', complete: false, characters: 20_000 };
  expect(relation(part, whole)).toBe('superset');
  expect(relation(whole, part)).toBe('subset');
  // The rest of both may differ in a figure.
  expect(relation(part, { ...part, task: 'Restarting' })).toBe('complement');
});

const revision = z.looseObject({ rel: z.string(), heading: z.string(), stored: z.string(), new: z.string() });

/** How the rules call real revisions of a section: `{label: {relation: share}}`. */
function shares(file: string) {
  const rows = shared(`data/doc-relations/${file}`)
    .trim()
    .split('\n')
    .map((line) => revision.parse(JSON.parse(line)));
  const said = (label: string, types: readonly string[]) => {
    const those = rows.filter((row) => row.rel === label);
    const hits = those.filter((row) => types.includes(related(row.new, row.stored, row.heading)));
    return hits.length / those.length;
  };
  return said;
}

test('R4.2 of real revisions of documents almost no added or changed knowledge is thrown away', () => {
  const rejected = ['duplicate', 'subset'];
  for (const file of ['zh_rev_tidb_docs.jsonl', 'en_rev_powershell_docs.jsonl']) {
    const said = shares(file);
    expect(said('superset', rejected), `${file} superset`).toBeLessThan(0.04);
    expect(said('conflict', rejected), `${file} conflict`).toBe(0);
    expect(said('conflict', ['conflict']), `${file} conflict`).toBeGreaterThan(0.9);
    expect(said('subset', rejected), `${file} subset`).toBeGreaterThan(0.95);
    expect(said('duplicate', rejected), `${file} duplicate`).toBeGreaterThan(0.7);
  }
});

test('a judge call with ten candidates of 28 KB takes less than 20 ms a pair', () => {
  const body = (other: number) =>
    Array.from(
      { length: 300 },
      (_, n) =>
        `Sentence ${n * other} says that node ${n} must be drained before the ${['gateway', 'broker', 'cache'][n % 3]} restarts, 并且检查第 ${n} 个副本的状态是否正常。`,
    ).join('\n');
  const newcomer = entryView('Drain nodes', body(1));
  const candidates = Array.from({ length: 10 }, (_, n) => ({
    id: `knowledge-20260317-aaa${n}`,
    ...entryView(
      'Drain nodes',
      n % 2 === 0 ? body(7) : `${newcomer.content}\nCall the owner of the shard afterwards.`,
    ),
  }));
  expect(newcomer.content.length).toBeGreaterThan(25_000);
  const times = Array.from({ length: 5 }, () => cpuMs(() => judgeByRules({ newcomer, candidates })));
  // Of the fastest: the first runs are not yet compiled.
  expect(Math.min(...times) / candidates.length).toBeLessThan(20);
});

const title = 'Same manual';
/** Real documents of 10 to 50 KB, whole as the local run shows them to the rules. */
const documents = readdirSync(sharedPath('data/markdown'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => ({ name: basename(name), body: parseFrontmatter(shared(join('data/markdown', name))).body }))
  .filter(({ body }) => body.length > 10_000 && body.length < 50_000);
const documentView = (body: string) =>
  judgeView({ kind: 'document', task: title, title, body }, { budget: STANDIN_JUDGE_BUDGET });

test('R4.2 real documents: the same in another format is a duplicate, one sentence more or less is seen', () => {
  expect(documents.length).toBeGreaterThan(20);
  const addition = '\n\nCall the owner of the shard and write down when the standby took over.\n';
  for (const { body } of documents) {
    const [view, more] = [documentView(body), documentView(body + addition)];
    expect(relation(documentView(`${body.replace(/^- /gm, '* ')}\n\n`), view)).toBe('duplicate');
    expect(relation(more, view)).toBe('superset');
    expect(relation(view, more)).toBe('subset');
    const figure = documentView(`${body}\n\nThe standby takes over after 31 seconds.`);
    const other = documentView(`${body}\n\nThe standby takes over after 30 seconds.`);
    expect(relation(figure, other)).toBe('conflict');
  }
});

test('R4.2 real documents of one title and different texts are complements', () => {
  // The same name is the same page for another version.
  const pairs = documents.flatMap(({ name, body }, at) => {
    const old = documents[at - 1];
    return old && old.name !== name ? [relation(documentView(body), documentView(old.body))] : [];
  });
  expect(pairs.filter((type) => type === 'duplicate' || type === 'subset')).toEqual([]);
  expect(pairs.filter((type) => type === 'complement').length / pairs.length).toBeGreaterThan(0.9);
});
