import { expect, test } from 'vitest';
import { Settings } from '#lib/core/settings.ts';
import { plain, resourcesOf, type Statement, templateOf, withoutHash } from '#test/support/stack.ts';

const template = templateOf();
const functions = Object.fromEntries(
  Object.entries(resourcesOf(template, 'AWS::Lambda::Function')).map(([id, { Properties }]) => [
    withoutHash(id).replace(/Function$/, ''),
    Properties,
  ]),
);
const queues = Object.fromEntries(
  Object.entries(resourcesOf(template, 'AWS::SQS::Queue')).map(([id, { Properties }]) => [
    withoutHash(id),
    Properties,
  ]),
);

test('six functions: Node 24, 1 GiB, arm64 unless the stage says otherwise', () => {
  const settings = Object.entries(functions).map(
    ([name, { Runtime, MemorySize, Architectures, Handler }]) => [
      name,
      { Runtime, MemorySize, Architectures, Handler },
    ],
  );
  const same = {
    Runtime: 'nodejs24.x',
    MemorySize: 1024,
    Architectures: ['arm64'],
    Handler: 'index.handler',
  };
  expect(Object.fromEntries(settings)).toEqual({
    Upload: same,
    Dedup: same,
    Recompute: same,
    Lookup: same,
    Mcp: same,
    Reprocess: same,
  });
  const other = templateOf({ architecture: 'x86_64', memory_mib: 512 });
  expect(
    Object.values(resourcesOf(other, 'AWS::Lambda::Function')).map(({ Properties }) => [
      Properties.Architectures,
      Properties.MemorySize,
    ]),
  ).toEqual(Array.from({ length: 6 }, () => [['x86_64'], 512]));
});

test('R4.6 the law of times: function < lease < claim reset; queues hide a message six times as long', () => {
  const timeouts = Object.fromEntries(
    Object.entries(functions).map(([name, { Timeout }]) => [name, Number(Timeout)]),
  );
  expect(timeouts).toEqual({ Upload: 90, Dedup: 90, Recompute: 90, Lookup: 29, Mcp: 29, Reprocess: 90 });
  const { lease_ms, claim_reset_ms, upload_patience_ms } = Settings.parse({});
  const longest = Math.max(...Object.values(timeouts)) * 1000;
  expect(longest).toBeLessThan(lease_ms);
  expect(lease_ms).toBeLessThan(claim_reset_ms);
  expect(upload_patience_ms).toBeLessThanOrEqual(timeouts.Upload! * 1000);
  for (const queue of ['Inbox', 'Admission', 'Recompute', 'Jobs'])
    expect(queues[`${queue}Queue`]?.VisibilityTimeout).toBe(6 * 90);
});

test('every queue is encrypted, and ends after five receives in a dead-letter queue that keeps for 14 days', () => {
  const names = ['Inbox', 'Admission', 'Recompute', 'Jobs'];
  expect(Object.keys(queues).sort()).toEqual(
    names.flatMap((name) => [`${name}Queue`, `${name}QueueDeadLetters`]).sort(),
  );
  for (const name of names) {
    const { RedrivePolicy, SqsManagedSseEnabled } = queues[`${name}Queue`]!;
    const { deadLetterTargetArn, maxReceiveCount } = RedrivePolicy as Record<string, unknown>;
    expect([plain(deadLetterTargetArn), maxReceiveCount, SqsManagedSseEnabled]).toEqual([
      `${name}QueueDeadLetters.Arn`,
      5,
      true,
    ]);
    const { MessageRetentionPeriod, SqsManagedSseEnabled: encrypted } = queues[`${name}QueueDeadLetters`]!;
    expect([MessageRetentionPeriod, encrypted]).toEqual([14 * 24 * 3600, true]);
  }
});

test('every queue refuses what comes without TLS; only S3, and only of this account, is let in by a queue itself', () => {
  const policies = Object.values(resourcesOf(template, 'AWS::SQS::QueuePolicy')).map(({ Properties }) => {
    const { Statement } = Properties.PolicyDocument as { Statement: Statement[] };
    return [(Properties.Queues as unknown[]).map(plain), Statement] as const;
  });
  expect(policies.map(([, [first]]) => [first?.Effect, first?.Condition])).toEqual(
    Array.from({ length: 8 }, () => ['Deny', { Bool: { 'aws:SecureTransport': 'false' } }]),
  );
  const allowing = policies.flatMap(([[queue], statements]) =>
    statements
      .filter(({ Effect }) => Effect === 'Allow')
      .map(({ Principal, Action, Condition }) => ({ queue, Principal, Action, Condition })),
  );
  expect(allowing).toEqual([
    {
      queue: 'InboxQueue',
      Principal: { Service: 's3.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

test('queues feed their functions in small batches, a few at a time, and only what failed comes again', () => {
  const sources = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping')).map(
    ({ Properties: { EventSourceArn, FunctionName, BatchSize, ScalingConfig, FunctionResponseTypes } }) => [
      `${plain(EventSourceArn)} → ${plain(FunctionName)}`,
      { BatchSize, ScalingConfig, FunctionResponseTypes },
    ],
  );
  const source = (BatchSize: number, MaximumConcurrency: number) => ({
    BatchSize,
    ScalingConfig: { MaximumConcurrency },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  expect(Object.fromEntries(sources)).toEqual({
    'InboxQueue.Arn → UploadFunction': source(3, 5),
    'AdmissionQueue.Arn → DedupFunction': source(3, 10),
    'RecomputeQueue.Arn → RecomputeFunction': source(1, 2),
    'JobsQueue.Arn → ReprocessFunction': source(1, 2),
  });
});

test('R3.1 files dropped into the inbox are told to its queue, which is ready for them by then', () => {
  const [bucket] = Object.values(resourcesOf(template, 'AWS::S3::Bucket'));
  expect(bucket!.Properties.NotificationConfiguration).toEqual({
    QueueConfigurations: [
      {
        Event: 's3:ObjectCreated:*',
        Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: 'inbox/' }] } },
        Queue: { 'Fn::GetAtt': [expect.stringMatching(/^InboxQueue[0-9A-F]{8}$/), 'Arn'] },
      },
    ],
  });
  expect(bucket!.DependsOn?.map(withoutHash)).toContain('InboxQueuePolicy');
});

test('R4.8 the sweep is called every minute; a pass that failed is not repeated', () => {
  const [schedule] = Object.values(resourcesOf(template, 'AWS::Scheduler::Schedule'));
  const { ScheduleExpression, FlexibleTimeWindow, Target } = schedule!.Properties;
  const { Arn, RoleArn, RetryPolicy } = Target as Record<string, unknown>;
  expect([ScheduleExpression, FlexibleTimeWindow, plain(Arn), plain(RoleArn), RetryPolicy]).toEqual([
    'rate(1 minute)',
    { Mode: 'OFF' },
    'ReprocessFunction.Arn',
    'SweepRole.Arn',
    { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
  ]);
  const [invoke] = Object.values(resourcesOf(template, 'AWS::Lambda::EventInvokeConfig'));
  expect([plain(invoke!.Properties.FunctionName), invoke!.Properties.MaximumRetryAttempts]).toEqual([
    'ReprocessFunction',
    0,
  ]);
});

test('alarms: dead letters of each queue, and items that the search engine refuses', () => {
  const told = templateOf({ alarm_topic_arn: 'arn:aws:sns:eu-west-1:111122223333:alarms' });
  const alarms = Object.entries(resourcesOf(told, 'AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => {
    const {
      MetricName,
      Dimensions = [],
      Threshold,
      AlarmActions,
    } = Properties as {
      MetricName: string;
      Dimensions?: { Value: { 'Fn::GetAtt': [string, string] } }[];
      Threshold: number;
      AlarmActions: string[];
    };
    const of = Dimensions.map(({ Value }) => withoutHash(Value['Fn::GetAtt'][0]));
    return [withoutHash(id), MetricName, of, Threshold, AlarmActions];
  });
  const topic = ['arn:aws:sns:eu-west-1:111122223333:alarms'];
  expect(alarms).toEqual([
    ...['Inbox', 'Admission', 'Recompute', 'Jobs'].map((name) => [
      `Alarms${name}DeadLetters`,
      'ApproximateNumberOfMessagesVisible',
      [`${name}QueueDeadLetters`],
      1,
      topic,
    ]),
    ['AlarmsParkedItems', 'Parked-knowhub-dev', [], 1, topic],
  ]);
  const filters = Object.values(resourcesOf(told, 'AWS::Logs::MetricFilter')).map(({ Properties }) => [
    plain(Properties.LogGroupName),
    Properties.FilterPattern,
  ]);
  expect(filters).toEqual(
    ['Upload', 'Dedup', 'Reprocess'].map((name) => [`${name}Logs`, '{ $.message = "parked" }']),
  );
});

test('logs are kept as long as the stage says', () => {
  const kept = Object.values(resourcesOf(templateOf({ log_retention: 7 }), 'AWS::Logs::LogGroup'));
  expect(kept.map(({ Properties }) => Properties.RetentionInDays)).toEqual(
    Array.from({ length: 8 }, () => 7),
  );
});
