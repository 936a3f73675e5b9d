/** The refusal of a body lists the problems of all its values: wrong types and violated constraints alike. */
import {
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { constraintOf } from '../../src/graphql/directives/constraint.ts';
import type { Route } from '../../src/rest/compile/route.ts';
import { snakeCase } from '../../src/rest/compile/spelling.ts';
import { fillingsOf } from '../../src/rest/handle/arguments.ts';
import { distinctRoutes, routeName, schema, streamRoutes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';

/** A part of the schema that a value of the body fills. */
type Input = Parameters<typeof constraintOf>[1];

/** A value for an input, and the paths of its problems. */
interface Wrong {
  readonly value: unknown;
  readonly paths: readonly string[];
}

const isOfType = (type: GraphQLInputType, name: string): boolean => isScalarType(type) && type.name === name;

/** A value that violates only a constraint, if there is one that a value of the type can violate; undefined otherwise. */
function outOfBounds(input: Input, type: GraphQLInputType): unknown {
  const { min, max, minLength, maxLength } = constraintOf(schema, input) ?? {};
  if (isOfType(type, 'Int')) return min != null ? min - 1 : max != null ? max + 1 : undefined;
  if (!isOfType(type, 'String')) return undefined;
  if (minLength != null) return '';
  return maxLength != null ? 'x'.repeat(maxLength + 1) : undefined;
}

/** Members of lists and objects that contain their own type are left out. */
function wrong(input: Input, given: GraphQLInputType, path: string, above: readonly unknown[] = []): Wrong {
  const type = getNullableType(given);
  if (isListType(type)) {
    const { value, paths } = wrong({ ...input, astNode: null }, type.ofType, `${path}.0`, above);
    return { value: [value], paths };
  }
  if (isOfType(type, 'JSON')) return { value: {}, paths: [] };
  if (!isInputObjectType(type)) {
    const value = outOfBounds(input, type);
    // A list is no value of any scalar or enum.
    return { value: value === undefined ? [] : value, paths: [path] };
  }
  const members = Object.values(type.getFields()).filter(
    (field) => isRequiredInputField(field) || !above.includes(getNullableType(field.type)),
  );
  const parts = members.map((field) => {
    const name = snakeCase(field.name);
    return { name, ...wrong(field, field.type, path === '' ? name : `${path}.${name}`, [...above, type]) };
  });
  return {
    value: Object.fromEntries(parts.map(({ name, value }) => [name, value])),
    paths: parts.flatMap(({ paths }) => paths),
  };
}

/** The argument, or the member of an argument, at a path of a route's root field. */
function inputAt({ root: { field } }: Route, path: string): Input {
  const [first, ...others] = path.split('.');
  let input: Input = field.args.find(({ name }) => name === first) ?? expect.unreachable();
  for (const name of others) {
    const type = getNullableType(input.type);
    input = (isInputObjectType(type) ? type.getFields()[name] : undefined) ?? expect.unreachable();
  }
  return input;
}

/** A body all of whose values are wrong. */
function wrongBody(route: Route): Wrong {
  const parts = fillingsOf(route.root.node).flatMap(({ path, node }) => {
    const variable = route.variables.find(({ name }) => name === node.name.value);
    if (!variable?.source.startsWith('body') || !isInputType(variable.type)) return [];
    const name = variable.source === 'body' ? '' : variable.name;
    return [{ name, ...wrong(inputAt(route, path), variable.type, name) }];
  });
  const [whole] = parts;
  if (whole?.name === '') return whole;
  return {
    value: Object.fromEntries(parts.map(({ name, value }) => [name, value])),
    paths: parts.flatMap(({ paths }) => paths),
  };
}

/** The path of a route, with values for its parameters. */
const filled = (path: string): string =>
  path
    .replace('{org}', 'acme')
    .replace(/\{\w*token\}/, 'x'.repeat(43))
    .replaceAll(/\{\w+\}/g, '1');

const UNSIGNED = distinctRoutes.filter(({ signed }) => !signed);
const ROUTES = UNSIGNED.filter(({ hasBody }) => hasBody);
const CASES = ROUTES.map((route) => ({ name: routeName(route), route, body: wrongBody(route) })).filter(
  ({ body }) => body.paths.length > 0,
);

describeEachEngine(
  'a body whose values are all wrong',
  (engine) => {
    const app = startApp(engine);

    test.each(CASES)('of $name', async ({ route: { method, path }, body: { value, paths } }) => {
      const { status, body } = await app.request<ErrorBody>(method, filled(path), { as: 'ada', body: value });
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      expect(body.error.details?.map((detail) => detail.path).toSorted()).toEqual(paths.toSorted());
    });

    test.each([
      ['types and constraints', '/v1/users/1/orders', ['items.0.product_id', 'items.0.qty', 'items.1.qty']],
      // The code is that of the first problem.
      [
        'the path as well',
        '/v1/users/x/orders',
        ['user_id', 'items.0.product_id', 'items.0.qty', 'items.1.qty'],
      ],
    ])('of two lines, with %s', async (_, path, expected) => {
      const items = [
        { product_id: -4, qty: 99_999 },
        { product_id: 1, qty: 0 },
      ];
      const { status, body } = await app.post<ErrorBody>(path, { as: 'ada', body: { items } });
      expect(status).toBe(path.includes('/x/') ? 400 : 422);
      expect(body.error.details?.map((detail) => detail.path)).toEqual(expected);
    });

    test('is refused together with the parameters of its query', async () => {
      const { status, body } = await app.get<ErrorBody>('/v1/users/1/orders?limit=0&page=0&status=lost&x=1', {
        as: 'ada',
      });
      expect([status, body.error.code]).toEqual([400, 'unknown_parameter']);
      expect(body.error.details?.map((detail) => detail.path)).toEqual(['x', 'status', 'page', 'limit']);
    });
  },
  'sqlite',
);

const UNKNOWN = ['fooBar', 'FOO', 'foo_bar'];

const DOORS = [
  ...UNSIGNED.map((route) => ({
    ...route,
    name: routeName(route),
    accept: 'application/json',
    // Only streams have it.
    unknown: [...UNKNOWN, 'lastEventId'],
  })),
  ...streamRoutes.map(({ path }) => ({
    method: 'GET',
    path,
    name: `the stream ${path}`,
    accept: 'text/event-stream',
    unknown: UNKNOWN,
  })),
];

describeEachEngine(
  'parameters that a route does not have',
  (engine) => {
    const app = startApp(engine);

    test.each(DOORS)('$name names them as they were sent', async ({ method, path, accept, unknown }) => {
      const url = `${filled(path)}?${unknown.map((name) => `${name}=1`).join('&')}`;
      const { status, body } = await app.request<ErrorBody>(method, url, { as: 'ada', headers: { accept } });
      expect([status, body.error.code]).toEqual([400, 'unknown_parameter']);
      expect(body.error.details?.map((detail) => detail.path)).toEqual(expect.arrayContaining(unknown));
    });
  },
  'sqlite',
);
