import { expect, test } from 'vitest';
import { TABLES, type TableDefinition } from '#lib/adapters/aws/tables.ts';
import { createRouteTable } from '#lib/runtime/local/router.ts';
import { synthesise } from '#lib/runtime/local/synth.ts';
import { readTemplate } from '#lib/runtime/local/template.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import { keepTemplate, newDataFolder, ROOT } from '#test/support/local-process.ts';

const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

const TEMPLATE = {
  Resources: {
    Items1: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        DeletionProtectionEnabled: true,
      },
    },
    Dead: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: 1_209_600 } },
    Admission: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        QueueName: 'admissions',
        VisibilityTimeout: 540,
        RedrivePolicy: { deadLetterTargetArn: arn('Dead'), maxReceiveCount: 5 },
      },
    },
    Knowledge: {
      Type: 'AWS::S3::Bucket',
      Properties: {
        NotificationConfiguration: {
          QueueConfigurations: [
            {
              Event: 's3:ObjectCreated:*',
              Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: 'inbox/' }] } },
              Queue: arn('Admission'),
            },
          ],
        },
      },
    },
    Dedup: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Timeout: 90,
        Environment: {
          Variables: {
            KNOWHUB_FUNCTION: 'dedup',
            BUCKET: { Ref: 'Knowledge' },
            QUEUE: { Ref: 'Admission' },
            TABLE: { Ref: 'Items1' },
            SEARCH: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': ['Search', 'DomainEndpoint'] }]] },
          },
        },
      },
    },
    Helper: { Type: 'AWS::Lambda::Function', Properties: {} },
    Trigger: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: arn('Admission'),
        FunctionName: { Ref: 'Dedup' },
        BatchSize: 3,
        ScalingConfig: { MaximumConcurrency: 7 },
      },
    },
    Off: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: arn('Dead'), FunctionName: { Ref: 'Dedup' }, Enabled: false },
    },
    Every: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: { ScheduleExpression: 'rate(2 minutes)', Target: { Arn: arn('Dedup') } },
    },
    Integration: { Type: 'AWS::ApiGatewayV2::Integration', Properties: { IntegrationUri: arn('Dedup') } },
    Route: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        RouteKey: 'GET /api/x',
        Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
      },
    },
  },
};

test('FIGURES a template becomes tables, queues, triggers, routes, schedules and environments', () => {
  expect(readTemplate(TEMPLATE)).toEqual({
    tables: [
      {
        TableName: 'Items1',
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      },
    ],
    buckets: ['knowledge'],
    queues: [
      { name: 'Dead', attributes: { VisibilityTimeout: '30', DelaySeconds: '0' } },
      {
        name: 'admissions',
        attributes: { VisibilityTimeout: '540', DelaySeconds: '0' },
        redrive: { dead_letter_queue: 'Dead', max_receives: 5 },
      },
    ],
    functions: [
      {
        name: 'dedup',
        timeout_s: 90,
        environment: {
          KNOWHUB_FUNCTION: 'dedup',
          BUCKET: 'knowledge',
          QUEUE: 'http://127.0.0.1/000000000000/admissions',
          TABLE: 'Items1',
          SEARCH: 'https://opensearch.invalid',
        },
      },
    ],
    event_sources: [{ queue: 'admissions', function: 'dedup', batch_size: 3, concurrency: 7 }],
    routes: [{ key: 'GET /api/x', function: 'dedup' }],
    schedules: [{ function: 'dedup', every_s: 120 }],
    notifications: [{ bucket: 'knowledge', prefix: 'inbox/', queue: 'admissions' }],
  });
});

test.each([
  ['a reference to nothing', { Ref: 'Nothing' }, '"Nothing", which is not in it'],
  [
    'a function that it does not know',
    { 'Fn::ImportValue': 'x' },
    "does not know the template's Fn::ImportValue",
  ],
])('FIGURES %s is no silent hole in the wiring', (_, value, problem) => {
  const { Dedup } = TEMPLATE.Resources;
  const Variables = { KNOWHUB_FUNCTION: 'dedup', VALUE: value };
  const broken = { ...Dedup, Properties: { Environment: { Variables } } };
  expect(() => readTemplate({ Resources: { Dedup: broken } })).toThrow(problem);
});

test('FIGURES a schedule that is no rate, and a trigger of nothing, are refused by name', () => {
  const { Every, Trigger } = TEMPLATE.Resources;
  const cron = { ...Every, Properties: { ...Every.Properties, ScheduleExpression: 'cron(0 * * * ? *)' } };
  expect(() => readTemplate({ Resources: { ...TEMPLATE.Resources, Every: cron } })).toThrow(
    'AWS::Scheduler::Schedule Every',
  );
  const { Dedup: _, ...rest } = TEMPLATE.Resources;
  expect(() => readTemplate({ Resources: { ...rest, Trigger } })).toThrow();
});

test('FIGURES the stack of this project is read whole: its tables, its routes, its six functions', async () => {
  const data = await newDataFolder();
  try {
    const template = await synthesise(ROOT, data.path);
    await keepTemplate(data.path);
    const wiring = readTemplate(template);

    expect(wiring.functions.map(({ name }) => name).sort()).toEqual([
      'dedup',
      'lookup',
      'mcp',
      'recompute',
      'reprocess',
      'upload',
    ]);
    const [{ environment } = { environment: {} }] = wiring.functions;
    for (const [name, { partition, sort, indexes }] of Object.entries<TableDefinition>(TABLES)) {
      const called = Reflect.get(environment, `TABLE_${name.toUpperCase()}`);
      const table = wiring.tables.find(({ TableName }) => TableName === called);
      const keys = [partition, ...(sort === undefined ? [] : [sort])];
      expect(table?.KeySchema.map(({ AttributeName }) => AttributeName)).toEqual(keys);
      const names = (table?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName);
      expect(names.sort()).toEqual(Object.keys(indexes).sort());
    }
    const functionFor = createRouteTable(wiring.routes);
    for (const route of ROUTES) {
      const rawPath = route.path.replace('{path+}', 'a/b.md').replaceAll(/\{\w+\}/g, 'x');
      const requestContext = { http: { method: route.method } };
      const event = { rawPath, rawQueryString: '', headers: {}, isBase64Encoded: false, requestContext };
      expect([route.path, functionFor(event)]).toEqual([route.path, route.function]);
    }
    expect(wiring.schedules).toEqual([{ function: 'reprocess', every_s: 60 }]);
    expect(wiring.notifications.map(({ prefix }) => prefix)).toEqual(['inbox/']);
    // Made from the same sources: the one that was kept.
    expect(await synthesise(ROOT, data.path)).toEqual(template);
  } finally {
    await data.remove();
  }
});
