/** The committed openapi.json is up to date and valid. `npm run suites` runs linters on it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { FILLER } from '../../src/rest/openapi/components.ts';
import { createOpenApi } from '../../src/rest/openapi/index.ts';
import { routes, schema, streamRoutes } from '../support/api.ts';
import { ROOT } from '../support/process.ts';

const document = createOpenApi(schema, routes, streamRoutes)();
const text = `${JSON.stringify(document, null, 2)}\n`;

test('openapi.json is up to date', () => {
  const committed = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
  expect(committed === text, 'run `npm run openapi` and review the changes').toBe(true);
});

test('openapi.json is valid against the meta-schema of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test('openapi.json has meaningful examples: every string has an @example in the SDL', () => {
  expect(text.match(new RegExp(`.*"${FILLER}\\.*".*`, 'g')) ?? []).toEqual([]);
});

test('every integer in a query begins at 1, as the message for an invalid one says', () => {
  const integers = routes.flatMap(({ path, variables }) =>
    variables
      .filter(({ source, type }) => source === 'query' && String(type).startsWith('Int'))
      .map(({ name }) => ({ path, name })),
  );
  expect(integers.length).toBeGreaterThan(5);
  for (const { path, name } of integers) {
    const parameters = Object(document.paths[path])['get'].parameters as { name?: string; schema?: object }[];
    expect(parameters.find((each) => each.name === name)?.schema, `${name} of ${path}`).toMatchObject({
      minimum: 1,
    });
  }
});

test('descriptions of operations do not contradict their responses, though GraphQL has the same ones', () => {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description = '', responses }]) => ({
      name: `${method} ${path}`,
      description,
      hasBody: !('204' in responses),
    })),
  );
  expect(all.filter(({ description }) => description.length > 0).length).toBeGreaterThan(100);
  // What is null in GraphQL is 404 in REST.
  expect(all.filter(({ description }) => /\bnull\b/i.test(description))).toEqual([]);
  expect(all.filter(({ description, hasBody }) => !hasBody && /\breturns\b/i.test(description))).toEqual([]);
});

test('openapi.json has Retry-After for each 503', () => {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const response = responses['503'];
      return response ? [{ name: `${method} ${path}`, response }] : [];
    }),
  );
  expect(found.length).toBeGreaterThan(50);
  const lacking = found.filter(({ response }) => {
    const name = '$ref' in response ? response.$ref.split('/').at(-1) : undefined;
    const { headers } = name === undefined ? Object(response) : Object(document.components.responses[name]);
    return headers?.['Retry-After'] === undefined;
  });
  expect(lacking.map(({ name }) => name)).toEqual([]);
});
