import { type BedrockStub, byRules, startBedrockStub } from '#test/support/bedrock-stub.ts';
import { deployment } from './deployment.ts';

/** Stands in for Bedrock where the functions look for it: sensible answers by rules, over HTTP/2. */
export const startBedrock = (): Promise<BedrockStub> =>
  startBedrockStub({ answer: byRules, port: deployment().bedrock_port });
