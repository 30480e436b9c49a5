import { randomBytes } from 'node:crypto';
import {
  createOpenSearchConnection,
  type OpenSearchConnection,
} from '#lib/adapters/aws/opensearch/client.ts';
import {
  createOpenSearchIndex,
  type OpenSearchIndexOptions,
} from '#lib/adapters/aws/opensearch/search-index.ts';
import type { SearchIndex } from '#lib/ports.ts';

/** Where the server is. These suites fail without one: `npm run test:opensearch` starts it. */
export function serverUrl(): string {
  const url = process.env.OPENSEARCH_URL;
  if (!url) throw new Error('OPENSEARCH_URL is not set: run this suite by `npm run test:opensearch`');
  return url;
}

/** The adapter on the real server, under names that no other file uses. */
export function createServerIndex(
  dimensions: number,
  options: Partial<OpenSearchIndexOptions> = {},
): SearchIndex {
  return createOpenSearchIndex({
    connection: createServerConnection(),
    clock: { now: Date.now },
    dimensions,
    shards: 1,
    replicas: 0,
    prefix: uniquePrefix(),
    refresh: 'true',
    ...options,
  });
}

export const createServerConnection = (): OpenSearchConnection =>
  createOpenSearchConnection({ url: serverUrl(), timeout_ms: 30_000 });

export const uniquePrefix = (): string => `t${randomBytes(4).toString('hex')}-`;
