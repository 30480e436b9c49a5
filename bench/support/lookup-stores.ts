import { createMemorySnapshots } from '#lib/adapters/memory/snapshots.ts';
import type { Ports } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { storeCatalog } from '#lib/usecases/store-catalog.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import type { EmulatedStores } from '../../bin/support/emulated-stores.ts';
import { STANDIN_SETTINGS } from '../../bin/support/local-instance.ts';
import { writtenInBulk } from './bulk-rows.ts';
import { lookupCorpus, type StoredDocument } from './lookup-corpus.ts';

/** A knowledge base of the local run with that many documents in it. */
export interface LookupStores {
  ports: Ports;
  documents: StoredDocument[];
  /** How long the rows and the index took to fill. */
  filled_ms: number;
}

/** Documents of one call to the index. */
const PAGE = 500;

/**
 * Fills tables and index as if each document had been admitted: ledger entries and item rows in the adapters' own form,
 * by batches in place of one conditional put each; index documents by the index's own bulk call; the catalog's snapshot by
 * the product, from entries at hand. Bodies and section vectors in S3 are left out: no lookup that is measured reads them.
 */
export async function fillStores(
  stores: EmulatedStores,
  count: number,
  tell: (phase: string) => void,
): Promise<LookupStores> {
  const began = performance.now();
  const { stores: ports } = await stores.open();
  // The first pass makes the index.
  await sweep(createInstance(ports, STANDIN_SETTINGS))();
  const documents = [...lookupCorpus(count)];
  const step = Math.max(2000, count / 5);
  let told = 0;
  await writtenInBulk(
    stores.aws.dynamo,
    async () => {
      for (const { row, entry } of documents) {
        await ports.items.insert(row);
        await ports.ledger.put(entry);
      }
    },
    (rows) => {
      if (rows < told + step) return;
      told = rows;
      tell(`${rows} of ${2 * count} rows written`);
    },
  );
  await fillIndex(ports, documents, tell);
  const lookups = await withSnapshot(ports, documents);
  return { ports: lookups, documents, filled_ms: performance.now() - began };
}

/** The catalog's snapshot by the product itself; what it would read of the ledger is at hand already. */
async function withSnapshot(ports: Ports, documents: readonly StoredDocument[]): Promise<Ports> {
  const write = async (to: Ports): Promise<Ports> => {
    const writer = createInstance(to, STANDIN_SETTINGS);
    writer.catalog.apply(documents.map(({ entry }) => entry));
    await storeCatalog(writer);
    return to;
  };
  try {
    return await write(ports);
  } catch {
    // fauxqs takes no request of more than 11 MiB; S3 does.
    return write({ ...ports, snapshots: createMemorySnapshots() });
  }
}

async function fillIndex(
  { index, projections, model }: Ports,
  documents: readonly StoredDocument[],
  tell: (phase: string) => void,
): Promise<void> {
  const row = await projections.get(await projections.pointer());
  for (let at = 0; at < documents.length; at += PAGE) {
    const page = documents.slice(at, at + PAGE);
    const vectors = await model.embed(
      page.map(({ text }) => text),
      'passage',
    );
    await index.bulk(
      row!.physical,
      page.map(({ index: document, text, row: { fields } }, n) => ({
        ...document,
        task_vector: vectors[n]!,
        sections: [{ heading: fields.title, text, vector: vectors[n]! }],
      })),
    );
    if ((at / PAGE) % 40 === 39) tell(`${at + page.length} of ${documents.length} documents in the index`);
  }
}
