import { Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { stackOf } from '#test/support/stack.ts';

const findingsOf = ({ app }: ReturnType<typeof stackOf>): string[] =>
  new AwsSolutionsChecks(app).validateScope(app).violations.map(({ ruleName }) => ruleName);

test.each([
  ['the stage to try things out', {}],
  ['several nodes, kept', { removal: 'retain', opensearch: { instances: 3 } }],
  ['tokens', { auth: { mode: 'jwt', issuer: 'https://issuer.example', audience: ['knowhub'] } }],
  ['a cluster of one’s own', { opensearch: { url: 'http://127.0.0.1:9200' } }],
])('cdk-nag finds nothing that was not answered for: %s', (_, stage) => {
  expect(findingsOf(stackOf(stage))).toEqual([]);
});

test('what nobody answered for is a finding, and fails the synthesis', () => {
  const made = stackOf();
  new Bucket(made.stack, 'Another');
  expect(findingsOf(made)).toEqual(['AwsSolutions-S1', 'AwsSolutions-S10']);
  Validations.of(made.app).addPlugins(new AwsSolutionsChecks(made.app));
  expect(() => made.app.synth()).toThrow('AwsSolutions::AwsSolutions-S10');
});
