import * as z from 'zod';

const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

/** Numbers come as numbers or as text. */
const count = z.coerce.number().int().positive();

const SECONDS: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

/** `rate(1 minute)` in seconds; no other kind of schedule runs here. */
const Rate = z.string().transform((text, context) => {
  const [, n, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(text) ?? [];
  const seconds = SECONDS[unit];
  if (n !== undefined && seconds !== undefined) return Number(n) * seconds;
  context.addIssue({ code: 'custom', message: `not a rate: ${text}` });
  return z.NEVER;
});

/** What the local run reads of a resource's properties, by what it is. The rest is the cloud's alone. */
export const Properties = {
  bucket: z.object({
    NotificationConfiguration: z
      .object({
        QueueConfigurations: z
          .array(
            z.object({
              Queue: z.string(),
              Filter: z
                .object({
                  S3Key: z.object({ Rules: z.array(z.object({ Name: z.string(), Value: z.string() })) }),
                })
                .default({ S3Key: { Rules: [] } }),
            }),
          )
          .default([]),
      })
      .default({ QueueConfigurations: [] }),
  }),
  table: z.object({
    TableName: z.string().default(''),
    KeySchema,
    AttributeDefinitions: z.array(
      z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
    ),
    GlobalSecondaryIndexes: z
      .array(
        z.object({
          IndexName: z.string(),
          KeySchema,
          Projection: z.object({
            ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
            NonKeyAttributes: z.array(z.string()).optional(),
          }),
        }),
      )
      .optional(),
  }),
  queue: z.object({
    VisibilityTimeout: z.coerce.string().default('30'),
    DelaySeconds: z.coerce.string().default('0'),
    RedrivePolicy: z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: count }).optional(),
  }),
  function: z.object({
    Timeout: count.default(3),
    Environment: z
      .object({ Variables: z.record(z.string(), z.coerce.string()).default({}) })
      .default({ Variables: {} }),
  }),
  event_source: z.object({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    Enabled: z.boolean().default(true),
    BatchSize: count.default(10),
    /** SQS event sources scale from two. */
    ScalingConfig: z.object({ MaximumConcurrency: count.default(2) }).default({ MaximumConcurrency: 2 }),
  }),
  integration: z.object({ IntegrationUri: z.string() }),
  route: z.object({ RouteKey: z.string(), Target: z.string() }),
  schedule: z.object({
    ScheduleExpression: Rate,
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Target: z.object({ Arn: z.string() }),
  }),
};
