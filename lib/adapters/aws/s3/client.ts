import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/**
 * Each try, in milliseconds. Three of them stay well below the 29 s of an HTTP function: one that starts while S3 gives
 * no answer must have the time left to read the ledger (R6.9).
 */
const PATIENCE = { connect: 1000, answer: 5000 };

/** The client of all S3 adapters. */
export const createS3Client = (config: S3ClientConfig = {}, patience = PATIENCE): S3Client =>
  new S3Client({
    // Without `throwOnRequestTimeout` the handler only warns; without any of it a call hangs as long as its socket does.
    requestHandler: new NodeHttpHandler({
      connectionTimeout: patience.connect,
      requestTimeout: patience.answer,
      throwOnRequestTimeout: true,
      // Between two pieces of a body.
      socketTimeout: patience.answer,
    }),
    maxAttempts: 3,
    ...config,
  });
