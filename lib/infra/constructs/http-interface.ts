import { RemovalPolicy } from 'aws-cdk-lib';
import {
  HttpApi,
  HttpMethod,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StackFunction } from '#lib/infra/constructs/stack-function.ts';
import type { Stage } from '#lib/infra/stage.ts';
import { HTTP_TIMEOUT } from '#lib/infra/times.ts';
import type { Route } from '#lib/runtime/route.ts';

export interface HttpInterfaceOptions {
  stage: Stage;
  routes: readonly Route[];
  functions: Readonly<Record<Route['function'], StackFunction>>;
}

/** The HTTP API: each route of the table to its function, and nobody gets through unknown (design, section 7). */
export class HttpInterface extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { stage, routes, functions }: HttpInterfaceOptions) {
    super(scope, id);
    const integrations = {
      upload: integration('Upload', functions.upload),
      lookup: integration('Lookup', functions.lookup),
      mcp: integration('Mcp', functions.mcp),
    };
    const api = new HttpApi(this, 'Api', {
      apiName: `knowhub-${stage.name}`,
      createDefaultStage: false,
      defaultAuthorizer: authorizer(stage),
      // What no route fits goes to the router as well, which answers 404 and 405 as it answers everything.
      defaultIntegration: integrations.lookup,
    });
    for (const route of routes)
      api.addRoutes({
        path: route.path,
        methods: [HttpMethod[route.method]],
        integration: integrations[route.function],
      });
    const logs = new LogGroup(this, 'AccessLogs', {
      retention: stage.log_retention,
      removalPolicy: stage.removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destination: new LogGroupLogDestination(logs) },
    });
    this.url = api.apiEndpoint;
  }
}

/** One permission a function, for all routes of this API: one for each of thirty routes would not fit its policy. */
const integration = (id: string, { lambda }: StackFunction): HttpLambdaIntegration =>
  new HttpLambdaIntegration(id, lambda, { timeout: HTTP_TIMEOUT, scopePermissionToRoute: false });

function authorizer({ auth }: Stage): IHttpRouteAuthorizer {
  if (auth.mode === 'iam') return new HttpIamAuthorizer();
  return new HttpJwtAuthorizer('Token', auth.issuer, { jwtAudience: auth.audience });
}
