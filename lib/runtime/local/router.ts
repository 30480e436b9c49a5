import type { GatewayEvent } from '#lib/runtime/http.ts';
import type { RouteWiring } from '#lib/runtime/local/template.ts';
import { matchPath } from '#lib/runtime/router.ts';

const DEFAULT = '$default';

/** Which function API Gateway gives a request to: the route that fits most exactly, else the default route. */
export function createRouteTable(
  routes: readonly RouteWiring[],
): (event: GatewayEvent) => string | undefined {
  const table = routes
    .filter(({ key }) => key !== DEFAULT)
    .map(({ key, function: answers }) => {
      const [method = '', template = ''] = key.split(' ');
      return { method, template, answers, rank: rankOf(template) };
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const otherwise = routes.find(({ key }) => key === DEFAULT)?.function;
  return ({ rawPath, requestContext }) => {
    const { method } = requestContext.http;
    const found = table.find(
      (each) =>
        (each.method === method || each.method === 'ANY') && matchPath(each.template, rawPath) !== undefined,
    );
    return found?.answers ?? otherwise;
  };
}

/** A fixed part goes before a variable one, and that before one that takes all the rest. */
const rankOf = (template: string): string =>
  template
    .split('/')
    .map((part) => (!part.startsWith('{') ? '0' : part.endsWith('+}') ? '2' : '1'))
    .join('');
