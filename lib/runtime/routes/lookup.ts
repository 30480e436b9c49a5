import * as z from 'zod';
import { LookupReply } from '#lib/core/lookup-reply.ts';
import { LookupInput } from '#lib/core/lookup-request.ts';
import { meterLookup } from '#lib/runtime/metrics.ts';
import { type Route, route } from '#lib/runtime/route.ts';
import { ByRole } from '#lib/runtime/routes/fields.ts';
import { agentPrompt } from '#lib/usecases/agent-prompt.ts';
import { endSession } from '#lib/usecases/end-session.ts';
import { Health, health } from '#lib/usecases/health.ts';
import { lookup } from '#lib/usecases/lookup.ts';

/** What agents call, and what says how the system is. */
export const lookupRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/lookup',
    function: 'lookup',
    summary: 'Look knowledge up: keywords first, then meaning; told once a session',
    status: 200,
    caller_scopes: 'body',
    body: LookupInput,
    output: LookupReply,
    use_case:
      (instance) =>
      (caller, { body, request_id }) =>
        lookup(instance)(caller, { request_id, ...body }),
    metered: (meter, reply, { body }) => meterLookup(meter, reply, body.domain),
  }),
  route({
    method: 'DELETE',
    path: '/api/sessions/{id}',
    function: 'lookup',
    summary: "Forget the caller's session",
    status: 204,
    params: z.strictObject({ id: z.string().min(1).max(256) }),
    use_case:
      (instance) =>
      (caller, { params }) =>
        endSession(instance)(caller, { session_id: params.id }),
  }),
  route({
    method: 'GET',
    path: '/api/prompts/{role}',
    function: 'lookup',
    summary: "The Planner's or the Executor's prompt with the map in it",
    status: 200,
    caller_scopes: 'query',
    media: 'text/plain',
    params: ByRole,
    query: z.strictObject({ session_id: z.string().min(1).max(256).optional() }),
    output: z.string(),
    use_case:
      (instance) =>
      (caller, { params, query }) =>
        agentPrompt(instance)(params.role, caller, query.session_id),
  }),
  route({
    method: 'GET',
    path: '/api/health',
    function: 'lookup',
    summary: 'What works and what does not',
    status: 200,
    output: Health,
    use_case: (instance) => () => health(instance)(),
  }),
];
