import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Each try; three of them stay well below the 30 s of the HTTP API. */
const CONNECT_MS = 1000;
const ANSWER_MS = 4000;

/**
 * The client of all DynamoDB adapters. Retries are the SDK's: one after a lost answer makes a conditional write report
 * a refusal, which the protocol allows for.
 */
export function createDynamoClient(config: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    // Without `throwOnRequestTimeout` the handler only warns, and the call hangs for as long as the socket does.
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
    }),
    maxAttempts: 3,
    ...config,
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
