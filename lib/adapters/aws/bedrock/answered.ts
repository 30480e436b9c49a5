import { isUnclear } from '#lib/adapters/aws/service-errors.ts';
import { modelRefused } from '#lib/adapters/model-refused.ts';
import { KnowHubError, ModelUnavailable } from '#lib/core/errors.ts';

/** Come with a 4xx, and pass all the same. */
const PASSING = new Set(['ModelErrorException', 'ModelNotReadyException', 'ServiceQuotaExceededException']);

/** Makes a call to a model of Bedrock: what passes is `ModelUnavailable`, what stays is `model_refused`. */
export async function answered<Answer>(model: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof KnowHubError || !(error instanceof Error)) throw error;
    const message = `${model}: ${error.name}: ${error.message}`;
    // The SDK's HTTP/2 errors have no code.
    if (isUnclear(error) || PASSING.has(error.name) || /HTTP\/2/.test(error.message))
      throw new ModelUnavailable(message, error);
    throw '$metadata' in error ? modelRefused(message, error) : error;
  }
}

/** A refusal's message; `''` of any other error. */
export const refusalOf = (error: unknown): string =>
  error instanceof Error && error.name === 'ValidationException' ? error.message : '';
