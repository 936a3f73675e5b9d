/** An empty cursor is no cursor of any list: it is refused on every door. The lists are read off the routes and the schema. */
import { isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createGround } from '../support/access-ground.ts';
import { ROUTE_CALLS } from '../support/access-rules.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { routeName, routes, schema, streamRoutes } from '../support/operations.ts';

const lists = routes.filter(({ variables }) => variables.some(({ name }) => name === 'cursor'));

/** Every field with `after`, and an operation that asks for it. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'Query.feed': 'query ($after: String) { feed(after: $after) { endCursor } }',
  'Query.apiKeys': 'query ($after: String) { apiKeys(after: $after) { endCursor } }',
  'Query.clientCertificates': 'query ($after: String) { clientCertificates(after: $after) { endCursor } }',
  'Query.auditLog': 'query ($after: String) { auditLog(after: $after) { endCursor } }',
  'Query.operationUses': 'query ($after: String) { operationUses(after: $after) { endCursor } }',
  'Query.deprecatedUses': 'query ($after: String) { deprecatedUses(after: $after) { endCursor } }',
  'Query.apps': 'query ($after: String) { apps(after: $after) { endCursor } }',
  'Query.grants': 'query ($after: String) { grants(after: $after) { endCursor } }',
  'Query.installations': 'query ($after: String) { installations(after: $after) { endCursor } }',
  'Query.organisationOrders': 'query ($after: String) { organisationOrders(after: $after) { endCursor } }',
  'Query.sessions': 'query ($after: String) { sessions(after: $after) { endCursor } }',
  'Query.invitations': 'query ($after: String) { invitations(org: "acme", after: $after) { endCursor } }',
  'Query.charges': 'query ($after: String) { charges(after: $after) { endCursor } }',
  'Query.documents': 'query ($after: String) { documents(org: "acme", after: $after) { endCursor } }',
  'Query.members': 'query ($after: String) { members(org: "acme", after: $after) { endCursor } }',
  'Query.products': 'query ($after: String) { products(after: $after) { endCursor } }',
  'Query.webhooks': 'query ($after: String) { webhooks(after: $after) { endCursor } }',
  'Query.webhookDeliveries':
    'query ($after: String, $webhook: ID!) { webhookDeliveries(webhookId: $webhook, after: $after) { endCursor } }',
  'Document.history':
    'query ($after: String) { document(org: "acme", id: 1) { history(after: $after) { endCursor } } }',
  'Order.history': 'query ($after: String) { order(id: 1) { history(after: $after) { endCursor } } }',
  'Charge.history':
    'query ($after: String, $charge: ID!) { charge(id: $charge) { history(after: $after) { endCursor } } }',
  'Subscription.activity': 'subscription ($after: String) { activity(after: $after) { id } }',
  'Subscription.orderChanged': 'subscription ($after: String) { orderChanged(id: 1, after: $after) { id } }',
};

const withAfter = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ args }) => args.some(({ name }) => name === 'after'))
      .map(({ name }) => `${type.name}.${name}`),
  );

describeEachEngine('an empty cursor', (engine) => {
  const app = startApp(engine);
  const ground = createGround(app, engine);

  test.each(lists.map((route) => [routeName(route), route] as const))('%s: 400', async (name, route) => {
    const call = await (ROUTE_CALLS[name] ?? ROUTE_CALLS[name.replace(' /v2/', ' /v1/')])?.(ground);
    const path = route.path.replace(/\{(\w+)\}/g, (_, each: string) => String(call?.params?.[each]));
    const { status, body } = await app.get<ErrorBody>(`${path}?cursor=`, { as: 'ada' });
    expect([status, body.error.code]).toEqual([400, 'invalid_cursor']);
  });

  test.each(streamRoutes.map(({ path }) => path))('GET %s as a stream: 400', async (path) => {
    const answer = await app.get<ErrorBody>(`${path}?cursor=`, {
      as: 'ada',
      headers: { accept: 'text/event-stream' },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_cursor']);
  });

  describe('in the graph', () => {
    test.each(withAfter)('%s: invalid_cursor', async (field) => {
      const query = OPERATIONS[field];
      if (!query) throw new Error(`Write an operation for ${field}.`);
      const variables = {
        after: '',
        ...(query.includes('$webhook') && { webhook: await ground.webhook() }),
        ...(query.includes('$charge') && { charge: await ground.charge() }),
      };
      if (!query.startsWith('subscription')) {
        expect(codesOf(await app.graphql(query, variables, { as: 'ada' }))).toEqual(['invalid_cursor']);
        return;
      }
      const { text } = await app.post('/graphql', {
        as: 'ada',
        body: { query, variables },
        headers: { accept: 'text/event-stream' },
      });
      expect(text).toContain('"invalid_cursor"');
    });
  });
});
