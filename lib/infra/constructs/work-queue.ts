import { Aws } from 'aws-cdk-lib';
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StackFunction } from '#lib/infra/constructs/stack-function.ts';
import { DEAD_LETTER_RETENTION, MAX_RECEIVES, VISIBILITY_TIMEOUT } from '#lib/infra/times.ts';

const SAFE = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/** A standard queue with its dead-letter queue. Rows are the truth: a lost message costs a minute (design, section 1). */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly dead_letters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.dead_letters = new Queue(this, 'DeadLetters', { ...SAFE, retentionPeriod: DEAD_LETTER_RETENTION });
    this.queue = new Queue(this, 'Queue', {
      ...SAFE,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.dead_letters, maxReceiveCount: MAX_RECEIVES },
    });
  }

  get url(): string {
    return this.queue.queueUrl;
  }

  /** Has the function receive from the queue: the right to, and the trigger. */
  feeds(worker: StackFunction, { batch, at_once }: { batch: number; at_once: number }): void {
    worker.lambda.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: batch,
        maxConcurrency: at_once,
        reportBatchItemFailures: true,
      }),
    );
  }

  /** Lets it send, and nothing else: CDK's own grant reads attributes too. */
  isFedBy(sender: IGrantable): void {
    Grant.addToPrincipal({
      grantee: sender,
      actions: ['sqs:SendMessage'],
      resourceArns: [this.queue.queueArn],
    });
  }

  /**
   * Lets S3 send, from buckets of this account alone. Not from one bucket's ARN: a bucket is made after the queue that
   * its notifications name, which must accept them by then.
   */
  isFedByBuckets(): Construct {
    this.queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('s3.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.queue.queueArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return this.queue;
  }
}
