import type { Model } from '#lib/ports.ts';
import type { LocalOptions } from '#lib/runtime/local/options.ts';
import type { Part } from '#lib/runtime/local/page.ts';

/** What runs here in the place of each part of a deployment, and what of it is none of the kind. */
export function partsOf(
  { embedder, writer }: Pick<Model, 'embedder' | 'writer'>,
  { opensearch }: Pick<LocalOptions, 'opensearch'>,
): Part[] {
  return [
    {
      name: 'Lambda functions',
      kind: 'real',
      what: 'the six of them, in this process, wired as the stack says',
    },
    { name: 'HTTP API', kind: 'emulator', what: 'Node, without authentication' },
    { name: 'DynamoDB', kind: 'emulator', what: 'dynalite, in this process' },
    {
      name: 'S3, SQS',
      kind: 'emulator',
      what: 'fauxqs, in this process; S3 notifications by looking twice a second',
    },
    { name: 'EventBridge Scheduler', kind: 'emulator', what: 'a timer, first at the start' },
    opensearch === undefined
      ? {
          name: 'OpenSearch',
          kind: 'STAND-IN',
          what: 'exact cosine and BM25 in memory, made anew from the ledger at each start',
        }
      : { name: 'OpenSearch', kind: 'real', what: opensearch },
    embedder.stand_in
      ? { name: 'Embedder', kind: 'STAND-IN', what: `${embedder.name}: hashed words, no meaning` }
      : { name: 'Embedder', kind: 'real', what: `${embedder.name}, ${embedder.dimensions} dimensions` },
    writer.stand_in
      ? { name: 'Judge and writers', kind: 'STAND-IN', what: `${writer.name}: rules, no AI` }
      : { name: 'Judge and writers', kind: 'real', what: writer.name },
  ];
}
