import type { TableDefinition, TableIndex } from '#lib/adapters/aws/tables.ts';

/** A table of the design as CreateTable takes it; on AWS the stack makes them. */
export function tableInput(TableName: string, definition: TableDefinition) {
  const { attributes, indexes } = definition;
  const GlobalSecondaryIndexes = Object.entries(indexes).map(([IndexName, index]) => ({
    IndexName,
    KeySchema: keySchema(index),
    Projection: projectionOf(index),
  }));
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    KeySchema: keySchema(definition),
    AttributeDefinitions: Object.entries(attributes).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
  };
}

const keySchema = ({ partition, sort }: Pick<TableIndex, 'partition' | 'sort'>) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' as const }]),
];

function projectionOf({ projection }: TableIndex) {
  if (projection === 'ALL') return { ProjectionType: 'ALL' as const };
  if (projection.length === 0) return { ProjectionType: 'KEYS_ONLY' as const };
  return { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...projection] };
}
