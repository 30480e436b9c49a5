import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { KnowHubStack } from '#lib/infra/stack.ts';
import { readStage } from '#lib/infra/stage.ts';

const app = new App();
new KnowHubStack(app, readStage(app.node.tryGetContext('stage')));
// A finding that nobody has acknowledged with a reason fails the synthesis.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
