import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { INBOX } from '#lib/core/inbox.ts';
import type { StackFunction } from '#lib/infra/constructs/stack-function.ts';
import type { WorkQueue } from '#lib/infra/constructs/work-queue.ts';

type Folder = 'inbox' | 'quarantine' | 'bodies' | 'knowledge_base' | 'vectors' | 'catalog';
type Action = 'GetObject' | 'PutObject' | 'DeleteObject';

/** Snapshots of the catalog are made anew all the time, and any of them can be made again from the ledger. */
const CATALOG_KEPT = Duration.days(30);

/**
 * The one bucket (design, section 3). Not versioned: what is deleted is erased (R3.6), and bodies are never changed.
 */
export class KnowledgeBucket extends Construct {
  private readonly bucket: Bucket;

  constructor(scope: Construct, id: string, removal: 'retain' | 'destroy') {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      lifecycleRules: [
        { id: 'incomplete-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
        { id: 'old-catalogs', prefix: 'catalog/', expiration: CATALOG_KEPT },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only five roles of this stack reach the bucket, and each decision is in the ledger with who made it; an account that wants every read on record turns on CloudTrail data events, without a second bucket here.',
    });
  }

  get name(): string {
    return this.bucket.bucketName;
  }

  /**
   * Tells the queue of each file dropped into the inbox (R3.1). As a property of the bucket: CDK's `addEventNotification`
   * brings a function of its own, with a wildcard in its role.
   */
  notifies(queue: WorkQueue): void {
    const policy = queue.isFedByBuckets();
    const resource = this.bucket.node.defaultChild as CfnBucket;
    resource.notificationConfiguration = {
      queueConfigurations: [
        {
          event: 's3:ObjectCreated:*',
          filter: { s3Key: { rules: [{ name: 'prefix', value: INBOX }] } },
          queue: queue.queue.queueArn,
        },
      ],
    };
    // S3 sends a test message before it accepts the configuration.
    this.bucket.node.addDependency(policy);
  }

  /** Texts, and sections' vectors. */
  grantTexts(to: StackFunction): void {
    this.grantListing(to);
    for (const folder of ['bodies', 'vectors'] as const) this.allow(to, folder, ['GetObject']);
  }

  /** Texts, sections' vectors, and what health asks the mirror. */
  grantReading(to: StackFunction): void {
    this.grantTexts(to);
    this.allow(to, 'knowledge_base', ['GetObject']);
  }

  /** What an admission stores, and what the projectors write and erase. */
  grantDecisions(to: StackFunction): void {
    this.grantListing(to);
    this.allow(to, 'bodies', ['GetObject', 'DeleteObject']);
    this.allow(to, 'vectors', ['GetObject', 'PutObject', 'DeleteObject']);
    this.allow(to, 'knowledge_base', ['GetObject', 'PutObject', 'DeleteObject']);
  }

  /** Where a catalog starts (R6.9). */
  grantSnapshots(to: StackFunction): void {
    this.grantListing(to);
    this.allow(to, 'catalog', ['GetObject']);
  }

  /** Snapshots of the catalog: written by one, and dropped when something in them was erased (R3.6). */
  grantSnapshotWriting(to: StackFunction): void {
    this.allow(to, 'catalog', ['PutObject', 'DeleteObject']);
  }

  /** New documents, by API or taken from the inbox (R3.1, R3.2). */
  grantUploads(to: StackFunction): void {
    this.allow(to, 'bodies', ['PutObject']);
    this.allow(to, 'inbox', ['GetObject', 'DeleteObject']);
    this.allow(to, 'quarantine', ['PutObject']);
  }

  /** Forms for large documents: whoever holds one does what its signer may. */
  grantTickets(to: StackFunction): void {
    this.allow(to, 'inbox', ['PutObject']);
  }

  /** Without it S3 answers 403 in place of 404 about an object that is not there; a condition on the prefix would do the same. */
  private grantListing(to: StackFunction): void {
    Grant.addToPrincipal({
      grantee: to,
      actions: ['s3:ListBucket'],
      resourceArns: [this.bucket.bucketArn],
    });
  }

  private allow(to: StackFunction, folder: Folder, actions: readonly Action[]): void {
    Grant.addToPrincipal({
      grantee: to,
      actions: actions.map((action) => `s3:${action}`),
      resourceArns: [this.bucket.arnForObjects(`${folder}/*`)],
    });
    const bucket = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    Validations.of(to).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${folder}/*]`,
      reason: `Objects of ${folder}/ are named by ids and paths that are not known before; the folder is as narrow as a name can be, and each folder is granted by itself.`,
    });
  }
}
