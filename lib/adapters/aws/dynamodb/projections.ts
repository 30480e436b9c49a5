import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import {
  absent,
  attribute,
  exists,
  expression,
  joined,
  update,
} from '#lib/adapters/aws/dynamodb/expressions.ts';
import { isFree, isHeld } from '#lib/adapters/aws/dynamodb/leases.ts';
import { parseRow, StoredProjection, without } from '#lib/adapters/aws/dynamodb/rows.ts';
import { openTable, type Row } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { KnowHubError } from '#lib/core/errors.ts';
import { type ProjectionRow, SWEEP_LEASE } from '#lib/core/rows.ts';
import type { Projections } from '#lib/ports.ts';

const POINTER = { name: 'pointer' };
const FIRST_ROWS = ['records', 'mirror', 'index', SWEEP_LEASE];
const Pointer = z.strictObject({ projection: z.string() });

const PREFIX = 'projection#';
const key = (name: string) => ({ name: PREFIX + name });
const parse = (name: string, row: Row): ProjectionRow => ({
  name,
  ...parseRow(StoredProjection, without(row, 'name'), `projection ${name}`),
});

/**
 * Puts the rows of the three projections, of the sweep and the pointer where they are missing. Run once a deployment: the port makes
 * no rows, since a projection that was dropped must stay dropped. Safe to repeat.
 */
export async function prepareProjections(client: DynamoDBDocumentClient, names: TableNames): Promise<void> {
  const table = openTable(client, names.control);
  for (const name of FIRST_ROWS)
    await table.put({ physical: '', W: 0, parked: [], ...key(name) }, absent('name'));
  await table.put({ projection: 'index', ...POINTER }, absent('name'));
}

/** The Projections port on DynamoDB: rows `projection#<name>` and `pointer` of the control table. */
export function createDynamoProjections(client: DynamoDBDocumentClient, names: TableNames): Projections {
  const table = openTable(client, names.control);
  const write = async (name: string, token: string, seen: ProjectionRow, next: Partial<ProjectionRow>) => {
    const as_read = joined(
      [
        isHeld('lease', token),
        expression`${attribute('W')} = ${seen.W}`,
        expression`${attribute('physical')} = ${seen.physical}`,
      ],
      ' AND ',
    );
    return (await table.update(key(name), update(next), as_read)) !== undefined;
  };
  return {
    async pointer() {
      const row = await table.get(POINTER);
      if (!row)
        throw new KnowHubError('not_prepared', 'the control table has no pointer yet', { retryable: true });
      return parseRow(Pointer, without(row, 'name'), 'pointer').projection;
    },
    async get(name) {
      const row = await table.get(key(name));
      return row && parse(name, row);
    },
    async getMany(names) {
      const rows = await table.getMany(names.map(key));
      return rows.map((row) => parse(String(row.name).slice(PREFIX.length), row));
    },
    async takeLease(name, lease, expired_before, not_after) {
      const free = expression`${exists('name')} AND ${isFree('lease', lease, expired_before, not_after)}`;
      const row = await table.update(key(name), update({ lease }), free);
      return row && parse(name, row);
    },
    async releaseLease(name, token) {
      await table.update(key(name), update({ lease: undefined }), isHeld('lease', token));
    },
    advance: (name, token, seen, { W, parked, release }) =>
      write(name, token, seen, { W, parked, ...(release && { lease: undefined }) }),
    rebase: (name, token, seen, physical) => write(name, token, seen, { W: 0, physical, parked: [] }),
  };
}
