import { join } from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Grant, type IGrantable, type IPrincipal, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { BUNDLING } from '#lib/infra/bundling.ts';
import type { Stage } from '#lib/infra/stage.ts';

/** The six of them: `ls functions` = what deploys. */
export const FUNCTIONS = ['upload', 'dedup', 'recompute', 'lookup', 'mcp', 'reprocess'] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** As esbuild's command line takes them. */
const ALIASES = Object.fromEntries(
  Object.entries(BUNDLING.alias).map(([name, file]) => [`--alias:${name}`, file]),
);

const PROJECT = join(import.meta.dirname, '../../..');

export interface StackFunctionOptions {
  stage: Stage;
  name: FunctionName;
  timeout: Duration;
  environment: Record<string, string>;
}

/**
 * One function with a role and a log group of its own. The role begins with its log group and nothing else: AWS's
 * managed policy would let it write to all of them.
 */
export class StackFunction extends Construct implements IGrantable {
  readonly lambda: LambdaFunction;
  readonly log_group: LogGroup;
  readonly role: Role;

  constructor(scope: Construct, id: string, { stage, name, timeout, environment }: StackFunctionOptions) {
    super(scope, id);
    this.log_group = new LogGroup(this, 'Logs', {
      retention: stage.log_retention,
      removalPolicy: stage.removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.lambda = new NodejsFunction(this, 'Function', {
      entry: join(PROJECT, 'functions', name, 'handler.ts'),
      handler: 'handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: stage.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: stage.memory_mib,
      timeout,
      role: this.role,
      logGroup: this.log_group,
      environment: { KNOWHUB_FUNCTION: name, ...environment },
      projectRoot: PROJECT,
      depsLockFilePath: join(PROJECT, 'package-lock.json'),
      bundling: {
        format: OutputFormat.ESM,
        target: BUNDLING.target,
        mainFields: BUNDLING.mainFields,
        externalModules: BUNDLING.external,
        banner: BUNDLING.banner.js,
        minify: BUNDLING.minify,
        sourceMap: BUNDLING.sourcemap,
        sourcesContent: BUNDLING.sourcesContent,
        esbuildArgs: { ...ALIASES, '--legal-comments': BUNDLING.legalComments },
      },
    });
    Grant.addToPrincipal({
      grantee: this.role,
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resourceArns: [this.log_group.logGroupArn],
    });
  }

  get grantPrincipal(): IPrincipal {
    return this.role;
  }
}
