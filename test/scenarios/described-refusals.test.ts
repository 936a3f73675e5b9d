/**
 * Refusals that openapi.json documents for every route: missing and excess parts of a request, tested on
 * every route.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import type { Route } from '../../src/rest/compile/route.ts';
import { APP, createFixtures, ED, WEBHOOK } from '../access/shared/fixtures.ts';
import { factsOf, requestOf, requests, send } from '../access/shared/rules.ts';
import { distinctRoutes, routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody, GraphQLBody, RequestOptions } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { exampleOf, sendExample } from '../support/inputs/openapi-requests.ts';
import { operations } from '../support/openapi.ts';
import { DEFAULTS } from '../support/settings.ts';

/** The change that makes a valid request invalid. */
interface Fault {
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly applies: (route: Route) => boolean;
  readonly path?: (path: string) => string;
  readonly options?: RequestOptions;
}

/** Signed messages are refused before their content is read. */
const isOpen = ({ signed }: Route) => !signed;
const readsBody = ({ method }: Route) => method !== 'GET';

const FAULTS: readonly Fault[] = [
  {
    title: 'an unknown parameter',
    status: 400,
    code: 'unknown_parameter',
    applies: () => true,
    path: (path) => `${path}?surprise=1`,
  },
  {
    title: 'a stale version',
    status: 412,
    code: 'precondition_failed',
    applies: () => true,
    options: { headers: { 'if-match': '"v999999"' } },
  },
  ...['if-match', 'if-none-match'].map((name) => ({
    title: `an ${name} that is not a list`,
    status: 400,
    code: 'malformed_request',
    applies: (route: Route) => distinctRoutes.includes(route),
    options: { headers: { [name]: 'v1' } },
  })),
  {
    title: 'a body that is too large',
    status: 413,
    code: 'body_too_large',
    applies: readsBody,
    options: { text: ' '.repeat(DEFAULTS.http.bodyLimit + 1) },
  },
  {
    title: 'a body of another media type',
    status: 415,
    code: 'unsupported_media_type',
    applies: readsBody,
    options: { text: 'name=value', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  },
  {
    title: 'an unknown member',
    status: 422,
    code: 'validation_failed',
    applies: (route) => route.hasBody && isOpen(route),
    options: { body: { surprise: 1 } },
  },
];

describeEachEngine(
  'every route, requested',
  (engine) => {
    const app = startApp(engine);
    const request = requests(app, engine);

    // No request of a route is executed, so all of them change the same valid one. Later ones may delete what it names.
    describe.each(routes.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
      let valid: Awaited<ReturnType<typeof request>>;
      beforeAll(async () => {
        valid = await request(route);
      });

      test.each(FAULTS.filter(({ applies }) => applies(route)))(
        'with $title returns $status',
        async ({ status, code, path = same, options = {} }) => {
          const headers = { ...valid.headers, ...options.headers };
          const response = await send<ErrorBody>(app, route, path(valid.path), {
            ...valid,
            ...options,
            headers,
          });
          expect(response.status, response.text).toBe(status);
          expect(response.body.error.code).toBe(code);
        },
      );

      if (route.method !== 'GET') return;
      test('with the current version returns 304', async () => {
        const { headers } = await app.get(valid.path, { as: 'ada' });
        const again = { 'if-none-match': headers.get('etag') ?? '*' };
        expect((await app.get(valid.path, { as: 'ada', headers: again })).status).toBe(304);
      });
    });
  },
  'sqlite',
);

const same = (path: string) => path;

type Refusal = ErrorBody & GraphQLBody<never>;

/** Both doors report a code: REST in `error`, GraphQL in `errors`. */
const codeOf = ({ error, errors }: Refusal) => error?.code ?? errors?.[0]?.extensions.code ?? '';

const withStatus = (status: string) => operations.filter(({ operation }) => operation.responses[status]);

describeEachEngine(
  'every operation, called with its own example',
  (engine) => {
    const app = startApp(engine);

    test.each(withStatus('401'))(
      '$name returns 401 without credentials, or with invalid ones',
      async (each) => {
        const { path, headers, body } = exampleOf(each);
        const wrong = each.path.endsWith('/login') ? { ...ED, password: 'wrong' } : body;
        const response = await app.request<Refusal>(each.method, path, {
          headers,
          ...(wrong !== undefined && { body: wrong }),
        });
        expect(response.status, response.text).toBe(401);
        expect(codeOf(response.body)).toMatch(
          /^(unauthenticated|invalid_token|invalid_credentials|invalid_signature)$/,
        );
      },
    );

    const needsScope = withStatus('403').filter(({ operation }) => operation['x-required-scopes']?.length);
    test.each(needsScope)('$name returns 403 without the scope', async (each) => {
      const needed = each.operation['x-required-scopes'] ?? [];
      const other = needed.includes('read:orders') ? 'read:users' : 'read:orders';
      const response = await sendExample<Refusal>(app, each, await app.signIn('ada', [other]));
      expect(response.status, response.text).toBe(403);
      expect(codeOf(response.body)).toMatch(/^(insufficient_scope|forbidden)$/);
    });

    const withVariables = withStatus('404').filter(({ path }) => path.includes('{'));
    test.each(withVariables)('$name returns 404 with overlong variables', async (each) => {
      const path = each.path.replace(/\{\w+\}/g, '1'.repeat(LIMITS.pathParameterLength + 1));
      const response = await app.request<Refusal>(each.method, path);
      expect([response.status, codeOf(response.body)]).toEqual([404, 'route_not_found']);
    });
  },
  'sqlite',
);

describeEachEngine(
  'every operation, called with its own example by an administrator,',
  (engine) => {
    const app = startApp(engine);

    // One example may remove a row that another one names.
    const removing = Map.groupBy(operations, ({ method }) => method === 'DELETE');
    const inOrder = [...(removing.get(false) ?? []), ...(removing.get(true) ?? [])]
      // The /v1 operation has already changed the password.
      .filter(({ path }) => path !== '/v2/users/{user_id}/password');

    test.each(inOrder)('$name supports it', async (each) => {
      const { status, text, body } = await sendExample<Partial<Refusal>>(app, each, 'ada');
      // The named row may not exist, no longer exist, or be in another status: the example is still valid.
      const namesNothing = body?.error?.details?.every(({ path }) => path.endsWith('_id')) ?? false;
      if (![401, 404, 409].includes(status) && !namesNothing) expect(status, text).toBeLessThan(400);
    });
  },
  'sqlite',
);

/** By the first version of their routes. */
const CONFLICTS = factsOf('conflicts');

/**
 * Without changing a password, which only its user may do: `changing-passwords.test.ts` sends that while the
 * first request runs.
 */
const isIdempotent = ({ variables, document }: Route) =>
  variables.some(({ source }) => source === 'idempotencyKey') && document.name !== 'ChangePassword';

describeEachEngine(
  'every route that may return 409 does',
  (engine) => {
    const app = startApp(engine);
    const fixtures = createFixtures(app, engine);
    const request = requests(app, engine);
    const named = (wanted: (route: Route) => boolean) =>
      routes.filter(wanted).map((route) => [routeName(route), route] as const);
    const firstVersion = (route: Route) => routeName(route).replace(' /v2/', ' /v1/');

    test.each(named(isIdempotent))('%s, while the first request with the key runs', async (_name, route) => {
      const call = await request(route);
      const again = { ...call, headers: { ...call.headers, 'idempotency-key': fixtures.key() } };
      expect((await send<ErrorBody>(app, route, call.path, again)).status).toBe(route.status);
      await engine.place.query("update idempotency_records set status = 'new', outcome = null");
      const response = await send<ErrorBody>(app, route, call.path, again);
      expect([response.status, response.body.error.code]).toEqual([409, 'idempotency_in_progress']);
    });

    test.each(named((route) => firstVersion(route) in CONFLICTS))(
      '%s, for a conflict with the current state',
      async (_name, route) => {
        const call = await CONFLICTS[firstVersion(route)]?.(fixtures);
        const { path, ...options } = requestOf(route, call ?? {});
        const response = await send<ErrorBody>(app, route, path, options);
        expect(response.status, response.text).toBe(409);
        expect(response.body.error.code).toMatch(/^(conflict|invalid_transition)$/);
      },
    );

    const scopes = ['read:orders'];
    const bounded: Readonly<Record<string, { readonly most: number; body(made: number): object }>> = {
      CreateWebhook: { most: LIMITS.webhooks, body: () => WEBHOOK },
      CreateApp: { most: LIMITS.apps, body: () => APP },
      CreateApiKey: { most: LIMITS.apiKeys, body: () => ({ name: 'Import', scopes }) },
      CreateClientCertificate: {
        most: LIMITS.clientCertificates,
        body: (made) => ({ name: 'Machine', match: { san_dns: `m${made}.example` }, scopes }),
      },
    };
    test.each(named(({ document }) => document.name in bounded))(
      '%s, when an organisation has reached its limit',
      async (_name, route) => {
        const { most = 0, body } = bounded[route.document.name] ?? {};
        let response = await app.post<ErrorBody>(route.path, { as: 'gil', body: body?.(0) });
        for (let made = 1; response.status === 201 && made <= most; made += 1)
          response = await app.post<ErrorBody>(route.path, { as: 'gil', body: body?.(made) });
        expect(response.status).toBe(409);
        // The other version of the route has reached it before, so its first request is refused, also for the name that is taken.
        expect(response.body.error.message).toMatch(/maximum/);
      },
    );
  },
  'sqlite',
);
