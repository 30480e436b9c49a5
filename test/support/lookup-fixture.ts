import { createMemoryPorts, type MemoryPorts } from '#lib/adapters/memory/memory.ts';
import type { Entry } from '#lib/core/entry.ts';
import { excerpt } from '#lib/core/excerpt.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { sha256 } from '#lib/core/normalise.ts';
import { sectionText, splitSections } from '#lib/core/sections.ts';
import type { Settings } from '#lib/core/settings.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { type CallCounts, countCalls } from '#test/support/call-counts.ts';

export interface Stored {
  /** A document's; an entry has none, and the domain `general`. */
  path?: string;
  title?: string;
  keywords?: string[];
  /** The keywords were written by the model. */
  generated?: boolean;
  covers?: string[];
  when_to_retrieve?: string;
  body?: string;
  scopes?: string[];
  owner?: string;
  /** Leaves the item out of the search index: it has not come that far. */
  unindexed?: boolean;
}

/** A knowledge base in memory that holds what a test puts into it, past upload and judge. */
export interface LookupWorld {
  ports: MemoryPorts;
  counts: CallCounts;
  instance: Instance;
  /** Another running function over the same stores. */
  another(): Instance;
  store(stored: Stored): Promise<string>;
  /** Appends the removal; the index still has the item. */
  remove(id: string): Promise<void>;
}

const PHYSICAL = 'knowledge-test';

export async function createLookupWorld(
  options: { settings?: Partial<Settings>; ports?: Parameters<typeof createMemoryPorts>[0] } = {},
): Promise<LookupWorld> {
  const { ports, counts } = countCalls(createMemoryPorts(options.ports));
  const instance = createInstance(ports, options.settings);
  const writer = createInstance(ports, options.settings);
  await ports.index.create(PHYSICAL);
  const name = await ports.projections.pointer();
  const lease = { token: 'test', at: ports.clock.now() };
  const row = await ports.projections.takeLease(name, lease, 0, Number.MAX_SAFE_INTEGER);
  await ports.projections.rebase(name, 'test', row!, PHYSICAL);
  await ports.projections.releaseLease(name, 'test');

  let seq = 0;
  const append = async (entry: Omit<Entry, 'position' | 'at' | 'by' | 'decision_id' | 'fingerprint'>) => {
    const { position } = await writer.catalog.refresh();
    const whole = { ...entry, at: 1_782_900_000, by: 'pipeline', fingerprint: `${seq}` };
    await ports.ledger.put({ ...whole, position: position + 1, decision_id: `d-${position + 1}` });
    return position + 1;
  };

  return {
    ports,
    counts,
    instance,
    another: () => createInstance(ports, options.settings),
    async store(stored) {
      seq += 1;
      const row = rowOf(stored, seq);
      const body = bodyOf(stored);
      const sections = splitSections(body, row.fields.title);
      const vectors = await ports.model.embed([row.task, ...sections.map(sectionText)], 'passage');
      const embedded = sections.map((section, n) => ({ ...section, vector: vectors[n + 1]! }));
      await ports.bodies.put(row.id, row.kind, body);
      await ports.items.insert(row);
      await ports.vectors.saveSections(row.id, ports.model.embedder.name, embedded);
      const { kind, domain, path, fields, scopes } = row;
      const { title, keywords, covers } = fields;
      const version = await append({
        event: 'admitted',
        item_id: row.id,
        attempt: 1,
        ...(path !== undefined && { path, path_seq: seq }),
        scopes,
        live: { kind, domain, title, keywords, keywords_by_author: !stored.generated, covers },
      });
      const document = { id: row.id, version, live: true, domain, scopes, title, keywords };
      const about = [...covers, fields.when_to_retrieve].join('\n');
      if (!stored.unindexed)
        await ports.index.bulk(PHYSICAL, [
          { ...document, about, task_vector: vectors[0]!, sections: embedded },
        ]);
      counts.reset();
      return row.id;
    },
    async remove(id) {
      await append({ event: 'removed', item_id: id, attempt: 2, scopes: [] });
      counts.reset();
    },
  };
}

const titleOf = ({ title, path }: Stored): string =>
  title ?? (path?.split('/')[1] ?? 'entry').replace(/\.md$/, '');

const bodyOf = (stored: Stored): string =>
  stored.body ?? `# ${titleOf(stored)}\n\n${(stored.keywords ?? []).join(' ')}\n`;

function rowOf(stored: Stored, seq: number): ItemRow {
  const body = bodyOf(stored);
  const title = titleOf(stored);
  const kind = stored.path === undefined ? 'entry' : 'document';
  return {
    id: `knowledge-20260701-120000-${seq.toString(16).padStart(8, '0')}`,
    kind,
    domain: stored.path?.split('/')[0] ?? 'general',
    ...(stored.path !== undefined && { path: stored.path, path_seq: seq }),
    task: title,
    message_id: '',
    types: [],
    tags: {},
    tag_keys: [],
    scopes: stored.scopes ?? [],
    owner: stored.owner ?? 'test',
    resource_ids: [],
    source: {},
    metadata: '',
    fields: {
      title,
      summary: '',
      keywords: stored.keywords ?? [],
      covers: stored.covers ?? [],
      when_to_retrieve: stored.when_to_retrieve ?? '',
      generated: stored.generated ? ['keywords'] : [],
      missing: [],
    },
    excerpt: excerpt(body, 2000).excerpt,
    body_hash: sha256(body),
    fingerprint: `${seq}`,
    created_at: 1_782_900_000,
    updated_at: 1_782_900_000,
    status: 'approved',
    attempt: 1,
    pos: 0,
  };
}
