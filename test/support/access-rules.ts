/** The declarations of all resources in `test/access/`. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { CALLERS, type GraphCall, type ResourceFacts, type RouteCall, type Rules } from './access-calls.ts';
import type { Making } from './access-ground.ts';
import { ROOT } from './process.ts';

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
