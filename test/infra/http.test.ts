import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { ROUTES } from '#lib/runtime/routes.ts';
import { plain, resourcesOf, templateOf, withoutHash } from '#test/support/stack.ts';

/** Each route with its function and who vouches for its callers. */
function routesOf(template: Template): Record<string, unknown[]> {
  const integrations = Object.fromEntries(
    Object.entries(resourcesOf(template, 'AWS::ApiGatewayV2::Integration')).map(([id, { Properties }]) => [
      id,
      plain(Properties.IntegrationUri).replace(/Function\.Arn$/, ''),
    ]),
  );
  return Object.fromEntries(
    Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => {
      const target = Properties.Target as { 'Fn::Join': [string, [string, { Ref: string }]] };
      const authorizer = Properties.AuthorizerId as { Ref: string } | undefined;
      return [
        String(Properties.RouteKey),
        [
          integrations[target['Fn::Join'][1][1].Ref],
          Properties.AuthorizationType,
          ...(authorizer ? [withoutHash(authorizer.Ref)] : []),
        ],
      ];
    }),
  );
}

const ANSWERS = { upload: 'Upload', lookup: 'Lookup', mcp: 'Mcp' } as const;

const expected = (...vouched: string[]) =>
  Object.fromEntries([
    ...ROUTES.map(({ method, path, function: answers }) => [
      `${method} ${path}`,
      [ANSWERS[answers], ...vouched],
    ]),
    ['$default', ['Lookup', ...vouched]],
  ]);

test('every route of the table leads to its function, signed by IAM; the rest to the router’s 404', () => {
  expect(routesOf(templateOf())).toEqual(expected('AWS_IAM'));
});

test('R6.8 with a JWT every route asks for the token, and the functions are told its claim', () => {
  const auth = {
    mode: 'jwt',
    issuer: 'https://issuer.example/pool',
    audience: ['knowhub'],
    scopes_claim: 'groups',
  };
  const template = templateOf({ auth });
  expect(routesOf(template)).toEqual(expected('JWT', 'HttpApiToken'));
  const [authorizer] = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Authorizer'));
  const { ApiId, ...settings } = authorizer!.Properties;
  expect(settings).toEqual({
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Audience: ['knowhub'], Issuer: 'https://issuer.example/pool' },
    Name: 'Token',
  });
  const told = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) => {
    const { AUTH, JWT_SCOPES_CLAIM } = (Properties.Environment as { Variables: Record<string, unknown> })
      .Variables;
    return [AUTH, JWT_SCOPES_CLAIM];
  });
  expect(told).toEqual(Array.from({ length: 6 }, () => ['jwt', 'groups']));
});

test('the gateway gives up before its own limit of 30 s, and logs every access', () => {
  const template = templateOf();
  const integrations = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Integration'));
  expect(
    integrations.map(({ Properties }) => [Properties.TimeoutInMillis, Properties.PayloadFormatVersion]),
  ).toEqual([
    [29_000, '2.0'],
    [29_000, '2.0'],
    [29_000, '2.0'],
  ]);
  const [stage] = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Stage'));
  const { StageName, AutoDeploy, AccessLogSettings } = stage!.Properties;
  const { DestinationArn } = AccessLogSettings as Record<string, unknown>;
  expect([StageName, AutoDeploy, plain(DestinationArn)]).toEqual(['$default', true, 'HttpAccessLogs.Arn']);
});
