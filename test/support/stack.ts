import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { KnowHubStack } from '#lib/infra/stack.ts';
import { DEV, readStage } from '#lib/infra/stage.ts';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  DependsOn?: string[];
}
export type Resources = Record<string, Resource>;

// CDK would leave one folder an app in the temp folder.
const outputs = mkdtempSync(join(tmpdir(), 'knowhub-cdk-'));
afterAll(() => rmSync(outputs, { recursive: true, force: true }));

/** The stack of a stage, without the bundles of its functions. */
export function stackOf(stage: object = {}): { app: App; stack: KnowHubStack } {
  const app = new App({
    outdir: mkdtempSync(join(outputs, 'out-')),
    context: { 'aws:cdk:bundling-stacks': [] },
  });
  return { app, stack: new KnowHubStack(app, readStage({ ...DEV, ...stage })) };
}

export const templateOf = (stage: object = {}): Template => Template.fromStack(stackOf(stage).stack);

/** Properties of all resources of a type, by logical id. */
export function resourcesOf(template: Template, type: string): Resources {
  return template.findResources(type) as Resources;
}

/** `{Ref}`, `{Fn::GetAtt}` and `{Fn::Join}` as one text, logical ids without their hash: `Tablesledger.Arn/index/due`. */
export function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('Ref' in value) return withoutHash(String(value.Ref));
  if ('Fn::GetAtt' in value && Array.isArray(value['Fn::GetAtt'])) {
    const [id, attribute] = value['Fn::GetAtt'] as [string, string];
    return `${withoutHash(id)}.${attribute}`;
  }
  if ('Fn::Join' in value && Array.isArray(value['Fn::Join'])) {
    const [separator, parts] = value['Fn::Join'] as [string, unknown[]];
    return parts.map(plain).join(separator);
  }
  throw new Error(`not a text: ${JSON.stringify(value)}`);
}

/** CDK ends logical ids with eight hex digits. */
export const withoutHash = (id: string): string => id.replace(/[0-9A-F]{8}$/, '');

export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: unknown;
  Principal?: unknown;
  Condition?: unknown;
}

export const listOf = <Each>(value: Each | Each[]): Each[] => (Array.isArray(value) ? value : [value]);

/** What each role may do: `{Upload: {'Tablesledger.Arn': ['PutItem', …]}}`, every list sorted. */
export function grantsOf(template: Template): Record<string, Record<string, string[]>> {
  const grants: Record<string, Record<string, string[]>> = {};
  for (const { Properties } of Object.values(resourcesOf(template, 'AWS::IAM::Policy'))) {
    const { Roles, PolicyDocument } = Properties as {
      Roles: unknown[];
      PolicyDocument: { Statement: Statement[] };
    };
    for (const role of Roles.map(plain)) {
      const granted = (grants[role.replace(/Role$/, '')] ??= {});
      for (const { Effect, Action, Resource, Condition } of PolicyDocument.Statement) {
        if (Effect !== 'Allow' || Condition !== undefined) throw new Error('a statement of another kind');
        for (const resource of listOf(Resource).map(plain))
          granted[resource] = [...new Set([...(granted[resource] ?? []), ...listOf(Action)])].sort();
      }
    }
  }
  return grants;
}
