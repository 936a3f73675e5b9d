/** A request about something that does not exist is 404, whatever else its body refers to. */
import { expect, test } from 'vitest';
import { requests } from '../access/shared/rules.ts';
import { distinctRoutes, routeName } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';

const UNKNOWN = 999_999;

/** Routes that change something that their path names by an id. */
const ROUTES = distinctRoutes.filter(
  ({ path, hasBody, root }) => /\{\w+_id\}|\{id\}/.test(path) && hasBody && root.field.name !== 'login',
);

/** The same value with unknown ids. */
const withUnknownIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? {}), (name, member) => (name.endsWith('_id') ? UNKNOWN : member));

describeEachEngine('a change of something that does not exist', (engine) => {
  const app = startApp(engine);
  const requestFor = requests(app, engine);

  test.each(ROUTES.map((route) => ({ name: routeName(route), route })))('$name', async ({ route }) => {
    const { body, headers = {} } = await requestFor(route);
    const path = route.path.replace('{org}', 'acme').replaceAll(/\{\w+\}/g, String(UNKNOWN));
    const response = await app.request(route.method, path, {
      as: 'ada',
      ...(body !== undefined && { body: withUnknownIds(body) }),
      headers,
    });
    expect(response.status, response.text).toBe(404);
  });

  test.each([{ items: [{ product_id: UNKNOWN, qty: 1 }] }, { items: [] }])(
    'the order of %j, also after its deletion',
    async (body) => {
      const { id } = await placeOrder(app);
      const put = () => app.put(`/v1/orders/${id}`, { as: 'ada', body });
      expect((await put()).status).toBe(422);
      await app.delete(`/v1/orders/${id}`, { as: 'ada' });
      expect((await put()).status).toBe(404);
    },
  );
});
