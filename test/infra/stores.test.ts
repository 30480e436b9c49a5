import { expect, test } from 'vitest';
import { TABLES, type TableDefinition } from '#lib/adapters/aws/tables.ts';
import { plain, resourcesOf, type Statement, templateOf, withoutHash } from '#test/support/stack.ts';

const template = templateOf();

const types: Record<string, unknown> = { KEYS_ONLY: [], ALL: 'ALL' };

interface Keys {
  AttributeName: string;
  KeyType: string;
}
interface TableProperties {
  KeySchema: Keys[];
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' }[];
  GlobalSecondaryIndexes?: {
    IndexName: string;
    KeySchema: Keys[];
    Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
  }[];
  TimeToLiveSpecification?: { AttributeName: string; Enabled: boolean };
}

const keysOf = (schema: Keys[]) => ({
  partition: schema.find(({ KeyType }) => KeyType === 'HASH')!.AttributeName,
  ...(schema.length > 1 && { sort: schema.find(({ KeyType }) => KeyType === 'RANGE')!.AttributeName }),
});

/** A table of the template as `tables.ts` would say it. */
function definitionOf(properties: TableProperties): TableDefinition {
  const {
    KeySchema,
    AttributeDefinitions,
    GlobalSecondaryIndexes = [],
    TimeToLiveSpecification,
  } = properties;
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema: keys, Projection }) => [
    IndexName,
    {
      ...keysOf(keys),
      projection: Projection.NonKeyAttributes ?? types[Projection.ProjectionType],
    },
  ]);
  return {
    ...keysOf(KeySchema),
    attributes: Object.fromEntries(
      AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
    ),
    indexes: Object.fromEntries(indexes),
    ...(TimeToLiveSpecification?.Enabled && { ttl: TimeToLiveSpecification.AttributeName }),
  };
}

test('R6.7 the six tables are those of tables.ts, sessions with their TTL', () => {
  const tables = Object.entries(resourcesOf(template, 'AWS::DynamoDB::Table')).map(([id, { Properties }]) => [
    withoutHash(id).replace(/^Tables/, ''),
    definitionOf(Properties as unknown as TableProperties),
  ]);
  expect(Object.fromEntries(tables)).toEqual(TABLES);
});

test('every table can be restored to a point in time, is encrypted and paid by the request', () => {
  const settings = Object.values(resourcesOf(template, 'AWS::DynamoDB::Table')).map(({ Properties }) => [
    Properties.PointInTimeRecoverySpecification,
    Properties.SSESpecification,
    Properties.BillingMode,
  ]);
  expect(settings).toEqual(
    Array.from({ length: 6 }, () => [
      { PointInTimeRecoveryEnabled: true },
      { SSEEnabled: true },
      'PAY_PER_REQUEST',
    ]),
  );
});

test.each([
  ['retain', true, 'Retain'],
  ['destroy', false, 'Delete'],
])('removal %s: tables, bucket and logs', (removal, isProtected, policy) => {
  const kept = templateOf({ removal });
  const tables = Object.values(resourcesOf(kept, 'AWS::DynamoDB::Table'));
  expect(tables.map(({ Properties }) => Properties.DeletionProtectionEnabled)).toEqual(
    Array.from({ length: 6 }, () => isProtected),
  );
  const stores = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::Logs::LogGroup'].flatMap((type) =>
    Object.values(resourcesOf(kept, type)),
  );
  expect(new Set(stores.map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(new Set([policy]));
});

test('the bucket is closed and encrypted, keeps no old versions, and forgets what was left half-done', () => {
  const [bucket] = Object.values(resourcesOf(template, 'AWS::S3::Bucket'));
  const { NotificationConfiguration, Tags, ...settings } = bucket!.Properties;
  expect(settings).toEqual({
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    LifecycleConfiguration: {
      Rules: [
        {
          Id: 'incomplete-uploads',
          Status: 'Enabled',
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        },
        { Id: 'old-catalogs', Status: 'Enabled', Prefix: 'catalog/', ExpirationInDays: 30 },
      ],
    },
  });
});

test('the bucket refuses what comes without TLS, or with an old one', () => {
  const [policy] = Object.values(resourcesOf(template, 'AWS::S3::BucketPolicy'));
  const { Statement } = policy!.Properties.PolicyDocument as { Statement: Statement[] };
  expect(Statement.map(({ Effect, Principal, Condition }) => ({ Effect, Principal, Condition }))).toEqual([
    { Effect: 'Deny', Principal: { AWS: '*' }, Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    { Effect: 'Deny', Principal: { AWS: '*' }, Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } },
  ]);
});

test('the search domain: OpenSearch 3, small, encrypted at rest and between nodes, HTTPS alone', () => {
  const [domain] = Object.values(resourcesOf(template, 'AWS::OpenSearchService::Domain'));
  const { AccessPolicies, LogPublishingOptions, Tags, ...settings } = domain!.Properties;
  expect(settings).toEqual({
    DomainName: 'knowhub-dev',
    EngineVersion: 'OpenSearch_3.5',
    ClusterConfig: { InstanceType: 't3.small.search', InstanceCount: 1, ZoneAwarenessEnabled: false },
    EBSOptions: { EBSEnabled: true, VolumeType: 'gp3', VolumeSize: 10 },
    NodeToNodeEncryptionOptions: { Enabled: true },
    EncryptionAtRestOptions: { Enabled: true },
    DomainEndpointOptions: { EnforceHTTPS: true, TLSSecurityPolicy: 'Policy-Min-TLS-1-2-PFS-2023-10' },
  });
});

test('more nodes are spread over zones', () => {
  const large = templateOf({
    opensearch: { instance_type: 'r7g.large.search', instances: 4, volume_gib: 100 },
  });
  const [domain] = Object.values(resourcesOf(large, 'AWS::OpenSearchService::Domain'));
  expect(domain!.Properties.ClusterConfig).toEqual({
    InstanceType: 'r7g.large.search',
    InstanceCount: 4,
    ZoneAwarenessEnabled: true,
    ZoneAwarenessConfig: { AvailabilityZoneCount: 3 },
  });
});

test('with a cluster of one’s own no domain is made, and the functions are told its address', () => {
  const own = templateOf({ opensearch: { url: 'http://127.0.0.1:9200' } });
  own.resourceCountIs('AWS::OpenSearchService::Domain', 0);
  const urls = Object.values(resourcesOf(own, 'AWS::Lambda::Function')).map(({ Properties }) => {
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    return plain(Variables.OPENSEARCH_URL);
  });
  expect(urls).toEqual(Array.from({ length: 6 }, () => 'http://127.0.0.1:9200'));
});
