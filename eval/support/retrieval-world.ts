import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { floorsOf, settingsOfFloors } from '#lib/core/embedder-floors.ts';
import { excerpt } from '#lib/core/excerpt.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { sha256 } from '#lib/core/normalise.ts';
import { sectionText, splitSections } from '#lib/core/sections.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Model } from '#lib/ports.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import type { Running } from './measure-cosines.ts';
import { stillWanted } from './still-wanted.ts';

/** What is stored of a document. `l0_keywords`: its author's, for L0 alone; the search index does not have them. */
export interface Stored {
  id: string;
  title: string;
  body: string;
  domain: string;
  l0_keywords: string[];
  covers: string[];
  about: string;
}

/** A knowledge base in memory, with one document of each thing stored. */
export interface RetrievalWorld {
  instance: Instance;
  physical: string;
  /** The document's own id, by its item's. */
  original: ReadonlyMap<string, string>;
}

const PHYSICAL = 'knowledge-evaluation';
const NOW_S = 1_782_900_000;
/** Documents handed over by a lookup: R@5 and MRR@10 need more than an agent gets. */
const RANKED = 10;
const AT_ONCE = 8;

/** Stores the documents past upload and judge, as the fixtures of the tests do; lookups then go the product's own way. */
export async function createRetrievalWorld(
  embedder: Pick<Model, 'embedder' | 'embed'>,
  documents: readonly Stored[],
  running: Running,
): Promise<RetrievalWorld> {
  const ports = createMemoryPorts({
    model: { ...createStandinModel(), embedder: embedder.embedder, embed: embedder.embed },
  });
  await ports.index.create(PHYSICAL);
  const name = await ports.projections.pointer();
  const row = await ports.projections.takeLease(name, { token: 'evaluation', at: 0 }, 0, 1);
  await ports.projections.rebase(name, 'evaluation', row!, PHYSICAL);
  await ports.projections.releaseLease(name, 'evaluation');

  const original = new Map<string, string>();
  const sections = documents.map(({ title, body }) => splitSections(body, title));
  for (const [n, document] of documents.entries()) {
    await stillWanted(running.signal);
    running.tell(`${document.domain}: ${n}/${documents.length} documents`);
    const item = rowOf(document, n);
    original.set(item.id, document.id);
    const texts = sections[n]!;
    const vectors: number[][] = [];
    for (let from = 0; from < texts.length; from += AT_ONCE) {
      await stillWanted(running.signal);
      vectors.push(...(await embedder.embed(texts.slice(from, from + AT_ONCE).map(sectionText), 'passage')));
    }
    await ports.items.insert(item);
    await ports.ledger.put({
      ...{ position: n + 1, at: NOW_S, by: 'evaluation', event: 'imported', item_id: item.id, attempt: 1 },
      ...{ decision_id: `d-${n}`, fingerprint: item.fingerprint, scopes: [], path: item.path, path_seq: 1 },
      live: {
        kind: 'document',
        domain: document.domain,
        title: document.title,
        keywords: document.l0_keywords,
        keywords_by_author: true,
        covers: document.covers,
      },
    });
    await ports.index.bulk(PHYSICAL, [
      {
        ...{ id: item.id, version: n + 1, live: true, domain: document.domain, scopes: [] },
        ...{ title: document.title, keywords: [], about: document.about },
        // Only dedup reads it.
        task_vector: vectors[0]!,
        sections: texts.map((section, at) => ({ ...section, vector: vectors[at]! })),
      },
    ]);
  }
  const instance = createInstance(ports, { ...settingsFor(embedder.embedder.name), top_k: RANKED });
  await instance.catalog.refresh();
  return { instance, physical: PHYSICAL, original };
}

/** The settings of a deployment with this embedder. */
export const settingsFor = (embedder: string): Partial<Settings> => {
  const floors = floorsOf(embedder);
  return floors ? settingsOfFloors(floors) : {};
};

function rowOf({ title, body, domain, l0_keywords, covers, id }: Stored, n: number): ItemRow {
  return {
    id: `knowledge-20260701-120000-${(n + 1).toString(16).padStart(8, '0')}`,
    ...{
      kind: 'document',
      domain,
      path: `${domain}/${n}.md`,
      path_seq: 1,
      task: title || id,
      message_id: '',
    },
    ...{ types: [], tags: {}, tag_keys: [], scopes: [], owner: 'evaluation', resource_ids: [], source: {} },
    metadata: '',
    fields: {
      ...{ title, summary: '', keywords: l0_keywords, covers, when_to_retrieve: '' },
      ...{ generated: [], missing: [] },
    },
    excerpt: excerpt(body, 2000).excerpt,
    body_hash: sha256(body),
    fingerprint: sha256(id),
    ...{ created_at: NOW_S, updated_at: NOW_S, status: 'approved', attempt: 1, pos: n + 1 },
  };
}
