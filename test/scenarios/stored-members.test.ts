/** Members of a body that a response has too: what a client sends is what it gets, so no member is accepted and then ignored. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Schema } from '../../src/rest/openapi/types.ts';
import { requests, send } from '../access/shared/rules.ts';
import { distinctRoutes, routeName } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { valuesOf } from '../support/inputs/openapi-requests.ts';
import { type DescribedOperation, openApi, operations } from '../support/openapi.ts';

/** Values per member, of which some may be refused by a rule that the schema does not have. */
const VALUES = 20;
const ACCEPTED = 3;

/** Members whose value in the response is another one. */
const DIFFERENT = [
  // Credentials are exchanged for new ones.
  'POST /v1/auth/login device_token',
  'POST /v1/auth/refresh refresh_token',
  // It is shown without what follows its type.
  'POST /v1/charges source',
  'POST /v2/charges source',
  // The response is the charge, with its own amount.
  'POST /v2/charges/{charge_id}/refunds amount',
];

type Json = Readonly<Record<string, unknown>>;

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : (openApi.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

const membersOf = (schema: Schema): Readonly<Record<string, Schema>> => {
  const { properties = {}, anyOf = [] } = resolved(schema);
  return Object.assign({}, ...anyOf.map(membersOf), properties);
};

type Described = DescribedOperation['operation'];

const schemaIn = (part: Described['requestBody'] | Described['responses'][string]) =>
  membersOf((part && 'content' in part && part.content?.['application/json']?.schema) || {});

const cases = distinctRoutes.flatMap((route) => {
  const { operation } = operations.find(({ name }) => name === routeName(route)) ?? {};
  const shown = schemaIn(operation?.responses[String(route.status)]);
  return Object.entries(schemaIn(operation?.requestBody))
    .filter(([member]) => member in shown && !DIFFERENT.includes(`${routeName(route)} ${member}`))
    .map(([member, schema]) => ({ title: `${routeName(route)} returns ${member}`, route, member, schema }));
});

/** What a response must have for a value: lists of names in any order, and objects that may have further members. */
function shownAs(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((each) => typeof each === 'string')
      ? expect.toSatisfy(sameTexts(value))
      : value.map(shownAs);
  }
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)),
  );
}

const sameTexts = (texts: readonly string[]) => (shown: unknown) =>
  Array.isArray(shown) && new Set(texts).symmetricDifference(new Set(shown)).size === 0;

describeEachEngine(
  'a body',
  (engine) => {
    const app = startApp(engine);
    const request = requests(app, engine);

    test.each(cases)('$title as it was sent', async ({ route, member, schema }) => {
      let accepted = 0;
      let refusal = '';
      // The first request has its own value. Null selects a default in some bodies.
      const values = fc
        .sample(valuesOf(schema), { seed: 1, numRuns: VALUES })
        .filter((value) => value !== null);
      for (const given of [undefined, ...values]) {
        const { path, ...call } = await request(route);
        const own = (call.body ?? {}) as Json;
        const value = given ?? own[member];
        if (value === undefined) continue;
        const response = await send<Json>(app, route, path, { ...call, body: { ...own, [member]: value } });
        expect(response.status, response.text).toBeLessThan(500);
        if (response.status >= 400) {
          refusal = response.text;
          continue;
        }
        expect(response.body).toHaveProperty(member, shownAs(value));
        accepted += 1;
        if (accepted === ACCEPTED) return;
      }
      expect(accepted, `Every body was refused, the last one with ${refusal}`).toBeGreaterThan(0);
    });
  },
  'sqlite',
);
