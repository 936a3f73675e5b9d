/** GraphQL responses announce deprecated parts that the operation uses. */

import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { readSunsets } from '../../src/graphql/deprecations.ts';
import { enforceAuth } from '../../src/graphql/directives/auth.ts';
import { headOf } from '../../src/http/routes/graphql/over-http.ts';
import type { Context } from '../../src/pipeline/context.ts';
import { createOperations } from '../../src/pipeline/operations.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import { responseTo } from '../../src/pipeline/response.ts';
import { runOperation } from '../../src/pipeline/run.ts';
import { DEFAULTS } from '../support/settings.ts';

const BASE = readFileSync(new URL('../../schema/base.graphql', import.meta.url), 'utf8');

const schema = makeExecutableSchema({
  typeDefs: [
    parse(BASE),
    `
    enum Role { ADMIN }
    extend type Mutation { change: Int @public }
    extend type Query {
      new: Int @public
      old: Int @public @deprecated(reason: "Use new.") @sunset(since: "2026-11-01", successor: "Query.new")
      short: Int @public @deprecated(reason: "Use new.") @sunset(since: "2026-12-01", on: "2027-01-01")
      sorted(by: Order): Int @public
    }
    enum Order { UP DOWN @deprecated(reason: "Use UP.") @sunset(since: "2026-11-01") }`,
  ],
  resolvers: {
    Query: {
      new: () => 1,
      old: () => 1,
      short: () => {
        throw new Error('no');
      },
      sorted: () => 1,
    },
  },
});
readSunsets(schema);
enforceAuth(schema);

describe('a GraphQL response', () => {
  const notes: unknown[] = [];
  const operations = createOperations({
    ...DEFAULTS.operations,
    schema,
    pricing: createPricing(schema, DEFAULTS.operations),
    production: false,
  });

  async function ask(query: string, variables: Readonly<Record<string, unknown>> = {}) {
    notes.length = 0;
    // The pipeline uses no other part of the context.
    const context = {
      basePath: '/shop',
      principal: null,
      noteDeprecatedUse: (...note: unknown[]) => notes.push(note),
      noteInternalError() {},
      noteOperation() {},
      notePoints() {},
      requestCost: { request() {}, pay() {}, take() {}, settle() {}, most: 1000, report: undefined },
      scheduler: { enter: async () => {}, charge() {} },
      metrics: { cost() {}, operation() {}, refused() {} },
      replayed: [],
    } as unknown as Context;
    const outcome = await runOperation(
      {
        door: 'graphql',
        find: (caller) => operations.find(query, undefined, caller),
        readVariables: (operation) => operation.checked(variables),
      },
      context,
    );
    const { extensions: given } = responseTo(outcome, context);
    const { headers } = headOf(outcome, context, (failure) => failure.status);
    const { deprecation, sunset, link } = headers;
    const extensions = given as { deprecations: { coordinate: string }[] } | undefined;
    const names = extensions?.deprecations.map(({ coordinate }) => coordinate);
    return { headers: { deprecation, sunset, link }, names, extensions };
  }

  const LINK = '</shop/docs/versions>; rel="deprecation"; type="text/html"';
  const OLD = { deprecation: '@1793491200', sunset: 'Mon, 01 Nov 2027 00:00:00 GMT', link: LINK };

  test.each([
    { title: 'with a deprecated field', query: '{ old }', headers: OLD, names: ['Query.old'] },
    {
      title: 'with two: the dates that come first',
      query: '{ old short }',
      headers: { deprecation: '@1793491200', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT', link: LINK },
      names: ['Query.old', 'Query.short'],
    },
    {
      title: 'with a deprecated value in a variable',
      query: 'query ($by: Order) { sorted(by: $by) }',
      variables: { by: 'DOWN' },
      headers: OLD,
      names: ['Order.DOWN'],
    },
    {
      title: 'that was refused for its variables',
      query: 'query ($by: Order!) { old sorted(by: $by) }',
      headers: OLD,
      names: ['Query.old'],
    },
  ])('$title announces it, and it is recorded', async ({ query, variables, headers, names }) => {
    const response = await ask(query, variables);
    expect(response.headers).toEqual(headers);
    expect(response.names).toEqual(names);
    expect(notes).toEqual([[null, names]]);
  });

  test('has the reason, both dates and the replacement', async () => {
    expect((await ask('{ old }')).extensions).toEqual({
      deprecations: [
        {
          coordinate: 'Query.old',
          reason: 'Use new.',
          deprecatedAt: '2026-11-01T00:00:00.000Z',
          sunsetAt: '2027-11-01T00:00:00.000Z',
          successor: 'Query.new',
        },
      ],
    });
  });

  test.each([
    { title: 'without anything deprecated', query: '{ new }' },
    { title: 'with a value beside the deprecated one', query: '{ sorted(by: UP) }' },
    { title: 'to a document that does not match the schema', query: '{ old nothing }' },
    { title: 'to an invalid document', query: '{ old' },
    {
      title: 'that only reads the schema',
      query: '{ __type(name: "Query") { fields(includeDeprecated: true) { name } } }',
    },
  ])('$title announces nothing, and nothing is recorded', async ({ query }) => {
    const { headers, extensions } = await ask(query);
    expect(headers).toEqual({ deprecation: undefined, sunset: undefined, link: undefined });
    expect(extensions).toBeUndefined();
    expect(notes).toEqual([]);
  });
});
