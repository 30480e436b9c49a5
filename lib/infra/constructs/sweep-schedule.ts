import { Duration } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { StackFunction } from '#lib/infra/constructs/stack-function.ts';
import { SWEEP_EVERY } from '#lib/infra/times.ts';

/** Calls the sweep every minute (R4.8). A pass that fails or is missed is not repeated: the next one does its work. */
export class SweepSchedule extends Construct {
  constructor(scope: Construct, id: string, { lambda }: StackFunction) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    // CDK's own grant is for all versions of the function too, by a wildcard.
    const grant = Grant.addToPrincipal({
      grantee: role,
      actions: ['lambda:InvokeFunction'],
      resourceArns: [lambda.functionArn],
    });
    const schedule = new CfnSchedule(this, 'Schedule', {
      scheduleExpression: `rate(${SWEEP_EVERY.toMinutes()} minute)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: lambda.functionArn,
        roleArn: role.roleArn,
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: SWEEP_EVERY.toSeconds() },
      },
    });
    grant.applyBefore(schedule);
    lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  }
}
