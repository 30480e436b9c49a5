import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Alarms } from '#lib/infra/constructs/alarms.ts';
import { HttpInterface } from '#lib/infra/constructs/http-interface.ts';
import { KnowledgeBucket } from '#lib/infra/constructs/knowledge-bucket.ts';
import { modelGrants } from '#lib/infra/constructs/models.ts';
import { SearchDomain } from '#lib/infra/constructs/search-domain.ts';
import { type FunctionName, StackFunction } from '#lib/infra/constructs/stack-function.ts';
import { SweepSchedule } from '#lib/infra/constructs/sweep-schedule.ts';
import { Tables } from '#lib/infra/constructs/tables.ts';
import { WorkQueue } from '#lib/infra/constructs/work-queue.ts';
import { environmentOf } from '#lib/infra/environment.ts';
import type { Stage } from '#lib/infra/stage.ts';
import { HTTP_TIMEOUT, WORKER_TIMEOUT } from '#lib/infra/times.ts';
import { ROUTES } from '#lib/runtime/routes.ts';

/** Everything that KnowHub has on AWS (design, sections 1 to 3 and 7). */
export class KnowHubStack extends Stack {
  constructor(scope: Construct, stage: Stage) {
    const { name, account, region } = stage;
    super(scope, `knowhub-${name}`, {
      description: `KnowHub, stage ${name}: a serverless knowledge base for AI agents`,
      env: { ...(account && { account }), ...(region && { region }) },
      terminationProtection: stage.removal === 'retain',
      tags: { application: 'knowhub', stage: name },
    });

    // Stores
    const tables = new Tables(this, 'Tables', stage.removal);
    const bucket = new KnowledgeBucket(this, 'Knowledge', stage.removal);
    const search = new SearchDomain(this, 'Search', stage);
    const models = modelGrants(this, stage);

    // Queues
    const inbox = new WorkQueue(this, 'InboxQueue');
    const admission = new WorkQueue(this, 'AdmissionQueue');
    const recomputing = new WorkQueue(this, 'RecomputeQueue');
    const jobs = new WorkQueue(this, 'JobsQueue');

    // Functions
    const environment = environmentOf(stage, {
      tables: tables.names,
      bucket: bucket.name,
      admission_url: admission.url,
      recompute_url: recomputing.url,
      opensearch_url: search.url,
    });
    const createFunction = (
      id: string,
      function_name: FunctionName,
      timeout = WORKER_TIMEOUT,
      more: Record<string, string> = {},
    ) =>
      new StackFunction(this, id, {
        stage,
        name: function_name,
        timeout,
        environment: { ...environment, ...more },
      });
    const upload = createFunction('Upload', 'upload');
    const dedup = createFunction('Dedup', 'dedup');
    const recompute = createFunction('Recompute', 'recompute');
    const lookup = createFunction('Lookup', 'lookup', HTTP_TIMEOUT);
    // Its own to each deployment, and no secret: what a forged id would open, its caller may open anyway.
    const mcp = createFunction('Mcp', 'mcp', HTTP_TIMEOUT, { MCP_SESSION_KEY: Aws.STACK_ID });
    const reprocess = createFunction('Reprocess', 'reprocess');

    // What triggers them
    bucket.notifies(inbox);
    inbox.feeds(upload, { batch: 3, at_once: stage.at_once.inbox });
    admission.feeds(dedup, { batch: 3, at_once: stage.at_once.admission });
    recomputing.feeds(recompute, { batch: 1, at_once: stage.at_once.recompute });
    jobs.feeds(reprocess, { batch: 1, at_once: stage.at_once.jobs });
    new SweepSchedule(this, 'Sweep', reprocess);
    const api = new HttpInterface(this, 'Http', {
      stage,
      routes: ROUTES,
      functions: { upload, lookup, mcp },
    });

    // Who decides: appends to the ledger, and carries it into the projections
    for (const projector of [upload, dedup, reprocess]) {
      tables.grantDecisions(projector);
      bucket.grantDecisions(projector);
      search.grantDecisions(projector);
      models.grantEmbedding(projector);
      models.grantWriting(projector);
      recomputing.isFedBy(projector);
    }

    // Who takes documents in, and who sees to what got stuck
    for (const uploader of [upload, reprocess]) {
      tables.grantPaths(uploader);
      bucket.grantUploads(uploader);
      admission.isFedBy(uploader);
    }
    bucket.grantTickets(upload);
    tables.grantWaiting(upload);
    tables.grantSweep(reprocess);

    // Who reads the ledger into a catalog, and who keeps snapshots of it
    for (const reader of [upload, dedup, recompute, lookup, mcp, reprocess]) bucket.grantSnapshots(reader);
    bucket.grantSnapshotWriting(reprocess);

    // Who writes domains' texts
    tables.grantSummaries(recompute);
    models.grantWriting(recompute);
    recomputing.isFedBy(recompute);

    // Who only reads
    tables.grantReading(lookup);
    tables.grantSessions(lookup);
    bucket.grantReading(lookup);
    search.grantSearch(lookup);
    models.grantEmbedding(lookup);

    // What agents do over MCP: look up, and leave entries to be judged
    tables.grantLookups(mcp);
    tables.grantSessions(mcp);
    tables.grantEntries(mcp);
    bucket.grantTexts(mcp);
    search.grantSearch(mcp);
    models.grantEmbedding(mcp);
    admission.isFedBy(mcp);

    const alarms = new Alarms(this, 'Alarms', stage.alarm_topic_arn);
    const queues = { Inbox: inbox, Admission: admission, Recompute: recomputing, Jobs: jobs };
    for (const [queue_name, queue] of Object.entries(queues)) alarms.onDeadLetters(queue_name, queue);
    alarms.onParkedItems({ Upload: upload, Dedup: dedup, Reprocess: reprocess });

    const outputs = {
      ApiUrl: api.url,
      BucketName: bucket.name,
      OpenSearchUrl: search.url,
      ...Object.fromEntries(Object.entries(queues).map(([key, { url }]) => [`${key}QueueUrl`, url])),
      ...Object.fromEntries(
        Object.entries(tables.names).map(([key, table]) => [`${capital(key)}Table`, table]),
      ),
    };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(this, key, { value });
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
