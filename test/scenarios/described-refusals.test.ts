/** What openapi.json says that every route may refuse, asked of every route: what a request lacks or has too much. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import type { Route } from '../../src/rest/index.ts';
import { createGround } from '../support/access-ground.ts';
import { ROUTE_CALLS, type RouteCall } from '../support/access-route-calls.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Answer, ErrorBody, RequestOptions } from '../support/client.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
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
const hasVersion = ({ variables }: Route) => variables.some(({ source }) => source === 'if-match');

const FAULTS: readonly Fault[] = [
  {
    title: 'an unknown parameter',
    status: 400,
    code: 'unknown_parameter',
    applies: isOpen,
    path: (path) => `${path}?surprise=1`,
  },
  {
    title: 'a variable of the path that is longer than anything',
    status: 404,
    code: 'route_not_found',
    applies: ({ path }) => path.includes('{'),
    path: (path) => path.replace(/[^/]+$/, '1'.repeat(LIMITS.pathParameterLength + 1)),
  },
  {
    title: 'a stale version',
    status: 412,
    code: 'precondition_failed',
    applies: hasVersion,
    options: { headers: { 'if-match': '"v999999"' } },
  },
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

    describe('the version that is there', () => {
      const conditional = routes.filter(({ method, view }) => method === 'GET' && view.etag !== undefined);
      test.each(conditional.map((route) => [routeName(route), route] as const))(
        '%s answers 304',
        async (_name, route) => {
          const { path } = await request(route);
          const { headers } = await app.get(path, { as: 'ada' });
          const again = { 'if-none-match': headers.get('etag') ?? '' };
          expect((await app.get(path, { as: 'ada', headers: again })).status).toBe(304);
        },
      );
    });
  },
  'sqlite',
);

const same = (path: string) => path;

/** A request for a route that succeeds for acme's administrator. */
function requests(app: TestApp, engine: TestEngine) {
  const ground = createGround(app, engine);
  return async (route: Route): Promise<RequestOptions & { readonly path: string }> => {
    const name = routeName(route);
    const make = ROUTE_CALLS[name] ?? ROUTE_CALLS[name.replace(' /v2/', ' /v1/')];
    if (!make) throw new Error(`${name} has no request in access-route-calls.ts`);
    const { params = {}, body, headers }: RouteCall = await make(ground);
    const path = route.path.replace(/\{(\w+)\}/g, (_, variable: string) => String(params[variable]));
    return { path, ...(body !== undefined && { body }), ...(headers && { headers }) };
  };
}

const send = (
  app: TestApp,
  { method }: Route,
  path: string,
  options: RequestOptions,
): Promise<Answer<ErrorBody>> => app.request<ErrorBody>(method, path, { as: 'ada', ...options });
