/** What openapi.json says that every route may refuse, asked of every route: what a request lacks or has too much. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import type { Route } from '../../src/rest/index.ts';
import type { RouteCall } from '../support/access-calls.ts';
import { APP, createGround, ED, WEBHOOK } from '../support/access-ground.ts';
import { factsOf, ROUTE_CALLS } from '../support/access-rules.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Answer, ErrorBody, GraphQLBody, RequestOptions } from '../support/client.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { operations } from '../support/openapi-document.ts';
import { exampleOf, sendExample } from '../support/openapi-requests.ts';
import { routeName, routes } from '../support/operations.ts';

/** A request that would succeed, with what is wrong with it. */
interface Fault {
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly applies: (route: Route) => boolean;
  readonly path?: (path: string) => string;
  readonly options?: RequestOptions;
}

/** What is signed is refused before anybody looks at what it says. */
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
    title: `an ${name} that is no list`,
    status: 400,
    code: 'malformed_request',
    applies: () => true,
    options: { headers: { [name]: 'v1' } },
  })),
  {
    title: 'a body that is too large',
    status: 413,
    code: 'body_too_large',
    applies: readsBody,
    options: { text: ' '.repeat(LIMITS.bodyBytes + 1) },
  },
  {
    title: 'a body of another kind',
    status: 415,
    code: 'unsupported_media_type',
    applies: readsBody,
    options: { text: 'name=value', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  },
  {
    title: 'a member that it does not know',
    status: 422,
    code: 'validation_failed',
    applies: (route) => route.hasBody && isOpen(route),
    options: { body: { surprise: 1 } },
  },
];

describeEachEngine(
  'every route, asked with',
  (engine) => {
    const app = startApp(engine);
    const request = requests(app, engine);

    for (const { title, status, code, applies, path = same, options = {} } of FAULTS) {
      describe(title, () => {
        test.each(routes.filter(applies).map((route) => [routeName(route), route] as const))(
          `%s answers ${status}`,
          async (_name, route) => {
            const call = await request(route);
            const headers = { ...call.headers, ...options.headers };
            const answer = await send(app, route, path(call.path), { ...call, ...options, headers });
            expect(answer.status, answer.text).toBe(status);
            expect(answer.body.error.code).toBe(code);
          },
        );
      });
    }

    describe('the current version', () => {
      const read = routes.filter(({ method }) => method === 'GET');
      test.each(read.map((route) => [routeName(route), route] as const))(
        '%s answers 304',
        async (_name, route) => {
          const { path } = await request(route);
          const { headers } = await app.get(path, { as: 'ada' });
          const again = { 'if-none-match': headers.get('etag') ?? '*' };
          expect((await app.get(path, { as: 'ada', headers: again })).status).toBe(304);
        },
      );
    });
  },
  'sqlite',
);

const same = (path: string) => path;

type Refusal = ErrorBody & GraphQLBody<never>;

/** Both doors say why: REST in `error`, GraphQL in `errors`. */
const codeOf = ({ error, errors }: Refusal) => error?.code ?? errors?.[0]?.extensions.code ?? '';

const withStatus = (status: string) => operations.filter(({ operation }) => operation.responses[status]);

describeEachEngine(
  'every operation, sent its own example',
  (engine) => {
    const app = startApp(engine);

    test.each(withStatus('401'))('$name without credentials, or with invalid ones: 401', async (each) => {
      const { path, headers, body } = exampleOf(each);
      const wrong = each.path.endsWith('/login') ? { ...ED, password: 'wrong' } : body;
      const answer = await app.request<Refusal>(each.method, path, {
        headers,
        ...(wrong !== undefined && { body: wrong }),
      });
      expect(answer.status, answer.text).toBe(401);
      expect(codeOf(answer.body)).toMatch(
        /^(unauthenticated|invalid_token|invalid_credentials|invalid_signature)$/,
      );
    });

    const needsScope = withStatus('403').filter(({ operation }) => operation['x-required-scopes']?.length);
    test.each(needsScope)('$name without the scope: 403', async (each) => {
      const needed = each.operation['x-required-scopes'] ?? [];
      const other = needed.includes('read:orders') ? 'read:users' : 'read:orders';
      const answer = await sendExample<Refusal>(app, each, await app.signIn('ada', [other]));
      expect(answer.status, answer.text).toBe(403);
      expect(codeOf(answer.body)).toMatch(/^(insufficient_scope|forbidden)$/);
    });

    const withVariables = withStatus('404').filter(({ path }) => path.includes('{'));
    test.each(withVariables)('$name with overlong variables: 404', async (each) => {
      const path = each.path.replace(/\{\w+\}/g, '1'.repeat(LIMITS.pathParameterLength + 1));
      const answer = await app.request<Refusal>(each.method, path);
      expect([answer.status, codeOf(answer.body)]).toEqual([404, 'route_not_found']);
    });
  },
  'sqlite',
);

describeEachEngine(
  'every operation, sent its own example by an administrator,',
  (engine) => {
    const app = startApp(engine);

    // What one removes, another one names.
    const removing = Map.groupBy(operations, ({ method }) => method === 'DELETE');
    const inOrder = [...(removing.get(false) ?? []), ...(removing.get(true) ?? [])]
      // Under /v1 it has changed the password by then.
      .filter(({ path }) => path !== '/v2/users/{user_id}/password');

    test.each(inOrder)('$name supports it', async (each) => {
      const { status, text, body } = await sendExample<Partial<Refusal>>(app, each, 'ada');
      // What it names may not be there, or not any more, or in another state: that is no fault of the example.
      const namesNothing = body?.error?.details?.every(({ path }) => path.endsWith('_id')) ?? false;
      if (![401, 404, 409].includes(status) && !namesNothing) expect(status, text).toBeLessThan(400);
    });
  },
  'sqlite',
);

/** By the first version of their routes. */
const CONFLICTS = factsOf('conflicts');

/** Without the change of a password, which is for its person alone: `changing-passwords.test.ts` sends it while it runs. */
const isIdempotent = ({ variables, operation }: Route) =>
  variables.some(({ source }) => source === 'idempotencyKey') && operation.name !== 'ChangePassword';

describeEachEngine(
  'every route that may answer 409 does',
  (engine) => {
    const app = startApp(engine);
    const ground = createGround(app, engine);
    const request = requests(app, engine);
    const named = (wanted: (route: Route) => boolean) =>
      routes.filter(wanted).map((route) => [routeName(route), route] as const);
    const firstVersion = (route: Route) => routeName(route).replace(' /v2/', ' /v1/');

    test.each(named(isIdempotent))('%s, while the first request with the key runs', async (_name, route) => {
      const call = await request(route);
      const again = { ...call, headers: { ...call.headers, 'idempotency-key': ground.key() } };
      expect((await send(app, route, call.path, again)).status).toBe(route.status);
      await engine.place.query("update idempotency_records set status = 'new', outcome = null");
      const answer = await send(app, route, call.path, again);
      expect([answer.status, answer.body.error.code]).toEqual([409, 'idempotency_in_progress']);
    });

    test.each(named((route) => firstVersion(route) in CONFLICTS))(
      '%s, when something stands in its way',
      async (_name, route) => {
        const call = await CONFLICTS[firstVersion(route)]?.(ground);
        const { path, ...options } = requestOf(route, call ?? {});
        const answer = await send(app, route, path, options);
        expect(answer.status, answer.text).toBe(409);
        expect(answer.body.error.code).toMatch(/^(conflict|invalid_transition)$/);
      },
    );

    const bounded: Readonly<Record<string, { readonly most: number; readonly body: object }>> = {
      CreateWebhook: { most: LIMITS.webhooks, body: WEBHOOK },
      CreateApp: { most: LIMITS.apps, body: APP },
    };
    test.each(named(({ operation }) => operation.name in bounded))(
      '%s, when an organisation has as many as it may',
      async (_name, route) => {
        const { most = 0, body } = bounded[route.operation.name] ?? {};
        let answer = await app.post(route.path, { as: 'gil', body });
        for (let made = 1; answer.status === 201 && made <= most; made += 1)
          answer = await app.post(route.path, { as: 'gil', body });
        expect(answer.status).toBe(409);
      },
    );
  },
  'sqlite',
);

/** A request for a route that succeeds for acme's administrator. */
function requests(app: TestApp, engine: TestEngine) {
  const ground = createGround(app, engine);
  return async (route: Route): Promise<RequestOptions & { readonly path: string }> => {
    const name = routeName(route);
    const make = ROUTE_CALLS[name] ?? ROUTE_CALLS[name.replace(' /v2/', ' /v1/')];
    if (!make) throw new Error(`${name} has no request in test/access/`);
    return requestOf(route, await make(ground));
  };
}

function requestOf(route: Route, { params = {}, body, text, headers }: RouteCall) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, variable: string) => String(params[variable]));
  return {
    path,
    ...(body !== undefined && { body }),
    ...(text !== undefined && { text }),
    ...(headers && { headers }),
  };
}

const send = (
  app: TestApp,
  { method }: Route,
  path: string,
  options: RequestOptions,
): Promise<Answer<ErrorBody>> => app.request<ErrorBody>(method, path, { as: 'ada', ...options });
