import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { StackFunction } from '#lib/infra/constructs/stack-function.ts';
import type { WorkQueue } from '#lib/infra/constructs/work-queue.ts';
import { NAMESPACE } from '#lib/runtime/metrics.ts';

const PERIOD = Duration.minutes(5);

/** What a projector logs when the search engine refuses an item for good (design, section 2). */
const PARKED = 'parked';

/** Alarms on what needs a look, and tells a topic if there is one. Nothing of it stands still meanwhile. */
export class Alarms extends Construct {
  private readonly action: SnsAction | undefined;

  constructor(scope: Construct, id: string, topic_arn: string | undefined) {
    super(scope, id);
    this.action =
      topic_arn === undefined ? undefined : new SnsAction(Topic.fromTopicArn(this, 'Topic', topic_arn));
  }

  /** A message failed as often as it may: the sweep has sent it anew, something is wrong all the same. */
  onDeadLetters(name: string, { dead_letters }: WorkQueue): void {
    const metric = dead_letters.metricApproximateNumberOfMessagesVisible({
      period: PERIOD,
      statistic: Stats.MAXIMUM,
    });
    this.alarm(`${name}DeadLetters`, metric, `Messages lie in the dead-letter queue of ${name}.`);
  }

  /** Items that recall compares by hand from now on, and that L1 does not find. */
  onParkedItems(projectors: Readonly<Record<string, StackFunction>>): void {
    for (const [name, { log_group }] of Object.entries(projectors))
      log_group.addMetricFilter(`${name}Parked`, {
        filterPattern: FilterPattern.stringValue('$.message', '=', PARKED),
        metricNamespace: NAMESPACE,
        metricName: this.parked_name,
        metricValue: '1',
      });
    const metric = new Metric({
      namespace: NAMESPACE,
      metricName: this.parked_name,
      period: PERIOD,
      statistic: Stats.SUM,
    });
    this.alarm('ParkedItems', metric, 'The search engine refuses items; GET /api/health names them.');
  }

  /** Two deployments in one account do not share a figure. */
  private get parked_name(): string {
    return `Parked-${this.node.scope?.node.id}`;
  }

  private alarm(id: string, metric: IMetric, alarmDescription: string): void {
    const alarm = new Alarm(this, id, {
      metric,
      alarmDescription,
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.action) alarm.addAlarmAction(this.action);
  }
}
