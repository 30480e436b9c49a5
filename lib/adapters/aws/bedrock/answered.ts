import { isUnclear } from '#lib/adapters/aws/service-errors.ts';
import { modelRefused } from '#lib/adapters/model-refused.ts';
import { KnowHubError, ModelUnavailable } from '#lib/core/errors.ts';

/** Come with a 4xx, and pass all the same. */
const PASSING = new Set(['ModelErrorException', 'ModelNotReadyException', 'ServiceQuotaExceededException']);

// Some of the SDK's own errors about a broken connection have neither a code nor a name.
const NO_ANSWER = /^HTTP\/2 stream is abnormally aborted|http2 request did not get a response|^Frame type id/;

/** Makes a call to a model of Bedrock: what passes is `ModelUnavailable`, what stays is `model_refused`. */
export async function answered<Answer>(model: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof KnowHubError || !(error instanceof Error)) throw error;
    const message = `${model}: ${error.name}: ${error.message}`;
    if (isUnclear(error) || PASSING.has(error.name) || NO_ANSWER.test(error.message))
      throw new ModelUnavailable(message, error);
    throw '$metadata' in error ? modelRefused(message, error) : error;
  }
}

/** A refusal's message; `''` of any other error. */
export const refusalOf = (error: unknown): string =>
  error instanceof Error && error.name === 'ValidationException' ? error.message : '';
