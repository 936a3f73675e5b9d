/** The refusal of a body lists the problems of all its values: wrong types and violated constraints alike. */
import { expect, test } from 'vitest';
import { distinctRoutes, routeName, streamRoutes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type Fault, faultsOf, placesIn, withFault } from '../support/inputs/invalid-values.ts';
import { operations } from '../support/openapi.ts';

/** An invalid value for each value of a body that has no others in it: one that violates only a constraint, if there is one. */
function faultsIn(name: string): Fault[] {
  const { requestBody } = operations.find((each) => each.name === name)?.operation ?? {};
  const places = placesIn(requestBody?.content['application/json']?.schema ?? {});
  const isInside = (inner: Fault['path'], outer: Fault['path']) =>
    inner.length > outer.length && outer.every((step, index) => inner[index] === step);
  const innermost = places.filter(({ path: outer }) => !places.some(({ path }) => isInside(path, outer)));
  return innermost.flatMap((place) => {
    // Amounts, formats and lists of values are checked by the operation itself, which does not run if there are other problems.
    const { enum: _, format: __, ...constraints } = place.schema;
    const schema = place.types.includes('number') ? {} : constraints;
    return faultsOf({ ...place, schema }).findLast(({ value }) => value !== undefined) ?? [];
  });
}

/** The path of a route, with values for its parameters. */
const filled = (path: string): string =>
  path
    .replace('{org}', 'acme')
    .replace(/\{\w*token\}/, 'x'.repeat(43))
    .replaceAll(/\{\w+\}/g, '1');

const UNSIGNED = distinctRoutes.filter(({ signed }) => !signed);
const CASES = UNSIGNED.filter(({ hasBody }) => hasBody)
  .map((route) => ({ name: routeName(route), route, faults: faultsIn(routeName(route)) }))
  .filter(({ faults }) => faults.length > 0);

describeEachEngine(
  'a body whose values are all wrong',
  (engine) => {
    const app = startApp(engine);

    test.each(CASES)('of $name', async ({ route: { method, path }, faults }) => {
      const invalid = faults.reduce<unknown>(
        (valid, fault) => withFault(valid, { ...fault, alone: false }),
        {},
      );
      const { status, body } = await app.request<ErrorBody>(method, filled(path), {
        as: 'ada',
        body: invalid,
      });
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      const paths = faults.map((fault) => fault.path.join('.'));
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
