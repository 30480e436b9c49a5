import * as z from 'zod';
import { SCOPES_HEADER, Scopes } from '#lib/runtime/caller.ts';
import { ERROR_ANSWERS, ErrorBody, INTERNAL } from '#lib/runtime/errors.ts';
import type { Route } from '#lib/runtime/route.ts';

type Json = Record<string, unknown>;

/** OpenAPI 3.1 of the routes: its schemas are JSON Schema 2020-12, as zod writes it. */
export function openapiOf(routes: readonly Route[]): Json & { openapi: string } {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace('+}', '}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'KnowHub',
      version: '1',
      description: 'A knowledge base for AI agents that admits nothing twice and tells nothing twice.',
    },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      responses: {
        Error: {
          description: `A fault. Codes: ${[...Object.keys(ERROR_ANSWERS), INTERNAL.code].join(', ')}.`,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      parameters: {
        Scopes: {
          name: SCOPES_HEADER,
          in: 'header',
          description: "The caller's scopes, by commas. Under JWT they come from the token alone.",
          schema: { type: 'string' },
        },
      },
    },
  };
}

function operation(route: Route): Json {
  const statuses = [route.status, ...(route.also ? [route.also.status] : [])];
  const replies = statuses.map((status) => [String(status), reply(route)]);
  return {
    operationId: operationId(route),
    summary: route.summary,
    parameters: parametersOf(route),
    ...(route.body && { requestBody: bodyOf(route, route.body) }),
    responses: {
      ...Object.fromEntries(replies),
      '4XX': { $ref: '#/components/responses/Error' },
      '5XX': { $ref: '#/components/responses/Error' },
    },
  };
}

/** `getApiKnowledgeById` */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/^\{(\w+)\+?\}$/, 'by-$1'))
    .flatMap((part) => part.split(/[-.]/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

function parametersOf(route: Route): Json[] {
  const stated = route.caller_scopes === 'query' ? z.strictObject({ scopes: Scopes.optional() }) : undefined;
  return [
    ...parametersIn('path', route.params),
    ...parametersIn('query', route.query),
    ...parametersIn('query', stated),
    { $ref: '#/components/parameters/Scopes' },
  ];
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function bodyOf(route: Route, body: z.ZodType): Json {
  const type = route.body_format === 'lines' ? 'application/x-ndjson' : 'application/json';
  // What needs no field needs no body.
  const required = !body.safeParse({}).success;
  return { required, content: { [type]: { schema: schemaOf(body, 'input') } } };
}

function reply({ output, media = 'application/json', summary }: Route): Json {
  if (!output) return { description: summary };
  return { description: summary, content: { [media]: { schema: schemaOf(output, 'output') } } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  // What JSON Schema cannot say (a check in code) is left out of it; the routes still make the check.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return rest;
}
