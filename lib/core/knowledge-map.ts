import { Document, isScalar, isSeq, visit } from 'yaml';
import type { Fold, Sequence } from '#lib/core/fold-state.ts';
import { cutToWeight, fairShares, QUARTERS, quotedWeight, weight } from '#lib/core/tokens.ts';
import type { VisibleDomains } from '#lib/core/visible-domains.ts';

export interface MapDocument {
  title: string;
  covers: readonly string[];
}

/** A domain as one caller sees it. `items` counts entries too; the newest document comes first. */
export interface MapDomain {
  domain_id: string;
  description: string;
  when_to_retrieve: string;
  items: number;
  documents: Documents;
}

/** Read from the front, and no further than there is room. */
type Documents = Pick<Sequence<MapDocument>, 'length' | 'at'>;

/** What is written of a document; `left_out` = how many of its covers are not. */
interface ShownDocument {
  title: string;
  covers: string[];
  left_out?: string;
}

const TITLE = 200;
const COVERS = 20;
const COVER = 64;
const DOMAIN_ID = 64;
const DESCRIPTION = 256;
const WHEN_TO_RETRIEVE = 1000;

/** Joins what the fold holds with the texts that are written already; a new domain is there without one (R5.1). */
export function mapDomains(
  f: Fold,
  visible: VisibleDomains,
  texts: readonly { domain_id: string; description: string; when_to_retrieve: string }[],
): MapDomain[] {
  const written = new Map(texts.map((text) => [text.domain_id, text]));
  return [...visible].map(([domain_id, { items, documents }]) => ({
    domain_id,
    description: written.get(domain_id)?.description ?? '',
    when_to_retrieve: written.get(domain_id)?.when_to_retrieve ?? '',
    items: items.length,
    documents: {
      length: documents.length,
      // Only the few that the map has room for are ever read.
      at: (n) => f.items.get(documents[documents.length - 1 - n] ?? '')?.live,
    },
  }));
}

/**
 * The map as YAML (R5.3), at most `budget_tokens` long (`tokens` of core/tokens.ts; the frame alone takes up to 16).
 * Where it does not hold everything it keeps every domain's name first, then shares the rest fairly between the domains'
 * texts and their newest documents; `left_out: "+N more"` says how many documents, covers or domains are missing.
 */
export function knowledgeMap(domains: readonly MapDomain[], budget_tokens: number): string {
  const frame = weight(FRAME) + leftOutWeight(0, domains.length);
  const { named, room } = nameable(domains, budget_tokens * QUARTERS - frame);

  const text_demands = named.map(
    (domain) => contentWeight(domain.description) + contentWeight(domain.when_to_retrieve),
  );
  const document_demands = demandsOf(named, room);
  const documents_in_all = document_demands.reduce((sum, demand) => sum + demand, 0);
  const text_shares = fairShares(text_demands, Math.max(Math.floor(room / 2), room - documents_in_all));
  const texts_in_all = text_shares.reduce((sum, share) => sum + share, 0);
  const document_shares = fairShares(document_demands, room - texts_in_all);

  const shown = named.map((domain, at) => show(domain, text_shares[at]!, document_shares[at]!));
  return asYaml({
    available_knowledge_domains: shown.toSorted(byName),
    ...leftOut(domains.length - named.length),
  });
}

/** Every text quoted, on one line, and as JSON would: what it holds cannot be read as YAML. */
function asYaml(map: object): string {
  const document = new Document(map);
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isScalar(key) && key.value === 'covers' && isSeq(value)) value.flow = true;
    },
  });
  return document.toString({
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    doubleQuotedAsJSON: true,
    flowCollectionPadding: false,
    lineWidth: 0,
  });
}

type Identified = Pick<MapDomain, 'domain_id'>;

const byName = (a: Identified, b: Identified): number => (a.domain_id < b.domain_id ? -1 : 1);

/** The domains whose names fit, those with the most items first, capped and free of control characters. */
function nameable(domains: readonly MapDomain[], budget: number): { named: MapDomain[]; room: number } {
  const named: MapDomain[] = [];
  let room = budget;
  const ordered = domains.toSorted((a, b) => b.items - a.items || byName(a, b));
  for (const domain of ordered) {
    const domain_id = dataText(domain.domain_id, DOMAIN_ID);
    const base = weight(HEAD) + quotedWeight(domain_id) + leftOutWeight(4, domain.documents.length);
    if (base > room) break;
    room -= base;
    named.push({
      ...domain,
      domain_id,
      description: dataText(domain.description, DESCRIPTION),
      when_to_retrieve: dataText(domain.when_to_retrieve, WHEN_TO_RETRIEVE),
    });
  }
  return { named, room: Math.max(0, room) };
}

function show(domain: MapDomain, text_room: number, document_room: number) {
  const strings = [domain.description, domain.when_to_retrieve];
  const [description_room, when_room] = fairShares(strings.map(contentWeight), text_room);
  const documents = fittingDocuments(domain.documents, document_room);
  return {
    domain_id: domain.domain_id,
    description: cutToWeight(domain.description, description_room! + 2),
    when_to_retrieve: cutToWeight(domain.when_to_retrieve, when_room! + 2),
    documents,
    ...leftOut(domain.documents.length - documents.length),
  };
}

function fittingDocuments(documents: Documents, room: number): ShownDocument[] {
  const shown: ShownDocument[] = [];
  let left = room;
  for (let n = 0; n < documents.length; n += 1) {
    const fitting = fittingDocument(asData(documents.at(n)!), left);
    if (!fitting) break;
    left -= documentWeight(fitting);
    shown.push(fitting);
  }
  return shown;
}

/** The document with as many of its covers as fit; `undefined` if not even its title does. */
function fittingDocument(document: ShownDocument, room: number): ShownDocument | undefined {
  for (let kept = document.covers.length; kept >= 0; kept -= 1) {
    const candidate: ShownDocument = {
      title: document.title,
      covers: document.covers.slice(0, kept),
      ...leftOut(document.covers.length - kept),
    };
    if (documentWeight(candidate) <= room) return candidate;
  }
  return undefined;
}

const asData = ({ title, covers }: MapDocument): ShownDocument => ({
  title: dataText(title, TITLE),
  covers: covers.slice(0, COVERS).map((cover) => dataText(cover, COVER)),
});

/** What readers of YAML 1.1 take for a line break, refuse, or what no text needs: it becomes a space. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/gu;

/** A text as data for a prompt: at most `length` code points, on one line. */
export function dataText(text: string, length: number): string {
  const line = text.toWellFormed().replace(UNPRINTABLE, ' ');
  return line.length <= length ? line : [...line].slice(0, length).join('');
}

const leftOut = (count: number): { left_out?: string } => (count > 0 ? { left_out: `+${count} more` } : {});

// What `asYaml` writes around the texts; the property test holds the two together.
const FRAME = 'available_knowledge_domains: []\n';
const HEAD = '  - domain_id: \n    description: ""\n    when_to_retrieve: ""\n    documents: []\n';
const DOCUMENT = '      - title: \n        covers: []\n';
const SEPARATOR = ', ';

const leftOutWeight = (indent: number, count: number): number =>
  count > 0 ? indent + weight(`left_out: "+${count} more"\n`) : 0;

const contentWeight = (text: string): number => quotedWeight(text) - 2;

function documentWeight({ title, covers, left_out }: ShownDocument): number {
  const separators = Math.max(0, covers.length - 1) * SEPARATOR.length;
  const inside = covers.reduce((sum, cover) => sum + quotedWeight(cover), separators);
  const more = left_out === undefined ? 0 : weight(`        left_out: "${left_out}"\n`);
  return weight(DOCUMENT) + quotedWeight(title) + inside + more;
}

/**
 * How much room each domain's documents ask for. Who asks for more than any fair share gets no more for it, so that
 * counting stops where all together ask for more than there is: twice an equal share is tried first, then more.
 */
function demandsOf(domains: readonly MapDomain[], room: number): number[] {
  for (let limit = (2 * room) / Math.max(1, domains.length); ; limit *= 4) {
    const demands = domains.map(({ documents }) => documentsWeight(documents, limit));
    if (limit >= room || demands.reduce((sum, demand) => sum + demand, 0) >= room) return demands;
  }
}

/** Size of all documents; counting stops where `limit` is passed. */
function documentsWeight(documents: Documents, limit: number): number {
  let sum = 0;
  for (let n = 0; n < documents.length && sum <= limit; n += 1)
    sum += documentWeight(asData(documents.at(n)!));
  return sum;
}
