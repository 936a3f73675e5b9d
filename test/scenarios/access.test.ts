/**
 * Access control: every root field of the graph and every route, for every kind of caller. A new field or
 * route needs a rule and a request in `test/access/<resource>.ts`, or this test fails.
 */
import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredInputField,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessOf } from '../../src/graphql/directives/auth.ts';
import { isSecret } from '../../src/graphql/directives/secret.ts';
import { acceptanceOf } from '../../src/graphql/directives/values.ts';
import type { Field } from '../../src/graphql/field.ts';
import { snakeCase } from '../../src/rest/compile/spelling.ts';
import type { CALLERS, GraphCall, RouteCall } from '../access/shared/calls.ts';
import { createFixtures, type Fixtures } from '../access/shared/fixtures.ts';
import { GRAPH, GRAPH_CALLS, ROUTE_CALLS, ROUTES } from '../access/shared/rules.ts';
import { distinctRoutes, rootFields, routeName, routes, schema } from '../support/api.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { DEFAULTS } from '../support/settings.ts';

/** The words of the rules and their error codes. The user of updateUser is the editor. */
const CODES: Readonly<Record<string, string>> = {
  ok: 'ok',
  role: 'insufficient_role',
  scope: 'insufficient_scope',
  forbidden: 'forbidden',
  expired: 'token_expired',
  'sign in': 'unauthenticated',
  unsigned: 'invalid_signature',
};

interface CallerKind {
  readonly title: string;
  /** The column of the rules with the expected outcome. */
  readonly column: (typeof CALLERS)[number];
  /** The request headers with its credentials. */
  credentials(app: TestApp): Promise<Readonly<Record<string, string>>>;
}

/** Signed in before the clock advances past its expiry. */
let expiredToken = '';

/** Bodies that are refused while they are read: broken, ambiguous, inexact and too large ones. */
const UNREADABLE = [
  '{',
  '{"a":1,"a":2}',
  '{"a":12345678901234567890}',
  ' '.repeat(DEFAULTS.http.bodyLimit + 1),
];

/** An error of REST, or of JSON-RPC, whose `data` has the error of the catalogue. */
interface CodedBody {
  readonly error?: { readonly code: string; readonly data?: { readonly code: string } };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const signedIn =
  (...who: Parameters<TestApp['signIn']>) =>
  async (app: TestApp) =>
    bearer((await app.signIn(...who)).token);

const KINDS: readonly CallerKind[] = [
  { title: 'an admin', column: 'admin', credentials: signedIn('ada') },
  { title: 'an editor', column: 'editor', credentials: signedIn('ed') },
  { title: 'a viewer', column: 'viewer', credentials: signedIn('vic') },
  { title: 'another organisation', column: 'other', credentials: signedIn('gil') },
  { title: 'a narrowed token', column: 'narrowed', credentials: signedIn('ada', ['read:orders']) },
  { title: 'an expired token', column: 'expired', credentials: async () => bearer(expiredToken) },
  { title: 'anonymous', column: 'anonymous', credentials: async () => ({}) },
  // A key of acme's administrator with read:orders has the same rights as a token narrowed to that scope.
  {
    title: 'a key with one scope',
    column: 'narrowed',
    credentials: async (app) => ({ authorization: `ApiKey ${(await createKey(app)).key}` }),
  },
];

/** What to do about a difference. */
const TASK = 'Each root field and each route has one line in test/access/<resource>.ts.';

describe('the rules', () => {
  test('cover exactly the root fields', () => {
    const answered = rootFields.filter(({ operation }) => operation !== 'subscription');
    const names = answered.map(({ name }) => name).toSorted();
    expect(Object.keys(GRAPH).toSorted(), TASK).toEqual(names);
  });

  test('cover exactly the routes', () => {
    const names = [...new Set(routes.map(lineOf))].toSorted();
    expect(Object.keys(ROUTES).toSorted(), TASK).toEqual(names);
  });
});

describeEachEngine('access', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);
  // Access is decided before any statement. On PostgreSQL, each operation runs once as permitted, and is
  // refused for a row of another organisation.
  const callers = runsAllCases(engine)
    ? KINDS
    : KINDS.filter(({ column }) => column === 'admin' || column === 'other');

  /** The callers that are also tested on routes that share their operation with another route. */
  const isOfEveryRoute = ({ column }: CallerKind) => ['admin', 'other', 'anonymous'].includes(column);

  beforeAll(async () => {
    expiredToken = (await app.signIn('ada')).token;
    app.clock.advance(16 * 60_000);
    app.signOutAll();
  });

  test.each(Object.keys(GRAPH))('%s', async (name) => {
    const make = GRAPH_CALLS[name];
    if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
    const expected = mapValues(GRAPH[name] ?? {}, (word) => CODES[word] ?? `unknown word "${word}"`);
    await compare(expected, (outcome) => outcome === 'ok', make, askGraph);
  });

  /**
   * Mutations that give access, with the scope that they require: they return a credential, or name a role or scopes to give. A webhook sends
   * the events of its types; its secret only signs them, so a new one gives no access.
   */
  const giving = rootFields.flatMap(({ operation, name, field }) => {
    const access = accessOf(field);
    if (operation !== 'mutation' || typeof access !== 'object' || access.scope === undefined) return [];
    return returnsSecret(field) || takesRights(field) ? [[name, access.scope] as const] : [];
  });

  test.each(giving.filter(([name]) => name !== 'Mutation.createWebhookSecret'))(
    '%s gives nothing that credentials with %s alone lack',
    async (name, scope) => {
      const { document, variables } = await (GRAPH_CALLS[name]?.(fixtures) ?? {});
      const headers = bearer((await app.signIn('ada', [scope])).token);
      await writesNothing(app, async () => {
        const outcome = await askGraph(
          { document: String(document), ...(variables && { variables }) },
          headers,
        );
        expect(['insufficient_scope', 'validation_failed']).toContain(outcome);
      });
    },
  );

  const testedRoutes = runsAllCases(engine) ? routes : distinctRoutes;
  test.each(testedRoutes.map((route) => [routeName(route), route] as const))('%s', async (name, route) => {
    const make = ROUTE_CALLS[lineOf(route)];
    if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
    const ask = (call: RouteCall, headers: Readonly<Record<string, string>>) => askRoute(name, call, headers);
    const asking = distinctRoutes.includes(route) ? callers : callers.filter(isOfEveryRoute);
    await compare(ROUTES[lineOf(route)] ?? {}, (status) => status.startsWith('2'), make, ask, asking);
  });

  /** Routes about rows of an organisation, each with a member of its body that violates `@accepts`, which the resolver checks. */
  const violations = testedRoutes.flatMap((route) => {
    const line = lineOf(route);
    if (!route.hasBody || ROUTES[line]?.['other'] !== '403') return [];
    return unacceptable(route).map(
      (member) => [routeName(route), Object.keys(member)[0], line, member] as const,
    );
  });

  test.each(violations)(
    '%s is refused to another organisation even if %s is not allowed',
    async (name, _, line, member) => {
      const make = ROUTE_CALLS[line];
      if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
      const call = await make(fixtures);
      const headers = bearer((await app.signIn('gil')).token);
      expect(await askRoute(name, { ...call, body: { ...Object(call.body), ...member } }, headers)).toBe(
        '403',
      );
    },
  );

  const UNAUTHENTICATED = ['unauthenticated', 'token_expired'];
  const UNAUTHORIZED = [...UNAUTHENTICATED, 'insufficient_scope', 'insufficient_role'];

  /** Routes that require credentials, with the codes that do not depend on rows. */
  const bodyDoors = distinctRoutes
    .filter((route) => route.hasBody && ROUTES[lineOf(route)]?.['anonymous'] === '401')
    .map((route) => {
      const requirement = accessOf(route.root.field);
      const isOpen = typeof requirement !== 'object' || (!requirement.scope && !requirement.role);
      const path = route.path.replaceAll(/\{\w+\}/g, '1');
      return {
        name: routeName(route),
        method: route.method,
        path,
        codes: isOpen ? UNAUTHENTICATED : UNAUTHORIZED,
      };
    });
  const doors = [...bodyDoors, { name: 'POST /mcp', method: 'POST', path: '/mcp', codes: UNAUTHENTICATED }];

  test.each(runsAllCases(engine) ? doors : [])(
    '$name refuses a caller who may not use it before its body',
    async ({ method, path, codes }) => {
      for (const caller of KINDS) {
        const credentials = await caller.credentials(app);
        const codeOf = async (text: string, type = 'application/json') => {
          const headers = { ...credentials, 'content-type': type };
          const { body } = await app.request<CodedBody>(method, path, { text, headers });
          return body.error?.data?.code ?? body.error?.code ?? '';
        };
        const code = await codeOf('{}');
        if (caller.column === 'anonymous' || caller.column === 'expired')
          expect(UNAUTHENTICATED).toContain(code);
        if (!codes.includes(code)) continue;
        for (const text of UNREADABLE)
          expect(await codeOf(text), `${caller.title}: ${text.trim()}`).toBe(code);
        expect(await codeOf('{}', 'text/plain'), `${caller.title}: text`).toBe(code);
      }
    },
  );

  /** Refused callers come first and share one request, so that the test can assert that they change nothing. */
  async function compare<Call>(
    expected: Readonly<Record<string, string>>,
    isPermitted: (outcome: string) => boolean,
    make: (fixtures: Fixtures) => Call | Promise<Call>,
    ask: (call: Call, headers: Readonly<Record<string, string>>) => Promise<string>,
    asking: readonly CallerKind[] = callers,
  ): Promise<void> {
    const { permitted = [], refused = [] } = Object.groupBy(asking, ({ column }) =>
      isPermitted(expected[column] ?? '') ? 'permitted' : 'refused',
    );
    const actual: Record<string, string> = {};
    const shared = await make(fixtures);
    const credentials = await Promise.all(asking.map((caller) => caller.credentials(app)));
    const headersOf = (caller: CallerKind) => credentials[asking.indexOf(caller)] ?? {};
    await writesNothing(app, async () => {
      for (const caller of refused) actual[caller.title] = await ask(shared, headersOf(caller));
    });
    for (const caller of permitted) {
      actual[caller.title] = await ask(await make(fixtures), headersOf(caller));
    }
    expect(actual).toEqual(Object.fromEntries(asking.map(({ title, column }) => [title, expected[column]])));
  }

  async function askGraph(
    { document, variables }: GraphCall,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const response = await app.graphql(document, variables, { headers });
    const codes = codesOf(response);
    if (codes.length > 0) return codes.join();
    const values = Object.values(response.body.data ?? {});
    return values.length > 0 && values.every((value) => value !== null) ? 'ok' : response.text;
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

/** Whether a field returns an object with a credential. */
function returnsSecret({ type }: Field): boolean {
  const returned = getNamedType(type);
  return isObjectType(returned) && Object.values(returned.getFields()).some(isSecret);
}

/** Whether the input of a field must name a role or scopes. */
function takesRights({ args }: Field): boolean {
  const input = getNamedType(args.find(({ name }) => name === 'input')?.type);
  const members = isInputObjectType(input) ? Object.values(input.getFields()) : [];
  return members.some((member) => ['role', 'scopes'].includes(member.name) && isRequiredInputField(member));
}

/** The line of a route in the rules: its own, or that of its /v1 route if it was carried over to /v2. */
function lineOf(route: (typeof routes)[number]): string {
  const origin = routes.find(({ document }) => document === route.document) ?? route;
  return routeName(origin);
}

/** Values of members of a route's body that have the right type, but that its resolver refuses. */
function unacceptable({ root: { field } }: (typeof routes)[number]): Readonly<Record<string, unknown>>[] {
  const input = getNullableType(field.args.find(({ name }) => name === 'input')?.type);
  if (!isInputObjectType(input)) return [];
  return Object.values(input.getFields()).flatMap((member) => {
    const accepted = acceptanceOf(schema, member);
    if (!accepted) return [];
    const list = accepted.minItems == null ? ['not allowed'] : [];
    const single = accepted.min == null ? 'not allowed' : accepted.min - 1;
    return [{ [snakeCase(member.name)]: isListType(getNullableType(member.type)) ? list : single }];
  });
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
