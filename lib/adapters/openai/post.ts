import { modelRefused } from '#lib/adapters/model-refused.ts';
import { ModelUnavailable } from '#lib/core/errors.ts';

interface Endpoint {
  url: string;
  key?: string | undefined;
  timeout_ms: number;
}

/** A server's 4xx about what it was asked, before it is known whether asking otherwise helps. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Statuses that say "ask otherwise"; other 4xx say that asking does not help. */
const ASK_OTHERWISE = new Set([400, 413, 422]);
/** 408, 409 (Ollama while it loads), 425 and 429 pass. */
const PASSING = new Set([408, 409, 425, 429]);

/** Posts JSON and returns the reply's. Throws `ModelUnavailable`, `Refusal` and `model_refused`. */
export async function post(
  { url, key, timeout_ms }: Endpoint,
  route: string,
  body: object,
): Promise<unknown> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(url + route, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeout_ms),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    throw new ModelUnavailable(`${url}${route}: ${String(error)}`, error);
  }
  const problem = `${url}${route}: ${status} ${text.slice(0, 300)}`;
  if (status >= 500 || PASSING.has(status)) throw new ModelUnavailable(problem);
  if (ASK_OTHERWISE.has(status)) throw new Refusal(problem);
  if (status < 200 || status >= 300) throw modelRefused(problem);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelUnavailable(problem, error);
  }
}
