import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { type IGrantable, PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, ResourcePolicy } from 'aws-cdk-lib/aws-logs';
import { CfnDomain } from 'aws-cdk-lib/aws-opensearchservice';
import { Construct } from 'constructs';
import type { Stage } from '#lib/infra/stage.ts';

const VERSION = 'OpenSearch_3.5';
/** All indices of the family, and what lies under them (design, section 3). */
const INDICES = 'knowledge-*';
/** Slow logs say nothing before an index has thresholds; the errors of the engine are always there. */
const LOGS = ['ES_APPLICATION_LOGS', 'SEARCH_SLOW_LOGS', 'INDEX_SLOW_LOGS'];

/**
 * Where the index lies, and who may call it. With a cluster of one's own (`opensearch.url`) there is nothing to make and
 * nothing to grant. Who may do what stands in the domain's access policy alone, by role and path: a grant in a role
 * besides would add to it.
 */
export class SearchDomain extends Construct {
  readonly url: string;
  private readonly access: PolicyDocument | undefined;
  private readonly name: string;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    // Known before the domain is: its own access policy names it.
    this.name = `knowhub-${stage.name}`;
    if (stage.opensearch.url !== undefined) {
      this.url = stage.opensearch.url;
      return;
    }
    this.access = new PolicyDocument();
    const domain = createDomain(this, this.name, stage, this.access);
    this.url = `https://${domain.attrDomainEndpoint}`;
  }

  /** Searches, and what health asks. */
  grantSearch(to: IGrantable): void {
    this.allow(to, ['Get'], `${INDICES}/_alias`);
    for (const search of ['_search', '_msearch', '_mget']) this.allow(to, ['Post'], `${INDICES}/${search}`);
  }

  /** Making, writing, searching and dropping indices of the family. */
  grantDecisions(to: IGrantable): void {
    this.allow(to, ['Head', 'Get', 'Put', 'Post', 'Delete'], INDICES);
  }

  private allow(to: IGrantable, methods: readonly string[], path: string): void {
    this.access?.addStatements(
      new PolicyStatement({
        principals: [to.grantPrincipal],
        actions: methods.map((method) => `es:ESHttp${method}`),
        resources: [
          Stack.of(this).formatArn({
            service: 'es',
            resource: 'domain',
            resourceName: `${this.name}/${path}`,
          }),
        ],
      }),
    );
  }
}

function createDomain(scope: Construct, name: string, stage: Stage, access: PolicyDocument): CfnDomain {
  const { instance_type, instances, volume_gib } = stage.opensearch;
  const zones = Math.min(3, instances);
  const logs = new LogGroup(scope, 'Logs', {
    retention: stage.log_retention,
    removalPolicy: stage.removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const writing = new ResourcePolicy(scope, 'LogsPolicy', {
    policyStatements: [
      new PolicyStatement({
        principals: [new ServicePrincipal('es.amazonaws.com')],
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logs.logGroupArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
      }),
    ],
  });
  const domain = new CfnDomain(scope, 'Domain', {
    domainName: name,
    engineVersion: VERSION,
    clusterConfig: {
      instanceType: instance_type,
      instanceCount: instances,
      zoneAwarenessEnabled: zones > 1,
      ...(zones > 1 && { zoneAwarenessConfig: { availabilityZoneCount: zones } }),
    },
    ebsOptions: { ebsEnabled: true, volumeType: 'gp3', volumeSize: volume_gib },
    nodeToNodeEncryptionOptions: { enabled: true },
    encryptionAtRestOptions: { enabled: true },
    domainEndpointOptions: { enforceHttps: true, tlsSecurityPolicy: 'Policy-Min-TLS-1-2-PFS-2023-10' },
    accessPolicies: access,
    logPublishingOptions: Object.fromEntries(
      LOGS.map((type) => [type, { enabled: true, cloudWatchLogsLogGroupArn: logs.logGroupArn }]),
    ),
  });
  domain.node.addDependency(writing);
  // A projection: whatever lies in it is replayed from the ledger.
  domain.applyRemovalPolicy(RemovalPolicy.DESTROY);
  acknowledge(domain, zones);
  return domain;
}

function acknowledge(domain: CfnDomain, zones: number): void {
  Validations.of(domain).acknowledge(
    {
      id: 'AwsSolutions-OS1',
      reason:
        'Functions in a VPC would need endpoints or NAT for six other services. The endpoint takes signed requests of five roles over TLS 1.2 only, each for its own paths.',
    },
    {
      id: 'AwsSolutions-OS3',
      reason: 'Functions outside of a VPC have no addresses of their own; access is by role instead.',
    },
    {
      id: 'AwsSolutions-OS4',
      reason:
        'The index is a projection: a lost cluster is replayed from the ledger while keyword lookups go on. Dedicated masters would cost more than the data nodes.',
    },
  );
  if (zones === 1)
    Validations.of(domain).acknowledge({
      id: 'AwsSolutions-OS7',
      reason:
        'One node by default, to keep a small deployment cheap; `opensearch.instances` of 2 or more spreads the domain over zones.',
    });
}
