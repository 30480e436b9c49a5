import { KnowHubError } from '#lib/core/errors.ts';

/** A model that is there and says no: access, set-up or input are at fault, and waiting does not help. */
export const modelRefused = (message: string, cause?: unknown): KnowHubError =>
  new KnowHubError('model_refused', message, { cause });
