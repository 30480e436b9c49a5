import { CONTRACT_DIMENSIONS, searchIndexContract } from '#test/contract/search-index.contract.ts';
import { createServerIndex, uniquePrefix } from '#test/opensearch/server.ts';

const prefix = uniquePrefix();

searchIndexContract('R4.1 R6.3 R6.8 search index in OpenSearch', async () =>
  createServerIndex(CONTRACT_DIMENSIONS, prefix),
);
