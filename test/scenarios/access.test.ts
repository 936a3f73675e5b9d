/**
 * Who may do what: every root field of the graph and every route, for every kind of caller. What is added to the schema or
 * the routes has to be added to the tables, and a request for it to `support/access-…-calls.ts`, or this fails.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { GRAPH_CALLS, type GraphCall } from '../support/access-graph-calls.ts';
import { addApiKey, createGround, type Ground } from '../support/access-ground.ts';
import { ROUTE_CALLS, type RouteCall } from '../support/access-route-calls.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { rootFields, routeName, routes } from '../support/operations.ts';

/**
 * admin, editor and viewer are of acme, and so is what they ask for, except where a request names nothing. `other` is the
 * admin of another organisation, `narrowed` acme's admin with a token for read:orders, `expired` the same with a full
 * token that has ended, `nobody` has no credentials.
 */
const GRAPH = table(`
  field                   | admin | editor | viewer    | other     | narrowed  | expired | nobody
  ----------------------- | ----- | ------ | --------- | --------- | --------- | ------- | ------
  Query.me                | ok    | ok     | ok        | ok        | scope     | expired | sign in
  Query.user              | ok    | ok     | ok        | forbidden | scope     | expired | sign in
  Query.members           | ok    | ok     | ok        | forbidden | scope     | expired | sign in
  Query.order             | ok    | ok     | ok        | forbidden | ok        | expired | sign in
  Query.orders            | ok    | ok     | ok        | forbidden | ok        | expired | sign in
  Query.product           | ok    | ok     | ok        | forbidden | ok        | expired | sign in
  Query.products          | ok    | ok     | ok        | ok        | ok        | expired | sign in
  Mutation.login          | ok    | ok     | ok        | ok        | ok        | ok      | ok
  Mutation.refreshSession | ok    | ok     | ok        | ok        | ok        | ok      | ok
  Mutation.logout         | ok    | ok     | ok        | ok        | ok        | ok      | ok
  Mutation.updateUser     | ok    | ok     | forbidden | forbidden | forbidden | expired | sign in
  Mutation.createMember   | ok    | role   | role      | forbidden | scope     | expired | sign in
  Mutation.updateMember   | ok    | role   | role      | forbidden | scope     | expired | sign in
  Mutation.deleteMember   | ok    | role   | role      | forbidden | scope     | expired | sign in
  Query.document          | ok    | ok     | ok        | forbidden | scope     | expired | sign in
  Query.documents         | ok    | ok     | ok        | forbidden | scope     | expired | sign in
  Query.share             | ok    | ok     | forbidden | forbidden | scope     | expired | sign in
  Mutation.createDocument | ok    | ok     | scope     | forbidden | scope     | expired | sign in
  Mutation.updateDocument | ok    | ok     | forbidden | forbidden | scope     | expired | sign in
  Mutation.deleteDocument | ok    | role   | role      | forbidden | scope     | expired | sign in
  Mutation.createShare    | ok    | ok     | scope     | forbidden | scope     | expired | sign in
  Mutation.deleteShare    | ok    | ok     | scope     | forbidden | scope     | expired | sign in
  Query.feed              | ok    | ok     | ok        | ok        | scope     | expired | sign in
  Mutation.markFeedRead   | ok    | ok     | ok        | ok        | scope     | expired | sign in
  Query.apiKey            | ok    | role   | role      | forbidden | scope     | expired | sign in
  Query.apiKeys           | ok    | role   | role      | ok        | scope     | expired | sign in
  Mutation.createApiKey   | ok    | role   | role      | ok        | scope     | expired | sign in
  Mutation.revokeApiKey   | ok    | role   | role      | forbidden | scope     | expired | sign in
  Query.webhook           | ok    | role   | role      | forbidden | scope     | expired | sign in
  Query.webhooks          | ok    | role   | role      | ok        | scope     | expired | sign in
  Query.webhookDeliveries | ok    | role   | role      | forbidden | scope     | expired | sign in
  Mutation.createWebhook  | ok    | role   | role      | ok        | scope     | expired | sign in
  Mutation.updateWebhook  | ok    | role   | role      | forbidden | scope     | expired | sign in
  Mutation.deleteWebhook  | ok    | role   | role      | forbidden | scope     | expired | sign in
  Mutation.createWebhookSecret  | ok | role | role | forbidden | scope | expired | sign in
  Mutation.createWebhookAttempt | ok | role | role | forbidden | scope | expired | sign in
  Mutation.createOrder    | ok    | ok     | scope     | forbidden | scope     | expired | sign in
  Mutation.updateOrder    | ok    | ok     | scope     | forbidden | scope     | expired | sign in
  Mutation.deleteOrder    | ok    | ok     | scope     | forbidden | scope     | expired | sign in
  Query.charge            | ok    | ok     | ok        | forbidden | scope     | expired | sign in
  Query.charges           | ok    | ok     | ok        | ok        | scope     | expired | sign in
  Mutation.createCharge   | ok    | ok     | scope     | ok        | scope     | expired | sign in
  Mutation.refundCharge   | ok    | ok     | scope     | forbidden | scope     | expired | sign in
  Mutation.recordPaymentEvent | unsigned | unsigned | unsigned | unsigned | unsigned | unsigned | unsigned
  Mutation.recordStripeEvent  | unsigned | unsigned | unsigned | unsigned | unsigned | unsigned | unsigned
`);

/** The words of the table, and the codes they stand for. The user of updateUser is the editor. */
const CODES: Readonly<Record<string, string>> = {
  ok: 'ok',
  role: 'insufficient_role',
  scope: 'insufficient_scope',
  forbidden: 'forbidden',
  expired: 'token_expired',
  'sign in': 'unauthenticated',
  unsigned: 'invalid_signature',
};

/** Under /v2 the same holds for every route that is there, unless it has a line of its own. */
const ROUTES = table(`
  route                                                 | admin | editor | viewer | other | narrowed | expired | nobody
  ----------------------------------------------------- | ----- | ------ | ------ | ----- | -------- | ------- | ------
  POST   /v1/auth/login                                 | 200   | 200    | 200    | 200   | 200      | 200     | 200
  POST   /v1/auth/refresh                               | 200   | 200    | 200    | 200   | 200      | 200     | 200
  POST   /v1/auth/logout                                | 204   | 204    | 204    | 204   | 204      | 204     | 204
  GET    /v1/users/{user_id}                            | 200   | 200    | 200    | 403   | 403      | 401     | 401
  PATCH  /v1/users/{user_id}                            | 200   | 200    | 403    | 403   | 403      | 401     | 401
  GET    /v1/orgs/{org}/users                           | 200   | 200    | 200    | 403   | 403      | 401     | 401
  POST   /v1/orgs/{org}/users                           | 201   | 403    | 403    | 403   | 403      | 401     | 401
  PATCH  /v1/orgs/{org}/users/{user_id}                 | 200   | 403    | 403    | 403   | 403      | 401     | 401
  DELETE /v1/orgs/{org}/users/{user_id}                 | 204   | 403    | 403    | 403   | 403      | 401     | 401
  GET    /v1/orgs/{org}/docs                            | 200   | 200    | 200    | 403   | 403      | 401     | 401
  POST   /v1/orgs/{org}/docs                            | 201   | 201    | 403    | 403   | 403      | 401     | 401
  GET    /v1/orgs/{org}/docs/{doc_id}                   | 200   | 200    | 200    | 403   | 403      | 401     | 401
  PUT    /v1/orgs/{org}/docs/{doc_id}                   | 200   | 200    | 403    | 403   | 403      | 401     | 401
  PATCH  /v1/orgs/{org}/docs/{doc_id}                   | 200   | 200    | 403    | 403   | 403      | 401     | 401
  DELETE /v1/orgs/{org}/docs/{doc_id}                   | 204   | 403    | 403    | 403   | 403      | 401     | 401
  GET    /v1/orgs/{org}/docs/{doc_id}/shares            | 200   | 200    | 403    | 403   | 403      | 401     | 401
  POST   /v1/orgs/{org}/docs/{doc_id}/shares            | 201   | 201    | 403    | 403   | 403      | 401     | 401
  GET    /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}  | 200   | 200    | 403    | 403   | 403      | 401     | 401
  DELETE /v1/orgs/{org}/docs/{doc_id}/shares/{user_id}  | 204   | 204    | 403    | 403   | 403      | 401     | 401
  GET    /feed                                          | 200   | 200    | 200    | 200   | 403      | 401     | 401
  GET    /v1/api-keys                                   | 200   | 403    | 403    | 200   | 403      | 401     | 401
  POST   /v1/api-keys                                   | 201   | 403    | 403    | 201   | 403      | 401     | 401
  GET    /v1/api-keys/{api_key_id}                      | 200   | 403    | 403    | 403   | 403      | 401     | 401
  DELETE /v1/api-keys/{api_key_id}                      | 204   | 403    | 403    | 403   | 403      | 401     | 401
  GET    /v1/webhooks                                   | 200   | 403    | 403    | 200   | 403      | 401     | 401
  POST   /v1/webhooks                                   | 201   | 403    | 403    | 201   | 403      | 401     | 401
  GET    /v1/webhooks/{webhook_id}                      | 200   | 403    | 403    | 403   | 403      | 401     | 401
  PATCH  /v1/webhooks/{webhook_id}                      | 200   | 403    | 403    | 403   | 403      | 401     | 401
  DELETE /v1/webhooks/{webhook_id}                      | 204   | 403    | 403    | 403   | 403      | 401     | 401
  POST   /v1/webhooks/{webhook_id}/secret               | 201   | 403    | 403    | 403   | 403      | 401     | 401
  GET    /v1/webhooks/{webhook_id}/deliveries           | 200   | 403    | 403    | 403   | 403      | 401     | 401
  POST   /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/attempts | 201 | 403 | 403 | 403 | 403  | 401     | 401
  GET    /v1/users/{user_id}/orders                     | 200   | 200    | 200    | 403   | 200      | 401     | 401
  POST   /v1/users/{user_id}/orders                     | 201   | 201    | 403    | 403   | 403      | 401     | 401
  GET    /v1/orders/{order_id}                          | 200   | 200    | 200    | 403   | 200      | 401     | 401
  PUT    /v1/orders/{order_id}                          | 200   | 200    | 403    | 403   | 403      | 401     | 401
  PATCH  /v1/orders/{order_id}                          | 200   | 200    | 403    | 403   | 403      | 401     | 401
  DELETE /v1/orders/{order_id}                          | 204   | 204    | 403    | 403   | 403      | 401     | 401
  POST   /v1/charges                                    | 201   | 201    | 403    | 201   | 403      | 401     | 401
  GET    /v1/charges/{charge_id}                        | 200   | 200    | 200    | 403   | 403      | 401     | 401
  POST   /v2/charges                                    | 201   | 201    | 403    | 201   | 403      | 401     | 401
  POST   /v1/payment-events                             | 200   | 200    | 200    | 200   | 200      | 200     | 200
  POST   /v1/payment-events/stripe                      | 200   | 200    | 200    | 200   | 200      | 200     | 200
  GET    /v2/charges                                    | 200   | 200    | 200    | 200   | 403      | 401     | 401
  GET    /v2/charges/{charge_id}                        | 200   | 200    | 200    | 403   | 403      | 401     | 401
  POST   /v2/charges/{charge_id}/refunds                | 201   | 201    | 403    | 403   | 403      | 401     | 401
  GET    /v1/products                                   | 200   | 200    | 200    | 200   | 200      | 401     | 401
  GET    /v1/products/{product_id}                      | 200   | 200    | 200    | 403   | 200      | 401     | 401
`);

interface CallerKind {
  readonly title: string;
  /** The column that says what it gets. */
  readonly column: string;
  /** The headers that it sends. */
  credentials(app: TestApp): Promise<Readonly<Record<string, string>>>;
}

/** Made before the clock moved on to when it has ended. */
let expiredToken = '';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const signedIn =
  (...who: Parameters<TestApp['signIn']>) =>
  async (app: TestApp) =>
    bearer((await app.signIn(...who)).token);

const CALLERS: readonly CallerKind[] = [
  { title: 'an admin', column: 'admin', credentials: signedIn('ada') },
  { title: 'an editor', column: 'editor', credentials: signedIn('ed') },
  { title: 'a viewer', column: 'viewer', credentials: signedIn('vic') },
  { title: 'another organisation', column: 'other', credentials: signedIn('gil') },
  { title: 'a narrowed token', column: 'narrowed', credentials: signedIn('ada', ['read:orders']) },
  { title: 'an expired token', column: 'expired', credentials: async () => bearer(expiredToken) },
  { title: 'nobody', column: 'nobody', credentials: async () => ({}) },
  // A key of acme's admin for read:orders may what a token that was narrowed to it may.
  {
    title: 'a key with one scope',
    column: 'narrowed',
    credentials: async (app) => ({ authorization: `ApiKey ${(await addApiKey(app, ['read:orders'])).key}` }),
  },
];

describe('the tables', () => {
  test('have every root field, and nothing else', () => {
    const answered = rootFields.filter(({ operation }) => operation !== 'subscription');
    const names = answered.map(({ name }) => name).toSorted();
    expect(Object.keys(GRAPH).toSorted()).toEqual(names);
    expect(Object.keys(GRAPH_CALLS).toSorted()).toEqual(names);
  });

  test('have every route, and nothing else', () => {
    const names = [...new Set(routes.map(lineOf))].toSorted();
    expect(Object.keys(ROUTES).toSorted()).toEqual(names);
    expect(Object.keys(ROUTE_CALLS).toSorted()).toEqual(names);
  });
});

describeEachEngine('access', (engine) => {
  const app = startApp(engine);
  const ground = createGround(app, engine);

  beforeAll(async () => {
    expiredToken = (await app.signIn('ada')).token;
    app.clock.advance(16 * 60_000);
    app.signOutAll();
  });

  test.each(Object.keys(GRAPH))('%s', async (name) => {
    const make = GRAPH_CALLS[name];
    if (!make) throw new Error(`There is no request for ${name} in support/access-graph-calls.ts.`);
    const expected = mapValues(GRAPH[name] ?? {}, (word) => CODES[word] ?? `unknown word "${word}"`);
    await compare(expected, (outcome) => outcome === 'ok', make, askGraph);
  });

  test.each(routes.map((route) => [routeName(route), route] as const))('%s', async (name, route) => {
    const make = ROUTE_CALLS[lineOf(route)];
    if (!make) throw new Error(`There is no request for ${name} in support/access-route-calls.ts.`);
    const ask = (call: RouteCall, headers: Readonly<Record<string, string>>) => askRoute(name, call, headers);
    await compare(ROUTES[lineOf(route)] ?? {}, (status) => status.startsWith('2'), make, ask);
  });

  /** Those who may not come first and share one request, so that it is seen to leave no trace. */
  async function compare<Call>(
    expected: Readonly<Record<string, string>>,
    isPermitted: (outcome: string) => boolean,
    make: (ground: Ground) => Call | Promise<Call>,
    ask: (call: Call, headers: Readonly<Record<string, string>>) => Promise<string>,
  ): Promise<void> {
    const { permitted = [], refused = [] } = Object.groupBy(CALLERS, ({ column }) =>
      isPermitted(expected[column] ?? '') ? 'permitted' : 'refused',
    );
    const actual: Record<string, string> = {};
    const shared = await make(ground);
    const credentials = await Promise.all(CALLERS.map((caller) => caller.credentials(app)));
    const headersOf = (caller: CallerKind) => credentials[CALLERS.indexOf(caller)] ?? {};
    await writesNothing(app, async () => {
      for (const caller of refused) actual[caller.title] = await ask(shared, headersOf(caller));
    });
    for (const caller of permitted) {
      actual[caller.title] = await ask(await make(ground), headersOf(caller));
    }
    expect(actual).toEqual(Object.fromEntries(CALLERS.map(({ title, column }) => [title, expected[column]])));
  }

  async function askGraph(
    { document, variables }: GraphCall,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const answer = await app.graphql(document, variables, { headers });
    const codes = codesOf(answer);
    if (codes.length > 0) return codes.join();
    const values = Object.values(answer.body.data ?? {});
    return values.length > 0 && values.every((value) => value !== null) ? 'ok' : answer.text;
  }

  async function askRoute(
    name: string,
    { params = {}, body, text, headers: own }: RouteCall,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const [method = '', template = ''] = name.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => String(params[parameter]));
    const { status } = await app.request(method, path, {
      headers: { ...headers, ...own },
      ...(body !== undefined && { body }),
      ...(text !== undefined && { text }),
    });
    return String(status);
  }
});

/** The line of a route: its own, or for one that was carried over to /v2 that of the route it was made from. */
function lineOf(route: (typeof routes)[number]): string {
  const origin = routes.find(({ operation }) => operation === route.operation) ?? route;
  return routeName(origin);
}

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

function table(text: string): Table {
  const [head = [], , ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/\s+/g, ' ')));
  const [, ...columns] = head;
  return Object.fromEntries(
    lines.map(([name = '', ...cells]) => [
      name,
      Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
    ]),
  );
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
