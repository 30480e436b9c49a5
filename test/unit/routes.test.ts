import { expect, test } from 'vitest';
import * as z from 'zod';
import { openapiOf } from '#lib/runtime/openapi.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import { UPLOAD_ROUTES } from '#lib/runtime/upload-routes.ts';

test('API: the table has the routes of the specification, each at its function', () => {
  const table = ROUTES.map((route) => `${route.function} ${route.method} ${route.path}`).sort();
  expect(table).toEqual(
    [
      'upload POST /api/knowledge',
      'lookup GET /api/knowledge',
      'lookup GET /api/knowledge/search',
      'lookup GET /api/knowledge/pending',
      'upload POST /api/knowledge/process',
      'lookup GET /api/knowledge/status/{id}',
      'lookup GET /api/knowledge/{id}',
      'upload DELETE /api/knowledge/{id}',
      'upload POST /api/knowledge/{id}/review',
      'upload POST /api/knowledge/import',
      'upload POST /api/documents',
      'upload POST /api/documents/uploads',
      'lookup GET /api/documents',
      'lookup GET /api/documents/{path+}',
      'upload DELETE /api/documents/{path+}',
      'lookup GET /api/domains',
      'upload POST /api/domains/{id}/recompute',
      'lookup GET /api/knowledge-map',
      'lookup GET /api/relations',
      'lookup GET /api/relations/{type}',
      'lookup GET /api/prompts/{role}',
      'lookup POST /api/lookup',
      'lookup DELETE /api/sessions/{id}',
      'lookup GET /api/health',
      'lookup GET /api/openapi.json',
      'mcp POST /mcp',
      'mcp GET /mcp',
      'mcp DELETE /mcp',
    ].sort(),
  );
});

test('API: upload answers its routes of the table, all of them and no others', () => {
  expect(UPLOAD_ROUTES).toEqual(ROUTES.filter((route) => route.function === 'upload'));
});

test('API: a fixed path stands before one with a variable, so that it is found', () => {
  const at = (path: string) => ROUTES.findIndex((route) => route.method === 'GET' && route.path === path);
  for (const path of ['/api/knowledge/search', '/api/knowledge/pending'])
    expect(at(path)).toBeLessThan(at('/api/knowledge/{id}'));
});

test('API: the path’s variables are those of its schema', () => {
  for (const { path, params } of ROUTES) {
    const named = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
    const schema = params ? z.toJSONSchema(params, { io: 'input' }) : { properties: {} };
    expect([path, Object.keys(schema.properties ?? {})]).toEqual([path, named]);
  }
});

const Reference = z.strictObject({ $ref: z.string() });
const Content = z.record(z.string(), z.strictObject({ schema: z.record(z.string(), z.unknown()) }));
const Response = z.strictObject({ description: z.string().min(1), content: Content.optional() });
/** The part of OpenAPI 3.1 that is used, strictly. */
const OpenApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(
      z.enum(['get', 'post', 'delete']),
      z.strictObject({
        operationId: z.string().regex(/^[a-z]\w+$/),
        summary: z.string().min(1),
        parameters: z.array(
          z.union([
            Reference,
            z.strictObject({
              name: z.string(),
              in: z.enum(['path', 'query', 'header']),
              required: z.boolean(),
              schema: z.looseObject({ type: z.string() }),
            }),
          ]),
        ),
        requestBody: z.strictObject({ required: z.boolean(), content: Content }).optional(),
        responses: z.record(z.string().regex(/^\d{3}$|^[45]XX$/), z.union([Reference, Response])),
      }),
    ),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), z.looseObject({ type: z.string() })),
    responses: z.record(z.string(), Response),
    parameters: z.record(z.string(), z.looseObject({ name: z.string(), in: z.literal('header') })),
  }),
});

test('API: the contract is OpenAPI 3.1 and has every route with its parameters, its reply and the errors', () => {
  const contract = OpenApi.parse(openapiOf(ROUTES));
  for (const { method, path, status, output, body } of ROUTES) {
    const plain = path.replace('+', '');
    const operation = contract.paths[plain]?.[z.enum(['get', 'post', 'delete']).parse(method.toLowerCase())];
    expect([path, operation === undefined]).toEqual([path, false]);
    const inPath = operation!.parameters.flatMap((each) =>
      'in' in each && each.in === 'path' ? [each] : [],
    );
    expect(inPath.map(({ name, required }) => [`{${name}}`, required])).toEqual(
      (plain.match(/\{\w+\}/g) ?? []).map((variable) => [variable, true]),
    );
    const reply = operation!.responses[status];
    expect([path, reply !== undefined && 'content' in reply && reply.content !== undefined]).toEqual([
      path,
      output !== undefined,
    ]);
    expect(operation!.requestBody !== undefined).toBe(body !== undefined);
    for (const errors of ['4XX', '5XX'])
      expect(operation!.responses[errors]).toEqual({ $ref: '#/components/responses/Error' });
  }
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  expect(operations).toHaveLength(ROUTES.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ROUTES.length);
});

test('API: every reference in the contract leads somewhere', () => {
  const contract: unknown = openapiOf(ROUTES);
  const references = [...JSON.stringify(contract).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  expect(references.length).toBeGreaterThan(0);
  for (const path of new Set(references)) {
    const target = path.split('/').reduce<unknown>((at, name) => Reflect.get(Object(at), name), contract);
    expect([path, typeof target]).toEqual([path, 'object']);
  }
});
