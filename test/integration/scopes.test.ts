import { expect, test } from 'vitest';
import { NotFound } from '#lib/core/errors.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { removeDocument, removeItem } from '#lib/usecases/remove.ts';
import { review } from '#lib/usecases/review.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { JudgeInput } from '#prompts/judge-relations.ts';
import { file, knowledgeBase, stranger } from '#test/support/instance.ts';

const PATH = 'payment/terms.md';
const T = 'Vendor terms';
const tenant_a = { principal: 'tenant a', scopes: ['org:a'] };
const tenant_b = { principal: 'tenant b', scopes: ['org:b'] };
const A = { scopes: ['org:a'] };
const B = { scopes: ['org:b'] };

test('R4.1 R6.8 the judge is shown only what everyone may see who may see the newcomer', async () => {
  const base = knowledgeBase();
  const open = await base.admitted(T, 'x');
  const a = await base.admitted(T, 'a', A);
  const b = await base.admitted(T, 'b', B);
  const both = await base.admitted(T, 'c', { scopes: ['org:a', 'org:b'] });
  const offeredTo = async (content: string, scopes: string[]) => {
    base.model.completions.length = 0;
    await base.admitted(T, content, { scopes });
    return base.model.completions
      .filter(({ prompt }) => prompt.startsWith('judge'))
      .flatMap(({ input }) => JudgeInput.parse(input).candidates.map(({ id }) => id))
      .toSorted();
  };
  expect(await offeredTo('x1', ['org:a', 'org:b'])).toEqual([open, both].toSorted());
  const shared = (await base.ports.ledger.readAfter(4, 1))[0]!.item_id;
  expect(await offeredTo('x2', [])).toEqual([open]);
  const public_one = (await base.ports.ledger.readAfter(5, 1))[0]!.item_id;
  expect(await offeredTo('x3', ['org:a'])).toEqual([open, a, both, shared, public_one].toSorted());
  expect(await offeredTo('x4', ['org:b'])).toEqual([open, b, both, shared, public_one].toSorted());
  expect(await offeredTo('x5', ['org:c'])).toEqual([open, public_one].toSorted());
});

test('R4.1 R4.7 twins of two tenants are both admitted; a tenant’s own twin is rejected', async () => {
  const base = knowledgeBase();
  const a = await base.admitted(T, 'a', A);
  const b = await base.admitted(T, 'a', B);
  const again = await base.admitted(T, 'a', A);
  expect([await base.status(a), await base.status(b), await base.status(again)]).toEqual([
    'approved',
    'approved',
    'rejected known',
  ]);
  expect((await base.row(again)).decision?.grounds).toEqual([{ id: a, type: 'duplicate' }]);
  expect([await base.helpful(a), await base.helpful(b)]).toEqual([2, 1]);
});

test('API a human’s block counts for those who may see what was rejected, and for nobody else', async () => {
  const base = knowledgeBase();
  const a = await base.admitted(T, 'a', A);
  await review(base.instance)(tenant_a, a, { action: 'reject', reason: 'wrong' });
  const statuses = [];
  for (const scopes of [['org:a'], ['org:b'], []])
    statuses.push(await base.status(await base.admitted(T, 'a', { scopes })));
  expect(statuses).toEqual(['rejected blocked', 'approved', 'approved']);
});

test('R6.8 what a caller may not see it can neither replace, nor delete, nor review: it is not there', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a'), A);
  const [category = '', filename = ''] = PATH.split('/');
  const before = await base.ports.paths.get(PATH);
  for (const caller of [stranger, tenant_b]) {
    const upload = uploadDocument(base.instance)(caller, { category, filename, content: file(T, 'b') });
    await expect(upload).rejects.toThrow(new NotFound(`no document at ${PATH}`));
    await expect(removeDocument(base.instance)(caller, PATH)).rejects.toThrow(NotFound);
    await expect(removeItem(base.instance)(caller, id)).rejects.toThrow(NotFound);
    for (const action of [{ action: 'check' }, { action: 'reject', reason: 'x' }, { action: 'restore' }])
      await expect(review(base.instance)(caller, id, action)).rejects.toThrow(NotFound);
  }
  expect(await base.ports.paths.get(PATH)).toEqual(before);
  expect(await base.ports.ledger.readAfter(1, 9)).toEqual([]);
  await expect(removeDocument(base.instance)(tenant_a, PATH)).resolves.toEqual({ id });
});

test('R6.8 a pending upload that a caller may not see is not named to it by the same bytes', async () => {
  const base = knowledgeBase();
  await base.upload(PATH, file(T, 'a'), A);
  const [category = '', filename = ''] = PATH.split('/');
  const same = { category, filename, content: file(T, 'a'), ...A };
  await expect(uploadDocument(base.instance)(tenant_b, same)).rejects.toThrow(NotFound);
});

test('R3.1 scopes and owner come with the upload, or from the frontmatter; the upload’s own word counts', async () => {
  const base = knowledgeBase();
  const content = file(T, 'a').replace('---\n', '---\nscopes: [org:b, org:a, org:a]\nowner: agent:writer\n');
  const row = async (path: string, more = {}) => {
    const { scopes, owner } = await base.row((await base.upload(path, content, more)).id);
    return { scopes, owner };
  };
  expect(await row('payment/one.md')).toEqual({ scopes: ['org:a', 'org:b'], owner: 'agent:writer' });
  expect(await row('payment/two.md', A)).toEqual({ scopes: ['org:a'], owner: 'agent:writer' });
  expect(await row('payment/three.md', { scopes: [], owner: 'agent:x' })).toEqual({
    scopes: [],
    owner: 'agent:x',
  });
});

test('R3.2 R6.8 a scoped document is in no mirror, and its title is in the map of those alone who may see it', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a'), A);
  expect(await base.ports.mirror.list('', 9)).toEqual([]);
  const maps = await Promise.all(
    [tenant_a, tenant_b, stranger].map((caller) => knowledgeMap(base.instance)(caller)),
  );
  expect(maps.map((map) => map.includes(T))).toEqual([true, false, false]);
  await base.published(PATH, file(T, 'a'));
  expect(await base.ports.mirror.list('', 9)).toEqual([PATH]);
  expect(await base.status(id)).toBe('rejected replaced');
  await base.published(PATH, file(T, 'a'), B);
  expect(await base.ports.mirror.list('', 9)).toEqual([]);
});

test('R5.2 R6.8 the text of a domain says nothing of scoped items', async () => {
  const base = knowledgeBase();
  const seen: string[][] = [];
  base.model.script.domainSummary = ({ items }) => {
    seen.push(items.map(({ title }) => title));
    return JSON.stringify({ description: 'text', when_to_retrieve: 'when asked.' });
  };
  await base.published(PATH, file(T, 'a'), A);
  await base.published('payment/open.md', file('Open', 'b'));
  base.clock.pass(60_000);
  await base.work();
  expect(seen).toEqual([['Open']]);
});

test('R4.3 R6.8 helpful is a sum over all; a point of a private newcomer says whom it may be shown to', async () => {
  const base = knowledgeBase();
  const open = await base.admitted(T, 'a b');
  await base.admitted(T, 'a', A);
  await base.admitted(T, 'a');
  expect(await base.helpful(open)).toBe(3);
  const { history } = (await base.ports.evaluations.get(open))!;
  expect(history.map(({ scopes }) => scopes)).toEqual([['org:a'], []]);
});
