/** Requests for routes that succeed for acme's administrator, from the facts in `test/access/`. */
import type { Route } from '../../src/rest/compile/route.ts';
import type { RouteCall } from './access-calls.ts';
import { createGround } from './access-ground.ts';
import { ROUTE_CALLS } from './access-rules.ts';
import type { TestApp } from './app.ts';
import type { Answer, RequestOptions } from './client.ts';
import type { TestEngine } from './engines.ts';
import { routeName } from './operations.ts';

/** A request for a route. */
export type RouteRequest = RequestOptions & { readonly path: string };

/** Returns a function that makes such requests. Each is about new rows. */
export function requests(app: TestApp, engine: TestEngine): (route: Route) => Promise<RouteRequest> {
  const ground = createGround(app, engine);
  return async (route) => {
    const name = routeName(route);
    const make = ROUTE_CALLS[name] ?? ROUTE_CALLS[name.replace(' /v2/', ' /v1/')];
    if (!make) throw new Error(`${name} has no request in test/access/`);
    return requestOf(route, await make(ground));
  };
}

export function requestOf(route: Route, { params = {}, body, text, headers }: RouteCall): RouteRequest {
  const path = route.path.replace(/\{(\w+)\}/g, (_, variable: string) => String(params[variable]));
  return {
    path,
    ...(body !== undefined && { body }),
    ...(text !== undefined && { text }),
    ...(headers && { headers }),
  };
}

export const send = <Body>(
  app: TestApp,
  { method }: Route,
  path: string,
  options: RequestOptions,
): Promise<Answer<Body>> => app.request<Body>(method, path, { as: 'ada', ...options });
