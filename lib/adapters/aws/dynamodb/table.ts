import { setTimeout } from 'node:timers/promises';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { isRefusal, portError } from '#lib/adapters/aws/dynamodb/errors.ts';
import { compiler, type Expression } from '#lib/adapters/aws/dynamodb/expressions.ts';
import { Partial } from '#lib/core/errors.ts';

/** A row as DynamoDB brings it, not parsed yet. */
export type Row = Record<string, unknown>;
export type Key = Record<string, string | number>;

export interface Query {
  where: Expression;
  filter?: Expression;
  /** Indexes are eventually consistent; the table itself is read consistently. */
  index?: string;
  limit?: number;
}

/** One table, one conditional write a call. All of it can throw `Unclear`. */
export interface DynamoTable {
  /** Strongly consistent. */
  get(key: Key): Promise<Row | undefined>;
  /** Strongly consistent, in any order; throws `Partial` if keys stay unanswered. */
  getMany(keys: readonly Key[]): Promise<Row[]>;
  /** `false` if the condition does not hold. */
  put(row: Row, condition?: Expression): Promise<boolean>;
  /** The row after the update; `undefined` if the condition does not hold. */
  update(key: Key, change: Expression, condition?: Expression): Promise<Row | undefined>;
  remove(key: Key, condition?: Expression): Promise<boolean>;
  /** All pages, or as many as `limit` takes; in the order of the sort key. */
  query(query: Query): Promise<Row[]>;
  /** The whole table, eventually consistent. */
  scan(filter: Expression): Promise<Row[]>;
}

const BATCH = 100;
const BATCH_TRIES = 5;
const PAUSE_MS = 25;
/** A filter is applied after the limit of a page: a small one would make many pages. */
const FILTERED_PAGE = 100;

export function openTable(client: DynamoDBDocumentClient, TableName: string): DynamoTable {
  const attempt = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw portError(error, `${what} ${TableName}`);
    }
  };
  /** `undefined` = refused. */
  const write = async <T>(what: string, call: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await attempt(what, call);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  };
  const conditional = (condition: Expression | undefined) => {
    const { compile, placeholders } = compiler();
    return { ConditionExpression: compile(condition), ...placeholders() };
  };

  return {
    get: (Key) =>
      attempt('get', async () => {
        const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
        return Item;
      }),
    async getMany(keys) {
      const chunks = Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, n) =>
        keys.slice(n * BATCH, (n + 1) * BATCH),
      );
      const rows = await Promise.all(
        chunks.map((chunk) => attempt('batch get', () => batch(client, TableName, chunk))),
      );
      return rows.flat();
    },
    async put(Item, condition) {
      const command = new PutCommand({ TableName, Item, ...conditional(condition) });
      return (await write('put', () => client.send(command))) !== undefined;
    },
    async update(Key, change, condition) {
      const { compile, placeholders } = compiler();
      const command = new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: compile(change),
        ConditionExpression: compile(condition),
        ...placeholders(),
        ReturnValues: 'ALL_NEW',
      });
      return (await write('update', () => client.send(command)))?.Attributes;
    },
    async remove(Key, condition) {
      const command = new DeleteCommand({ TableName, Key, ...conditional(condition) });
      return (await write('delete', () => client.send(command))) !== undefined;
    },
    query({ where, filter, index, limit }) {
      const { compile, placeholders } = compiler();
      const input = {
        TableName,
        IndexName: index,
        KeyConditionExpression: compile(where),
        FilterExpression: compile(filter),
        ...placeholders(),
        ConsistentRead: index === undefined,
        Limit: limit && (filter ? Math.max(limit, FILTERED_PAGE) : limit),
      };
      return attempt('query', () =>
        pages((ExclusiveStartKey) => client.send(new QueryCommand({ ...input, ExclusiveStartKey })), limit),
      );
    },
    scan(filter) {
      const { compile, placeholders } = compiler();
      const input = { TableName, FilterExpression: compile(filter), ...placeholders() };
      return attempt('scan', () =>
        pages((ExclusiveStartKey) => client.send(new ScanCommand({ ...input, ExclusiveStartKey }))),
      );
    },
  };
}

type Page = { Items?: Row[] | undefined; LastEvaluatedKey?: Row | undefined };

/** DynamoDB cuts a page at 1 MB, whatever its limit says. */
async function pages(read: (after: Row | undefined) => Promise<Page>, limit = Number.POSITIVE_INFINITY) {
  const rows: Row[] = [];
  let after: Row | undefined;
  do {
    const page = await read(after);
    rows.push(...(page.Items ?? []));
    after = page.LastEvaluatedKey;
  } while (after && rows.length < limit);
  return rows.slice(0, limit);
}

/** DynamoDB answers a batch with what fits into 16 MB and the capacity there is, and names the rest. */
async function batch(client: DynamoDBDocumentClient, table: string, keys: readonly Key[]): Promise<Row[]> {
  const rows: Row[] = [];
  let rest: Row[] = [...keys];
  for (let n = 0; n < BATCH_TRIES; n += 1) {
    if (n > 0) await setTimeout(PAUSE_MS * 2 ** n * (0.5 + Math.random() / 2));
    const answer = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: rest, ConsistentRead: true } } }),
    );
    rows.push(...(answer.Responses?.[table] ?? []));
    rest = answer.UnprocessedKeys?.[table]?.Keys ?? [];
    if (rest.length === 0) return rows;
  }
  throw new Partial(`${table}: ${rest.length} of ${keys.length} rows stayed unread`);
}
