import type { AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** What is read of a table's definition, as CreateTable takes it. */
export interface IndexedTable {
  TableName: string;
  KeySchema: KeySchemaElement[];
  AttributeDefinitions: AttributeDefinition[];
  GlobalSecondaryIndexes?: GlobalSecondaryIndex[] | undefined;
}

const AT_ONCE = 20;

/**
 * Brings back what dynalite's indexes lost with a process that was killed: it takes a row's old place out of an index
 * before it writes the row and its new one, all apart. An update that changes nothing writes every place anew. Returns
 * the number of rows.
 */
export async function mendIndexes(
  client: DynamoDBDocumentClient,
  tables: readonly IndexedTable[],
): Promise<number> {
  let mended = 0;
  for (const { TableName, KeySchema, GlobalSecondaryIndexes = [] } of tables) {
    if (GlobalSecondaryIndexes.length === 0) continue;
    const keys = namesOf(KeySchema);
    const indexed = GlobalSecondaryIndexes.map((index) => namesOf(index.KeySchema ?? []));
    const names = [...new Set(indexed.flat())];
    const placeholder = new Map(names.map((name, n) => [name, `#n${n}`]));
    const there = (name: string) => `attribute_exists(${placeholder.get(name)})`;
    const scan = {
      TableName,
      FilterExpression: indexed.map((each) => `(${each.map(there).join(' AND ')})`).join(' OR '),
      ExpressionAttributeNames: Object.fromEntries([...placeholder].map(([name, held]) => [held, name])),
    };
    let after: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({ ...scan, ExclusiveStartKey: after }),
      );
      for (let from = 0; from < Items.length; from += AT_ONCE)
        await Promise.all(
          Items.slice(from, from + AT_ONCE).map((row) => touch(client, TableName, keys, row)),
        );
      mended += Items.length;
      after = LastEvaluatedKey;
    } while (after);
  }
  return mended;
}

const touch = (
  client: DynamoDBDocumentClient,
  TableName: string,
  keys: readonly string[],
  row: Record<string, unknown>,
) =>
  client.send(
    new UpdateCommand({ TableName, Key: Object.fromEntries(keys.map((name) => [name, row[name]])) }),
  );

const namesOf = (schema: readonly KeySchemaElement[]): string[] =>
  schema.flatMap(({ AttributeName }) => (AttributeName === undefined ? [] : [AttributeName]));
