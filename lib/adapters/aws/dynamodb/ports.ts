import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EntryBodies } from '#lib/adapters/aws/bodies.ts';
import { createDynamoDomains } from '#lib/adapters/aws/dynamodb/domains.ts';
import { createDynamoEntryBodies } from '#lib/adapters/aws/dynamodb/entry-bodies.ts';
import { createDynamoEvaluations } from '#lib/adapters/aws/dynamodb/evaluations.ts';
import { createDynamoItems } from '#lib/adapters/aws/dynamodb/items.ts';
import { createDynamoLedger } from '#lib/adapters/aws/dynamodb/ledger.ts';
import { createDynamoPaths } from '#lib/adapters/aws/dynamodb/paths.ts';
import { createDynamoProjections } from '#lib/adapters/aws/dynamodb/projections.ts';
import { createDynamoRelations } from '#lib/adapters/aws/dynamodb/relations.ts';
import { createDynamoSessions } from '#lib/adapters/aws/dynamodb/sessions.ts';
import { createDynamoTaskVectors } from '#lib/adapters/aws/dynamodb/task-vectors.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import type { TaskVectors } from '#lib/adapters/aws/vectors.ts';
import type { Clock, Ports } from '#lib/ports.ts';

export interface DynamoPorts
  extends Pick<
    Ports,
    'ledger' | 'items' | 'paths' | 'projections' | 'relations' | 'evaluations' | 'domains' | 'sessions'
  > {
  /** The tasks' half of Vectors. */
  task_vectors: TaskVectors;
  /** The entries' half of Bodies. */
  entry_bodies: EntryBodies;
}

/** Every port, or half of one, that lies in the six tables. */
export const createDynamoPorts = (
  client: DynamoDBDocumentClient,
  names: TableNames,
  clock: Pick<Clock, 'now'> = Date,
): DynamoPorts => ({
  ledger: createDynamoLedger(client, names),
  items: createDynamoItems(client, names),
  paths: createDynamoPaths(client, names),
  projections: createDynamoProjections(client, names),
  relations: createDynamoRelations(client, names),
  evaluations: createDynamoEvaluations(client, names),
  domains: createDynamoDomains(client, names),
  sessions: createDynamoSessions(client, names),
  task_vectors: createDynamoTaskVectors(client, names),
  entry_bodies: createDynamoEntryBodies(client, names, clock),
});
