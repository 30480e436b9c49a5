import { expect } from 'vitest';
import { ROUTES } from '#lib/runtime/routes.ts';
import { apiOf, type Request } from '#test/support/api.ts';
import { knowledgeBase } from '#test/support/instance.ts';

/** The header of a caller who has the scope `org:a`. */
export const SCOPE_A = { 'x-knowhub-scopes': 'org:a' };

/** A knowledge base in memory and its API. */
export function apiWorld() {
  const base = knowledgeBase();
  const api = apiOf(base.instance);
  /** The reply's body, held to the schema and status of its route; `of` is that route's path, where it has parameters. */
  const ok = async <Body = unknown>(
    method: string,
    path: string,
    request: Request = {},
    of = path,
  ): Promise<Body> => {
    const route = ROUTES.find((each) => each.method === method && each.path === of);
    const answer = await api.call(method, path, request);
    expect([route?.path, api.faults]).toEqual([of, []]);
    expect([route?.status, route?.also?.status]).toContain(answer.status);
    expect(answer.headers['x-request-id']).toMatch(/\S/);
    return (route!.output ? route!.output.parse(answer.body) : answer.text) as Body;
  };
  return { base, api, ok };
}
