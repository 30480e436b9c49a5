declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** DynamoDB in memory, or below `path`, as an HTTP server that does not listen yet. Times in milliseconds. */
  function dynalite(options?: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
    maxItemSizeKb?: number;
  }): Server;
  export = dynalite;
}
