import { parse } from 'yaml';
import * as z from 'zod';
import { eachOf } from '../../bin/support/cli-push.ts';
import { StatusReply } from '../../bin/support/cli-replies.ts';
import { type Client, createClient, segment } from '../../bin/support/client.ts';

/** What was pushed, as far as a caller knows. */
export interface Promised {
  /** Every id that an upload was answered with, to either push. */
  ids: ReadonlySet<string>;
  /** The bytes that lie at each path, as text. */
  texts: ReadonlyMap<string, string>;
}

/** How many of each kind the API shows. */
export interface Shown {
  live: number;
  rejected: number;
  relations: number;
  domains: number;
}

const AT_ONCE = 8;
const PAGE = '100';

const Documents = z.object({
  items: z.array(z.object({ id: z.string(), path: z.string(), domain: z.string(), title: z.string() })),
  next_cursor: z.string().optional(),
});
type Listed = z.infer<typeof Documents>['items'][number];
const Text = z.object({ id: z.string(), content: z.string(), next_offset: z.number().optional() });
const Waiting = z.object({ items: z.array(z.unknown()) });
const Relations = z.object({
  ids: z.array(z.string()),
  types: z.array(
    z.object({
      type: z.string(),
      ids: z.array(z.string()),
      pairs: z.array(z.tuple([z.string(), z.string()])),
    }),
  ),
});
const LeftOut = z.string().regex(/^\+\d+ more$/);
const KnowledgeMap = z.object({
  available_knowledge_domains: z.array(
    z.object({
      domain_id: z.string(),
      description: z.string(),
      when_to_retrieve: z.string(),
      documents: z.array(z.object({ title: z.string() })),
      left_out: LeftOut.optional(),
    }),
  ),
  left_out: LeftOut.optional(),
});

/** The edge as its other end shows it; of coined types only that there is one. */
const INVERSE: Readonly<Record<string, string>> = {
  subset: 'superset',
  superset: 'subset',
  duplicate: 'duplicate',
  conflict: 'conflict',
  complement: 'complement',
};

/** Everything of `cases/crash.md` that a caller can see: each violation begins with the number of its invariant. */
export async function checkByApi(
  url: string,
  promised: Promised,
): Promise<{ violations: string[]; shown: Shown }> {
  const client = createClient({ url, timeout_ms: 60_000 });
  const get = <Reply>(path: string, schema: z.ZodType<Reply>, query: Record<string, string> = {}) =>
    client.json({ method: 'GET', path, query }, schema).then(({ reply }) => reply);

  const statuses = new Map<string, StatusReply>();
  await eachOf(promised.ids, AT_ONCE, async (id) => {
    statuses.set(id, await get(`/api/knowledge/status/${segment(id)}`, StatusReply));
  });
  const listed = await listAll(client);
  const violations = [
    ...((await get('/api/knowledge/pending', Waiting)).items.length > 0
      ? ['1 something is still pending']
      : []),
    ...decided(statuses, listed),
    ...edges(statuses, listed, await get('/api/relations', Relations)),
    ...(await texts(client, listed, promised.texts)),
    ...mapped(
      KnowledgeMap.parse(parse((await client.send({ method: 'GET', path: '/api/knowledge-map' })).text)),
      listed,
    ),
  ];
  const all = [...statuses.values()];
  const shown = {
    live: listed.length,
    rejected: all.filter(({ status }) => status === 'rejected').length,
    relations: all.reduce((sum, { relations }) => sum + relations.length, 0) / 2,
    domains: new Set(listed.map(({ domain }) => domain)).size,
  };
  return { violations, shown };
}

async function listAll(client: Client): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const { reply } = await client.json({ method: 'GET', path: '/api/documents', query }, Documents);
    listed.push(...reply.items);
    cursor = reply.next_cursor;
    if (cursor === undefined) return listed;
  }
}

function* decided(statuses: ReadonlyMap<string, StatusReply>, listed: readonly Listed[]): Iterable<string> {
  const live = new Set(listed.map(({ id }) => id));
  for (const [id, { status, reason, grounds, path }] of statuses) {
    const approved = status === 'approved' || status === 'checked';
    if (!approved && status !== 'rejected') yield `1 ${id} (${path}) was accepted and is ${status}`;
    if (approved !== live.has(id)) yield `4 ${id} is ${status}, and ${live.has(id) ? '' : 'not '}listed`;
    if (status !== 'rejected') continue;
    if (reason === undefined) yield `1 ${id} is rejected without a reason`;
    if (reason === 'known' && grounds.length === 0) yield `5 ${id} is known by nothing`;
    for (const ground of grounds) {
      if (ground.id === id) yield `2 ${id} is rejected because of itself`;
      if (!live.has(ground.id)) yield `5 ${id} rests on ${ground.id}, which is not live`;
    }
  }
  for (const id of live) if (!statuses.has(id)) yield `2 ${id} is live, and nobody was told of it`;
  const paths = Map.groupBy(listed, ({ path }) => path);
  for (const [path, holders] of paths)
    if (holders.length > 1) yield `6 ${path} has ${holders.length} live documents`;
}

function* edges(
  statuses: ReadonlyMap<string, StatusReply>,
  listed: readonly Listed[],
  relations: z.infer<typeof Relations>,
): Iterable<string> {
  const live = new Set(listed.map(({ id }) => id));
  const shown = new Set<string>();
  for (const [id, { relations: own }] of statuses)
    for (const { type, target } of own) {
      shown.add(`${type} ${id} ${target}`);
      if (!live.has(id) || !live.has(target))
        yield `3 ${id} shows ${type} → ${target}, and one of them is not live`;
      const back = statuses.get(target)?.relations.filter((edge) => edge.target === id) ?? [];
      const wanted = INVERSE[type];
      const reads = wanted === undefined ? back.length > 0 : back.some((edge) => edge.type === wanted);
      if (!reads) yield `3 ${target} does not show ${wanted ?? 'anything'} → ${id}, which shows ${type}`;
    }
  const cached = new Set(
    relations.types.flatMap(({ type, pairs }) => pairs.map(([from, to]) => `${type} ${from} ${to}`)),
  );
  const differ = shown.symmetricDifference(cached);
  if (differ.size > 0)
    yield `3 the relation cache and the items differ in ${[...differ].slice(0, 5).join('; ')}`;
}

/** Each live document reads back as the file at its path, byte for byte. */
async function texts(
  client: Client,
  listed: readonly Listed[],
  wanted: ReadonlyMap<string, string>,
): Promise<string[]> {
  const wrong: string[] = [];
  await eachOf(listed, AT_ONCE, async ({ id, path }) => {
    const encoded = path.split('/').map(segment).join('/');
    let content = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const query: Record<string, string> = { offset: String(offset) };
      const { reply }: { reply: z.infer<typeof Text> } = await client.json(
        { method: 'GET', path: `/api/documents/${encoded}`, query },
        Text,
      );
      if (reply.id !== id) wrong.push(`6 ${path} is held by ${reply.id}, and ${id} is listed`);
      content += reply.content;
      offset = reply.next_offset;
    }
    if (content !== wanted.get(path)) wrong.push(`6 ${path} reads back otherwise than the file`);
  });
  return wrong;
}

/** Every domain is in the map or counted as left out, and so is every live document of those that are. */
function* mapped(map: z.infer<typeof KnowledgeMap>, listed: readonly Listed[]): Iterable<string> {
  const domains = Map.groupBy(listed, ({ domain }) => domain);
  const in_map = map.available_knowledge_domains;
  if (in_map.length + leftOut(map.left_out) !== domains.size)
    yield `4 the map tells of ${in_map.length} domains and ${map.left_out ?? 'no more'}; there are ${domains.size}`;
  for (const { domain_id, documents, left_out, description } of in_map) {
    const own = domains.get(domain_id) ?? [];
    const told = documents.length + leftOut(left_out);
    if (told !== own.length)
      yield `4 the map tells of ${told} documents in ${domain_id}; there are ${own.length}`;
    const titles = new Set(own.map(({ title }) => title));
    const strange = documents.find(({ title }) => !titles.has(title));
    if (strange) yield `4 the map shows "${strange.title}" in ${domain_id}, which is no title there`;
    if (description === '') yield `4 the map has no text for ${domain_id}`;
  }
}

const leftOut = (told: string | undefined): number => Number(told?.match(/\d+/)?.[0] ?? 0);
