import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from '#lib/infra/stage.ts';

export interface ModelGrants {
  /** Making vectors (R3.4, R6.3). */
  grantEmbedding(to: IGrantable): void;
  /** Judging and writing (R3.2, R4.2, R5.2). */
  grantWriting(to: IGrantable): void;
}

/** Who may invoke which model: exactly those that the stage names. Models that are not on Bedrock need no grant. */
export function modelGrants(scope: Construct, { models }: Stage): ModelGrants {
  const grant = (role: 'writer' | 'embedder') => (to: IGrantable) => {
    const choice = models[role];
    if (choice === 'stand-in' || !('bedrock' in choice)) return;
    const resourceArns = models[`${role}_arns`] ?? [
      Stack.of(scope).formatArn({
        service: 'bedrock',
        account: '',
        resource: 'foundation-model',
        resourceName: choice.bedrock.model,
      }),
    ];
    // Converse has no action of its own.
    Grant.addToPrincipal({ grantee: to, actions: ['bedrock:InvokeModel'], resourceArns });
  };
  return { grantEmbedding: grant('embedder'), grantWriting: grant('writer') };
}
