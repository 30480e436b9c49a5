import { BatchWriteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';

type Row = Record<string, unknown>;

/** Rows of one request, the most that DynamoDB takes. */
const BATCH = 25;
const AT_ONCE = 8;
const TRIES = 10;

/**
 * While `write` runs, what adapters put by the client is kept back, in the form in which they would have put it; then it
 * is written 25 rows a request. Conditions are not looked at: for tables that are empty.
 */
export async function writtenInBulk(
  client: DynamoDBDocumentClient,
  write: () => Promise<void>,
  progress: (rows: number) => void,
): Promise<void> {
  const waiting = new Map<string, Row[]>();
  const running = new Set<Promise<void>>();
  let written = 0;
  const flush = async (table: string, rows: Row[]) => {
    let requests = rows.map((Item) => ({ PutRequest: { Item } }));
    for (let failures = 0; requests.length > 0; ) {
      try {
        const answer = await send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
        requests = (answer.UnprocessedItems?.[table] ?? []) as typeof requests;
      } catch (error) {
        // On a busy machine an answer may come too late; written again, the rows are the same.
        failures += 1;
        if (failures === TRIES) throw error;
      }
    }
    written += rows.length;
    progress(written);
  };
  const begin = async (table: string, rows: Row[]) => {
    while (running.size >= AT_ONCE) await Promise.race(running);
    const flushing = flush(table, rows).finally(() => running.delete(flushing));
    running.add(flushing);
  };
  const send = client.send.bind(client);
  const keep = async (command: unknown): Promise<unknown> => {
    if (!(command instanceof PutCommand)) throw new Error('only rows that are put can be written in bulk');
    const { TableName = '', Item = {} } = command.input;
    const rows = [...(waiting.get(TableName) ?? []), Item];
    waiting.set(TableName, rows.length < BATCH ? rows : []);
    if (rows.length === BATCH) await begin(TableName, rows);
    return {};
  };
  Object.assign(client, { send: keep });
  try {
    await write();
    for (const [table, rows] of waiting) if (rows.length > 0) await begin(table, rows);
    await Promise.all(running);
  } finally {
    Object.assign(client, { send });
    // Who closes the stores while they write would hear of that and not of what went wrong.
    await Promise.allSettled(running);
  }
}
