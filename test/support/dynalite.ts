import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import dynalite from 'dynalite';
import { createDynamoClient } from '#lib/adapters/aws/dynamodb/client.ts';
import { prepareProjections } from '#lib/adapters/aws/dynamodb/projections.ts';
import { tableInput } from '#lib/adapters/aws/dynamodb/table-input.ts';
import { TABLES, type Table, type TableDefinition, type TableNames } from '#lib/adapters/aws/tables.ts';

const PATIENCE_MS = 30_000;

export interface Dynalite {
  client: DynamoDBDocumentClient;
  names: TableNames;
  /** Another client of the same server. */
  connect(config?: DynamoDBClientConfig): DynamoDBDocumentClient;
  stop(): Promise<void>;
}

/** dynalite in this process on a free port, with the six tables and the rows of the projections. */
export async function startDynalite(): Promise<Dynalite> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: DynamoDBDocumentClient[] = [];
  const connect = (config: DynamoDBClientConfig = {}) => {
    const client = createDynamoClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      // dynalite shares this process and a busy machine: its silence proves nothing.
      requestHandler: new NodeHttpHandler({ connectionTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS }),
      ...config,
    });
    clients.push(client);
    return client;
  };
  const client = connect();
  const names = await createTables(client);
  await prepareProjections(client, names);
  return {
    client,
    names,
    connect,
    async stop() {
      for (const each of clients) each.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The six tables under names of their own. */
export async function createTables(client: DynamoDBDocumentClient): Promise<TableNames> {
  const prefix = randomBytes(4).toString('hex');
  const named = Object.keys(TABLES).map((table) => [table, `${prefix}-${table}`]);
  const names = Object.fromEntries(named) as TableNames;
  for (const [table, definition] of Object.entries(TABLES) as [Table, TableDefinition][]) {
    await client.send(new CreateTableCommand(tableInput(names[table], definition)));
    await active(client, names[table]);
  }
  return names;
}

async function active(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  for (;;) {
    const { Table: described } = await client.send(new DescribeTableCommand({ TableName }));
    if (described?.TableStatus === 'ACTIVE') return;
  }
}
