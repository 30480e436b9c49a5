import { type Route, route } from '#lib/runtime/route.ts';
import { ByDomain, Nothing } from '#lib/runtime/routes/fields.ts';
import { RecomputeRequested, requestRecompute } from '#lib/usecases/request-recompute.ts';

/** `/api/domains`, what changes them. */
export const domainChanges: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/domains/{id}/recompute',
    function: 'upload',
    summary: "Have a domain's text written again",
    status: 202,
    params: ByDomain,
    body: Nothing,
    output: RecomputeRequested,
    use_case:
      (instance) =>
      (caller, { params }) =>
        requestRecompute(instance)(caller, params.id),
  }),
];
