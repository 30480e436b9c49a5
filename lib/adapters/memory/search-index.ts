import { createTextIndex, type TextIndex } from '#lib/adapters/memory/bm25.ts';
import { wordedSection } from '#lib/adapters/memory/worded-section.ts';
import { Conflict, IndexUnavailable } from '#lib/core/errors.ts';
import { isVisible, scopeAllows } from '#lib/core/relevance.ts';
import type { IndexDocument, Removal, Section, TextHit, VectorHit } from '#lib/core/rows.ts';
import type { Clock, SearchIndex } from '#lib/ports.ts';

const TOMBSTONE_TTL_MS = 24 * 3600 * 1000;
const TITLE_WEIGHT = 3;
const KEYWORD_WEIGHT = 2;

interface Vector {
  values: Float32Array;
  norm: number;
}

interface StoredDocument {
  id: string;
  version: number;
  domain: string;
  scopes: readonly string[];
  task: Vector;
  sections: (Section & { vector: Vector })[];
}

/** One index by its physical name. `tombstones`: version of what was removed, and when (epoch milliseconds). */
interface Physical {
  dimensions: number | undefined;
  documents: Map<string, StoredDocument>;
  tombstones: Map<string, { version: number; at: number }>;
  text: TextIndex;
}

/** The search index in memory: exact cosine over float32 vectors, and BM25. */
export function createMemorySearchIndex(options: { clock?: Pick<Clock, 'now'> } = {}): SearchIndex {
  const indexes = new Map<string, Physical>();
  const open = (physical: string): Physical => {
    const index = indexes.get(physical);
    if (!index) throw new IndexUnavailable(`there is no index ${physical}`);
    return index;
  };

  return {
    async exists(physical) {
      return indexes.has(physical);
    },
    async create(physical) {
      if (indexes.has(physical)) throw new Conflict(`there is an index ${physical} already`);
      indexes.set(physical, {
        dimensions: undefined,
        documents: new Map(),
        tombstones: new Map(),
        text: createTextIndex(),
      });
    },
    async list() {
      return [...indexes.keys()].sort();
    },
    async drop(physical) {
      indexes.delete(physical);
    },
    async bulk(physical, documents) {
      const index = open(physical);
      const now = options.clock?.now() ?? 0;
      for (const [id, { at }] of index.tombstones)
        if (now - at > TOMBSTONE_TTL_MS) index.tombstones.delete(id);
      return { refused: documents.filter((document) => !write(index, document, now)).map(({ id }) => id) };
    },
    async nearest(physical, vector, k, scopes) {
      const query = prepare(vector);
      const usable = [...open(physical).documents.values()].filter((stored) =>
        scopeAllows(scopes, stored.scopes),
      );
      return best(usable, (document) => cosine(query, document.task), k).map(({ value: { id, task } }) => ({
        id,
        // Copied when it is read: of 50 neighbours most never are.
        get vector() {
          return Array.from(task.values);
        },
      }));
    },
    async search(physical, { vector, text, domain, scopes, limit }) {
      const { documents, text: texts } = open(physical);
      const query = prepare(vector);
      const rarities = texts.rarities(text);
      const accepts = (document: StoredDocument) =>
        (domain === undefined || document.domain === domain) && isVisible(document.scopes, scopes);
      const sections = [...documents.values()]
        .filter(accepts)
        .flatMap((document) => bestSection(query, document));
      return {
        by_vector: best(sections, ({ score }) => score, limit).map(({ value }) => vectorHit(value)),
        by_text: texts
          .search(text, (id) => accepts(documents.get(id)!), limit)
          .map((hit) => withSection(hit, documents.get(hit.id)!, rarities)),
      };
    },
    async present(physical, ids) {
      const { documents, tombstones } = open(physical);
      return ids.flatMap((id) => {
        const live = documents.has(id);
        const version = documents.get(id)?.version ?? tombstones.get(id)?.version;
        return version === undefined ? [] : [{ id, version, live }];
      });
    },
  };
}

/** Writes one document over a lower version; `false` if it can never be stored. */
function write(index: Physical, document: IndexDocument | Removal, now: number): boolean {
  const { id, version } = document;
  const stored = index.documents.get(id)?.version ?? index.tombstones.get(id)?.version;
  if (stored !== undefined && stored >= version) return true;
  if (!('task_vector' in document) || !document.live) {
    index.documents.delete(id);
    index.text.remove(id);
    index.tombstones.set(id, { version, at: now });
    return true;
  }
  const vectors = [document.task_vector, ...document.sections.map(({ vector }) => vector)];
  const dimensions = index.dimensions ?? document.task_vector.length;
  if (!vectors.every((vector) => vector.length === dimensions && vector.every(Number.isFinite))) return false;
  index.dimensions = dimensions;
  index.tombstones.delete(id);
  index.documents.set(id, {
    id,
    version,
    domain: document.domain,
    scopes: [...document.scopes],
    task: prepare(document.task_vector),
    sections: document.sections.map(({ heading, text, vector }) => ({
      heading,
      text,
      vector: prepare(vector),
    })),
  });
  index.text.put(id, [
    [document.title, TITLE_WEIGHT],
    [document.keywords.join('\n'), KEYWORD_WEIGHT],
    [document.about, 1],
    ...document.sections.map(({ text }) => [text, 1] as const),
  ]);
  return true;
}

/** Float32 as every engine keeps it: what is read back is what was stored, rounded. */
function prepare(vector: readonly number[]): Vector {
  const values = Float32Array.from(vector);
  return { values, norm: Math.sqrt(dot(values, values)) };
}

/** Four sums side by side: one alone waits for itself at every step. */
function dot(a: Float32Array, b: Float32Array): number {
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  const whole = a.length - (a.length % 4);
  for (let at = 0; at < whole; at += 4) {
    one += a[at]! * b[at]!;
    two += a[at + 1]! * b[at + 1]!;
    three += a[at + 2]! * b[at + 2]!;
    four += a[at + 3]! * b[at + 3]!;
  }
  for (let at = whole; at < a.length; at++) one += a[at]! * b[at]!;
  return one + two + (three + four);
}

function cosine(a: Vector, b: Vector): number {
  if (a.norm === 0 || b.norm === 0 || a.values.length !== b.values.length) return 0;
  return dot(a.values, b.values) / (a.norm * b.norm);
}

interface SectionScore {
  id: string;
  document: StoredDocument;
  section: number;
  score: number;
}

/** As in a nested k-NN field, a document is found by its nearest section. */
function bestSection(query: Vector, document: StoredDocument): SectionScore[] {
  let nearest: SectionScore | undefined;
  document.sections.forEach(({ vector }, section) => {
    const score = cosine(query, vector);
    if (!nearest || score > nearest.score) nearest = { id: document.id, document, section, score };
  });
  return nearest ? [nearest] : [];
}

function vectorHit({ id, document, section }: SectionScore): VectorHit {
  const { heading, text, vector } = document.sections[section]!;
  return { id, section, heading, text, vector: [...vector.values] };
}

function withSection(
  hit: TextHit,
  { sections }: StoredDocument,
  rarities: ReadonlyMap<string, number>,
): TextHit {
  const section = wordedSection(sections, rarities);
  return section ? { ...hit, section } : hit;
}

/** The best first, ties by id; without sorting all the others. */
function best<T extends { id: string }>(values: readonly T[], score: (value: T) => number, limit: number) {
  const kept: { value: T; score: number }[] = [];
  for (const value of values) {
    const reached = score(value);
    const last = kept.at(-1);
    if (kept.length === limit && last && reached < last.score) continue;
    const found = { value, score: reached };
    if (kept.length === limit && last && comesBefore(last, found)) continue;
    if (kept.length === limit) kept.pop();
    let at = kept.length;
    while (at > 0 && comesBefore(found, kept[at - 1]!)) at -= 1;
    kept.splice(at, 0, found);
  }
  return kept;
}

const comesBefore = (a: { value: { id: string }; score: number }, b: typeof a): boolean =>
  a.score > b.score || (a.score === b.score && a.value.id < b.value.id);
