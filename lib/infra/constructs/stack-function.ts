import { join } from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Grant, type IGrantable, type IPrincipal, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '#lib/infra/stage.ts';

/** The five of them (design, section 1): `ls functions` = what deploys. */
export const FUNCTIONS = ['upload', 'dedup', 'recompute', 'lookup', 'reprocess'] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

const PROJECT = join(import.meta.dirname, '../../..');

/** Bundled CommonJS asks for Node's own modules by `require`, which an ES module has not. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/** A function's credentials are in its environment: the SDK loads the code for all other places only if they are not. */
const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

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
        target: 'node24',
        // As published for ES modules, which esbuild can shake.
        mainFields: ['module', 'main'],
        // The SDK is bundled: what runs is what was tested, whatever Lambda brings along.
        externalModules: NEVER_LOADED,
        banner: REQUIRE,
        minify: true,
        sourceMap: true,
        sourcesContent: false,
        esbuildArgs: { '--legal-comments': 'linked' },
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
