/**
 * Texts that can be no cursor are refused as one that was changed, by every list, on every door. The lists are derived from the routes and
 * the schema.
 */
import { isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createFixtures } from '../access/shared/fixtures.ts';
import { callOf, requestOf } from '../access/shared/rules.ts';
import { routeName, routes, schema, streamRoutes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';

const CURSORS = { empty: '', 'too long': 'x'.repeat(513), 'with U+0000': 'x\0' };

const lists = routes.filter(({ variables }) => variables.some(({ name }) => name === 'cursor'));

/** Operations for fields that need more arguments than an organisation. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'Query.webhookDeliveries':
    'query ($after: String, $webhook: ID!) { webhookDeliveries(webhookId: $webhook, after: $after) { endCursor } }',
  'Query.refunds':
    'query ($after: String, $charge: ID!) { refunds(chargeId: $charge, after: $after) { endCursor } }',
  'Document.history':
    'query ($after: String) { document(org: "acme", id: 1) { history(after: $after) { endCursor } } }',
  'Order.history': 'query ($after: String) { order(id: 1) { history(after: $after) { endCursor } } }',
  'Charge.history':
    'query ($after: String, $charge: ID!) { charge(id: $charge) { history(after: $after) { endCursor } } }',
  'Subscription.activity': 'subscription ($after: String) { activity(after: $after) { id } }',
  'Subscription.orderChanged': 'subscription ($after: String) { orderChanged(id: 1, after: $after) { id } }',
};

/** Every other list is a field of `Query`, for the caller's organisation or the given one. */
function operationFor(field: string, argument: string): string {
  const [type, name = ''] = field.split('.');
  const list = type === 'Query' ? schema.getQueryType()?.getFields()[name] : undefined;
  const org = list?.args.some((arg) => arg.name === 'org') ? 'org: "acme", ' : '';
  const operation =
    OPERATIONS[field]?.replace('after: $after', `${argument}: $after`) ??
    (list && `query ($after: String) { ${name}(${org}${argument}: $after) { endCursor } }`);
  if (!operation) throw new Error(`Write an operation for ${field}.`);
  return operation;
}

/** The cursor arguments of the fields of the schema; a page before a cursor needs its size. */
const inGraph = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap(({ name, args }) =>
      [
        { cursor: 'after', argument: 'after' },
        { cursor: 'before', argument: 'last: 1, before' },
      ]
        .filter(({ cursor }) => args.some((arg) => arg.name === cursor))
        .map(({ cursor, argument }) => ({ field: `${type.name}.${name}`, cursor, argument })),
    ),
  );

// Cursors are read before any statement that they are for.
describeOnSqlite('a text that is no cursor', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);

  test.each(lists.map((route) => [routeName(route), route] as const))(
    '%s returns 400',
    async (_name, route) => {
      const { path } = requestOf(route, await callOf(route, fixtures));
      for (const [kind, cursor] of Object.entries(CURSORS)) {
        const query = `?cursor=${encodeURIComponent(cursor)}`;
        const { status, body } = await app.get<ErrorBody>(path + query, { as: 'ada' });
        expect([status, body.error.code], kind).toEqual([400, 'invalid_cursor']);
      }
    },
  );

  test.each(streamRoutes.map(({ path }) => path))('GET %s as a stream returns 400', async (path) => {
    for (const [kind, cursor] of Object.entries(CURSORS)) {
      const query = `?cursor=${encodeURIComponent(cursor)}`;
      const headers = { accept: 'text/event-stream' };
      const { status, body } = await app.get<ErrorBody>(path + query, { as: 'ada', headers });
      expect([status, body.error.code], kind).toEqual([400, 'invalid_cursor']);
    }
  });

  describe('in the graph', () => {
    test.each(inGraph)('$field($cursor:) returns invalid_cursor', async ({ field, argument }) => {
      const query = operationFor(field, argument);
      const ids = {
        ...(query.includes('$webhook') && { webhook: await fixtures.webhook() }),
        ...(query.includes('$charge') && { charge: await fixtures.charge() }),
      };
      for (const [kind, after] of Object.entries(CURSORS)) {
        const variables = { ...ids, after };
        if (!query.startsWith('subscription')) {
          const response = await app.graphql(query, variables, { as: 'ada' });
          expect(codesOf(response), kind).toEqual(['invalid_cursor']);
          continue;
        }
        const { text } = await app.post('/graphql', {
          as: 'ada',
          body: { query, variables },
          headers: { accept: 'text/event-stream' },
        });
        expect(text, kind).toContain('"invalid_cursor"');
      }
    });
  });
});
