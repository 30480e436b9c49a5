import * as z from 'zod';
import { createResolver, idInArn, Resource } from '#lib/runtime/local/intrinsics.ts';
import { Properties } from '#lib/runtime/local/template-properties.ts';

export interface QueueWiring {
  name: string;
  /** As SQS takes them, the redrive policy aside. */
  attributes: Record<string, string>;
  redrive?: { dead_letter_queue: string; max_receives: number };
}

export interface EventSourceWiring {
  queue: string;
  function: string;
  batch_size: number;
  /** Batches at a time. */
  concurrency: number;
}

export interface RouteWiring {
  /** `GET /api/documents/{path+}`, or `$default`. */
  key: string;
  function: string;
}

/** What runs and how it hangs together, as the stack's template says; functions by the name in their environment. */
export interface Wiring {
  tables: z.infer<typeof Properties.table>[];
  buckets: string[];
  queues: QueueWiring[];
  functions: { name: string; timeout_s: number; environment: Record<string, string> }[];
  event_sources: EventSourceWiring[];
  routes: RouteWiring[];
  schedules: { function: string; every_s: number }[];
  notifications: { bucket: string; prefix: string; queue: string }[];
}

const Template = z.looseObject({ Resources: z.record(z.string(), Resource) });

const TABLES = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];
const NAME_VARIABLE = 'KNOWHUB_FUNCTION';

/** Reads a CloudFormation template, as JSON came, into the wiring of the local run. Throws on what it cannot read. */
export function readTemplate(template: unknown): Wiring {
  const { Resources } = Template.parse(template);
  const { resolve, nameOf } = createResolver(Resources);

  const all = <Value extends z.ZodObject>(types: readonly string[], schema: Value) =>
    Object.entries(Resources)
      .filter(([, { Type }]) => types.includes(Type))
      .map(([id, { Type, Properties: given }]) => {
        // Of the rest not even its references.
        const read = Object.entries(given).filter(([name]) => Object.hasOwn(schema.shape, name));
        const parsed = schema.safeParse(resolve(Object.fromEntries(read)));
        if (!parsed.success) throw new Error(`${Type} ${id}: ${z.prettifyError(parsed.error)}`);
        return { id, properties: parsed.data };
      });

  const functions = all(['AWS::Lambda::Function'], Properties.function).flatMap(({ id, properties }) => {
    const { Timeout, Environment } = properties;
    const name = Environment.Variables[NAME_VARIABLE];
    // Others are CDK's own: they set the stack up.
    return name === undefined ? [] : [{ id, name, timeout_s: Timeout, environment: Environment.Variables }];
  });
  const functionAt = (arn: string): string => {
    const found = functions.find(({ id }) => id === idInArn(arn));
    if (!found) throw new Error(`no function of the template has the ARN ${arn}`);
    return found.name;
  };
  const queueAt = (arn: string): string => {
    const id = idInArn(arn);
    if (id === undefined || Resources[id]?.Type !== 'AWS::SQS::Queue')
      throw new Error(`no queue of the template has the ARN ${arn}`);
    return nameOf(id);
  };
  const integrations = new Map(
    all(['AWS::ApiGatewayV2::Integration'], Properties.integration).map(({ id, properties }) => [
      id,
      functionAt(properties.IntegrationUri),
    ]),
  );

  return {
    tables: all(TABLES, Properties.table).map(({ id, properties }) => ({
      ...properties,
      TableName: nameOf(id),
    })),
    buckets: all(['AWS::S3::Bucket'], Properties.bucket).map(({ id }) => nameOf(id)),
    queues: all(['AWS::SQS::Queue'], Properties.queue).map(({ id, properties }) => {
      const { RedrivePolicy: redrive, ...attributes } = properties;
      return {
        name: nameOf(id),
        attributes,
        ...(redrive && {
          redrive: {
            dead_letter_queue: queueAt(redrive.deadLetterTargetArn),
            max_receives: redrive.maxReceiveCount,
          },
        }),
      };
    }),
    functions: functions.map(({ id: _, ...each }) => each),
    event_sources: all(['AWS::Lambda::EventSourceMapping'], Properties.event_source)
      .filter(({ properties }) => properties.Enabled)
      .map(({ properties: { EventSourceArn, FunctionName, BatchSize, ScalingConfig } }) => ({
        queue: queueAt(EventSourceArn),
        function: functionAt(FunctionName.includes(':') ? FunctionName : `arn:aws:local:::${FunctionName}`),
        batch_size: BatchSize,
        concurrency: ScalingConfig.MaximumConcurrency,
      })),
    routes: all(['AWS::ApiGatewayV2::Route'], Properties.route).map(({ id, properties }) => {
      const integration = properties.Target.replace(/^integrations\//, '');
      const answers = integrations.get(integration);
      if (answers === undefined) throw new Error(`the route ${id} leads to no integration`);
      return { key: properties.RouteKey, function: answers };
    }),
    schedules: all(['AWS::Scheduler::Schedule'], Properties.schedule)
      .filter(({ properties }) => properties.State === 'ENABLED')
      .map(({ properties: { ScheduleExpression, Target } }) => ({
        function: functionAt(Target.Arn),
        every_s: ScheduleExpression,
      })),
    notifications: all(['AWS::S3::Bucket'], Properties.bucket).flatMap(({ id, properties }) =>
      properties.NotificationConfiguration.QueueConfigurations.map(({ Queue, Filter }) => ({
        bucket: nameOf(id),
        prefix: Filter.S3Key.Rules.find(({ Name }) => Name === 'prefix')?.Value ?? '',
        queue: queueAt(Queue),
      })),
    ),
  };
}
