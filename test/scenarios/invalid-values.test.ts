/**
 * Every value of every request, invalid in each way that openapi.json excludes: each version of the route and GraphQL refuse it, name it and
 * write nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { getVariableValues, print, visit } from 'graphql';
import { expect, test } from 'vitest';
import type { Route } from '../../src/rest/compile/route.ts';
import { snakeCase } from '../../src/rest/compile/spelling.ts';
import { fillingsOf } from '../../src/rest/handle/arguments.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { callOf, requestOf, send } from '../access/shared/rules.ts';
import { distinctRoutes, routeName, routes, schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody, Failure, RequestOptions } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { signedBody } from '../support/fixtures/charges.ts';
import { inCamelCase } from '../support/fixtures/orders.ts';
import {
  DIGIT,
  type Fault,
  faultsOf,
  placesIn,
  textFaultsOf,
  withFault,
} from '../support/inputs/invalid-values.ts';
import { operations } from '../support/openapi.ts';

const CASES = distinctRoutes.map((route) => {
  const name = routeName(route);
  const { parameters = [], requestBody } = operations.find((each) => each.name === name)?.operation ?? {};
  const { schema: body, example } = requestBody?.content['application/json'] ?? {};
  const textFaults = parameters.flatMap((parameter) =>
    textFaultsOf(parameter).map((fault) => ({ ...fault, parameter })),
  );
  return { name, route, example, faults: body ? placesIn(body).flatMap(faultsOf) : [], textFaults };
});

/** A request with an invalid value, and its refusal as {@link refusal} writes it; the same in GraphQL, if that can express it. */
interface Attempt {
  readonly path: string;
  readonly options: RequestOptions;
  readonly refused: string;
  readonly inGraph?:
    | { readonly variables: Readonly<Record<string, unknown>>; readonly refused: string }
    | undefined;
}

const refusal = ({ code = '', details = [] }: Partial<Failure> = {}) =>
  `${code} at ${details.map(({ path }) => snakeCase(path))}`;

/** The path of a value of a route, in the arguments of its field. */
function argumentPath({ variables, root }: Route, path: Fault['path']): string | undefined {
  const variable = variables.find(({ name, source }) => source === 'body' || name === path[0]);
  const filling = fillingsOf(root.node).find(({ node }) => node.name.value === variable?.name);
  const inside = variable?.source === 'body' ? path : path.slice(1);
  return filling && [snakeCase(filling.path), ...inside].join('.');
}

/** One in this many values that the type system of GraphQL refuses is sent there, which is about one for each member. */
const SAMPLED = 4;

const camelCased = (value: unknown) => (value === undefined ? undefined : inCamelCase(value));

describeOnSqlite('an invalid value', (engine) => {
  const app = startApp(engine);
  const fixtures = createFixtures(app, engine);

  async function expectRefusals(route: Route, attempts: readonly Attempt[]) {
    // The operation of the route, as a client sends it to /graphql.
    const query = print(visit(route.document.document, { Directive: () => null }));
    const definitions = route.document.definition.variableDefinitions ?? [];
    const versions = routes.filter(({ document }) => document === route.document);
    const unexpected: string[] = [];
    await writesNothing(app, async () => {
      for (const [index, { path, options, refused, inGraph }] of attempts.entries()) {
        const version = versions[index % versions.length]?.path.slice(0, 3) ?? '';
        const { status, body, text } = await send<ErrorBody>(
          app,
          route,
          path.replace(/^\/v1/, version),
          options,
        );
        if (`${status} ${refusal(body.error)}` !== refused)
          unexpected.push(`${path}: ${refused}, not ${text}`);
        if (!inGraph) continue;
        const { variables } = inGraph;
        const ofType = getVariableValues(schema, definitions, variables).errors;
        if (ofType && index % SAMPLED !== 0) continue;
        const response = await app.graphql(query, variables, { as: 'ada' });
        const wanted = ofType ? 'invalid_variables at ' : inGraph.refused;
        // A value in the place of a list is a list of one.
        if (!refusal(response.body.errors?.[0]?.extensions).startsWith(wanted))
          unexpected.push(`in GraphQL: ${wanted}, not ${response.text}`);
      }
    });
    expect(unexpected).toEqual([]);
  }

  const inBodies = CASES.filter(({ faults }) => faults.length > 0);
  test.each(inBodies)('in the body of $name', async ({ route, example, faults }) => {
    const call = await callOf(route, fixtures);
    const { path } = requestOf(route, call);
    const whole = route.variables.find(({ source }) => source === 'body')?.name;
    // One key for all: a refusal must not be stored under it.
    const key = fixtures.key();
    const attempts = faults.map((fault): Attempt => {
      const body = withFault({ ...Object(example), ...Object(call.body) }, fault);
      const isEmptyOrder = fault.path.join() === 'items' && isDeepStrictEqual(fault.value, []);
      const code = isEmptyOrder ? 'empty_order' : 'validation_failed';
      const refused = `422 ${code} at ${fault.path.join('.')}`;
      if (route.signed) return { path, options: signedBody(app, JSON.stringify(body)), refused };
      const members = Object.entries(Object(body)).map(([name, value]) => [name, camelCased(value)]);
      const given = whole ? { [whole]: camelCased(body) } : Object.fromEntries(members);
      const variables = { ...call.params, ...given, idempotency_key: key };
      const at = argumentPath(route, fault.path);
      const isId = fault.value === DIGIT;
      const inGraph = at === undefined || isId ? undefined : { variables, refused: `${code} at ${at}` };
      return { path, options: { body, headers: { 'idempotency-key': key } }, refused, inGraph };
    });
    await expectRefusals(route, attempts);
  });

  const inParameters = CASES.filter(({ textFaults }) => textFaults.length > 0);
  test.each(inParameters)('in a parameter of $name', async ({ route, textFaults }) => {
    const call = await callOf(route, fixtures);
    const attempts = textFaults.map(({ parameter: { name, in: where }, path: at, texts, value }): Attempt => {
      const inPath = where === 'path' ? { [name]: encodeURIComponent(texts.join()) } : {};
      const { path, ...options } = requestOf(route, { ...call, params: { ...call.params, ...inPath } });
      const query = new URLSearchParams(texts.map((text): [string, string] => [name, text]));
      const isCursor = name === 'cursor' && texts.length === 1;
      const type = String(route.variables.find((each) => each.name === name)?.type);
      const refused = isCursor ? 'invalid_cursor at ' : `validation_failed at ${argumentPath(route, at)}`;
      return {
        path: where === 'path' ? path : `${path}?${query}`,
        options,
        refused: isCursor ? '400 invalid_cursor at ' : `400 invalid_parameter at ${at.join('.')}`,
        // In GraphQL, null is no value, and an invalid id is that of nothing.
        inGraph:
          value === null || type.startsWith('ID')
            ? undefined
            : { variables: { ...call.params, [name]: value }, refused },
      };
    });
    await expectRefusals(route, attempts);
  });
});
