/** Members of users and orders that only the server sets: a change that names one is refused as a whole. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { addMember } from '../support/fixtures/members.ts';
import { placeOrder, TWO_LAMPS } from '../support/fixtures/orders.ts';

// The input is refused before any statement.
describeOnSqlite('members that only the server sets', (engine) => {
  const app = startApp(engine);
  const SERVER_OWNED = {
    id: 7,
    org: 'globex',
    owner: 1,
    total: 1,
    created_at: '2020-01-01T00:00:00.000Z',
    version: 9,
  };
  const newUser = async () => (await addMember(app, 'editor')).id;
  const newOrder = async () => (await placeOrder(app)).id;

  describe.each([
    { method: 'PATCH', collection: '/v1/orgs/acme/users', valid: { role: 'viewer' }, make: newUser },
    { method: 'PATCH', collection: '/v1/users', valid: { name: 'Other' }, make: newUser },
    { method: 'PATCH', collection: '/v1/orders', valid: { status: 'cancelled' }, make: newOrder },
    { method: 'PUT', collection: '/v1/orders', valid: { items: TWO_LAMPS }, make: newOrder },
  ])('$method $collection/{id}', ({ method, collection, valid, make }) => {
    test.each(Object.entries(SERVER_OWNED))(
      'with %s returns 422, and nothing changes',
      async (name, value) => {
        const id = await make();
        const look = async () =>
          (await app.get(`${collection.replace('/orgs/acme', '')}/${id}`, { as: 'ada' })).text;
        const before = await look();
        const response = await writesNothing(app, () =>
          app.request(method, `${collection}/${id}`, { as: 'ada', body: { ...valid, [name]: value } }),
        );
        expectError(response, { status: 422, code: 'validation_failed', paths: [name] });
        expect(await look()).toBe(before);
      },
    );
  });
});
