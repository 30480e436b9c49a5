import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  TableEncryption,
  Table as TableResource,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { TABLES, type Table, type TableDefinition, type TableNames } from '#lib/adapters/aws/tables.ts';

type Action = 'GetItem' | 'BatchGetItem' | 'Query' | 'Scan' | 'PutItem' | 'UpdateItem' | 'DeleteItem';

const DEFINITIONS: Readonly<Record<Table, TableDefinition>> = TABLES;
const NAMES = Object.keys(TABLES) as Table[];
const TYPES = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const;

/** The six tables (design, section 3), and who may do what in them. Nobody may delete from the ledger. */
export class Tables extends Construct {
  private readonly tables: Readonly<Record<Table, TableResource>>;

  constructor(scope: Construct, id: string, removal: 'retain' | 'destroy') {
    super(scope, id);
    const made = NAMES.map((name) => [name, createTable(this, name, removal)] as const);
    this.tables = Object.fromEntries(made) as Record<Table, TableResource>;
  }

  get names(): TableNames {
    const names = NAMES.map((name) => [name, this.tables[name].tableName]);
    return Object.fromEntries(names) as Record<Table, string>;
  }

  /** Reading everything that is decided (R6.1, spec section 7). */
  grantReading(to: IGrantable): void {
    this.allow(to, 'ledger', ['Query']);
    this.allow(to, 'items', ['GetItem', 'BatchGetItem', 'Query'], ['due']);
    this.allow(to, 'relations', ['Query'], ['by_to', 'by_type', 'by_reverse']);
    this.allow(to, 'domains', ['GetItem', 'Scan']);
    this.allow(to, 'control', ['GetItem']);
  }

  /** What lookups, whole documents and the map are made from. */
  grantLookups(to: IGrantable): void {
    this.allow(to, 'ledger', ['Query']);
    this.allow(to, 'items', ['GetItem', 'BatchGetItem']);
    this.allow(to, 'domains', ['Scan']);
    this.allow(to, 'control', ['GetItem']);
  }

  /** Taking entries in: text, vector and row of an item that waits (R3.1). */
  grantEntries(to: IGrantable): void {
    this.allow(to, 'items', ['PutItem']);
  }

  /** What a session was given (R6.5, R6.7). */
  grantSessions(to: IGrantable): void {
    this.allow(to, 'sessions', ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
  }

  /** Appending decisions and carrying them out: whoever appends projects too, and so moves W (protocol, "Project"). */
  grantDecisions(to: IGrantable): void {
    // UpdateItem takes an erased item's payload out of old entries (R3.6).
    this.allow(to, 'ledger', ['Query', 'PutItem', 'UpdateItem']);
    this.allow(to, 'items', ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem']);
    this.allow(to, 'relations', ['Query', 'PutItem'], ['by_to']);
    this.allow(to, 'domains', ['GetItem', 'UpdateItem']);
    this.allow(to, 'control', ['GetItem', 'BatchGetItem', 'UpdateItem']);
  }

  /** Naming a new version at a path, a removal of it included. */
  grantPaths(to: IGrantable): void {
    this.allow(to, 'control', ['PutItem']);
  }

  /** Queueing items that wait (`POST /api/knowledge/process`). */
  grantWaiting(to: IGrantable): void {
    this.allow(to, 'items', [], ['due']);
  }

  /** Finding what got stuck (R4.8). */
  grantSweep(to: IGrantable): void {
    this.allow(to, 'items', [], ['due', 'incomplete', 'texts']);
    this.allow(to, 'domains', ['Scan']);
  }

  /** Writing a domain's text from its items' summaries (R5.2). */
  grantSummaries(to: IGrantable): void {
    this.allow(to, 'ledger', ['Query']);
    this.allow(to, 'items', ['BatchGetItem']);
    this.allow(to, 'domains', ['GetItem', 'PutItem', 'UpdateItem']);
  }

  /** `indexes` may be queried, and each is named: an index is a resource of its own. */
  private allow(
    to: IGrantable,
    table: Table,
    actions: readonly Action[],
    indexes: readonly string[] = [],
  ): void {
    const { tableArn } = this.tables[table];
    const full = (names: readonly Action[]) => names.map((name) => `dynamodb:${name}`);
    if (actions.length > 0)
      Grant.addToPrincipal({ grantee: to, actions: full(actions), resourceArns: [tableArn] });
    if (indexes.length > 0)
      Grant.addToPrincipal({
        grantee: to,
        actions: full(['Query']),
        resourceArns: indexes.map((index) => `${tableArn}/index/${index}`),
      });
  }
}

function createTable(scope: Construct, name: Table, removal: 'retain' | 'destroy'): TableResource {
  const { partition, sort, attributes, indexes, ttl } = DEFINITIONS[name];
  const keysOf = (keys: { partition: string; sort?: string }) => ({
    partitionKey: attribute(keys.partition, attributes),
    ...(keys.sort !== undefined && { sortKey: attribute(keys.sort, attributes) }),
  });
  const table = new TableResource(scope, name, {
    ...keysOf({ partition, ...(sort !== undefined && { sort }) }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: removal === 'retain',
    removalPolicy: removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ...(ttl !== undefined && { timeToLiveAttribute: ttl }),
  });
  for (const [indexName, { projection, ...keys }] of Object.entries(indexes))
    table.addGlobalSecondaryIndex({ indexName, ...keysOf(keys), ...projectionOf(projection) });
  return table;
}

function attribute(name: string, types: TableDefinition['attributes']) {
  const type = types[name];
  if (type === undefined) throw new Error(`the attribute ${name} is a key without a type`);
  return { name, type: TYPES[type] };
}

function projectionOf(projection: 'ALL' | readonly string[]) {
  if (projection === 'ALL') return { projectionType: ProjectionType.ALL };
  return projection.length === 0
    ? { projectionType: ProjectionType.KEYS_ONLY }
    : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projection] };
}
