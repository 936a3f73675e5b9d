/** The declarations of all resources in `test/access/`, and the requests that they make. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../../../src/rest/compile/route.ts';
import { routeName } from '../../support/api.ts';
import type { TestApp } from '../../support/app.ts';
import type { Answer, RequestOptions } from '../../support/client.ts';
import type { TestEngine } from '../../support/engines.ts';
import { ROOT } from '../../support/process.ts';
import { CALLERS, type GraphCall, type ResourceFacts, type RouteCall, type Rules } from './calls.ts';
import { createFixtures, type Fixtures, type Making } from './fixtures.ts';

const resources = await Promise.all(
  globSync('test/access/*.ts', { cwd: ROOT })
    .sort()
    // Each file declares its exports with the types of `ResourceFacts`.
    .map((path) => import(join(ROOT, path)) as Promise<ResourceFacts>),
);

/** Merges a kind of facts of all resources. */
export const factsOf = <Name extends keyof ResourceFacts>(name: Name): Required<ResourceFacts>[Name] =>
  Object.assign({}, ...resources.map((facts) => facts[name]));

const graph = factsOf('graph');
const routes = factsOf('routes');

/** By name: the outcome of each kind of caller. */
type Outcomes = Readonly<Record<string, Readonly<Record<string, string>>>>;

const mapRules = <Call, To>(rules: Rules<Call>, map: (outcomes: string, make: Making<Call>) => To) =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, map(...rule)]));

function outcomesIn(text: string): Readonly<Record<string, string>> {
  const cells = text.split(' | ');
  if (cells.length !== CALLERS.length) throw new Error(`A rule needs ${CALLERS.length} outcomes: ${text}`);
  return Object.fromEntries(CALLERS.map((caller, index) => [caller, cells[index] ?? '']));
}

export const GRAPH: Outcomes = mapRules(graph, outcomesIn);
export const ROUTES: Outcomes = mapRules(routes, outcomesIn);
export const GRAPH_CALLS: Readonly<Record<string, Making<GraphCall>>> = mapRules(graph, (_, make) => make);
export const ROUTE_CALLS: Readonly<Record<string, Making<RouteCall>>> = mapRules(routes, (_, make) => make);

/** A request for a route. */
type RouteRequest = RequestOptions & { readonly path: string };

/** Returns a function that makes such requests. Each is about new rows. */
export function requests(app: TestApp, engine: TestEngine): (route: Route) => Promise<RouteRequest> {
  const fixtures = createFixtures(app, engine);
  return async (route) => requestOf(route, await callOf(route, fixtures));
}

/** Makes a call of a route that succeeds for acme's administrator. */
export async function callOf(route: Route, fixtures: Fixtures): Promise<RouteCall> {
  const name = routeName(route);
  const make = ROUTE_CALLS[name] ?? ROUTE_CALLS[name.replace(' /v2/', ' /v1/')];
  if (!make) throw new Error(`${name} has no request in test/access/`);
  return make(fixtures);
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
