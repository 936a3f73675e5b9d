/**
 * Values that the types of inputs admit and that no row can have, in every input of the schema and the routes: each is refused, with its
 * path, before anything reads it.
 */
import { randomUUID } from 'node:crypto';
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isScalarType,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { constraintOf } from '../../src/graphql/directives/constraint.ts';
import type { Schema } from '../../src/rest/openapi/types.ts';
import { requests, send } from '../access/shared/rules.ts';
import {
  distinctRoutes,
  type RootField,
  rootFields,
  routeName,
  schema,
  streamRoutes,
} from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody, GraphQLBody } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { signedEvent, signedStripeBody } from '../support/fixtures/charges.ts';
import { DOCUMENT_DOORS } from '../support/graphql-doors.ts';
import { placesIn } from '../support/inputs/invalid-values.ts';
import { operations } from '../support/openapi.ts';

/** Stands for a hostile value in a text of JSON, since `JSON.stringify` could not write all of them. */
const MARK = 'a hostile value';

const DEPTH = 20_000;

/** Each with the kinds of inputs that admit it. */
const HOSTILE = [
  { title: 'an unpaired surrogate', json: '"\\ud800"', of: ['String', 'ID', 'JSON'] },
  { title: 'U+0000', json: '"\\u0000"', of: ['String', 'ID', 'JSON'] },
  { title: 'a member with an unpaired surrogate', json: '{"\\ud800":1}', of: ['JSON'] },
  { title: 'deeply nested lists', json: '['.repeat(DEPTH) + ']'.repeat(DEPTH), of: ['JSON'] },
];

/** Values of inputs that do not take the hostile one, by type. */
const OTHERS: Readonly<Record<string, unknown>> = {
  String: 'text',
  ID: '1',
  JSON: {},
  Int: 1,
  Decimal: 1,
  Boolean: true,
  DateTime: '2026-09-01T12:00:00.000Z',
};

/** A part of the schema that a value fills. */
type Input = Parameters<typeof constraintOf>[1];

interface Filled {
  readonly value: unknown;
  /** The paths of the hostile value. */
  readonly paths: readonly string[];
}

/** Returns a value for an input, with the hostile one in each part of one of these types that is not a message of another system. */
function filled(input: Input, given: GraphQLInputType, of: readonly string[], path: string): Filled {
  const type = getNullableType(given);
  if (isListType(type)) {
    const { value, paths } = filled(input, type.ofType, of, `${path}.0`);
    return { value: [value], paths };
  }
  if (isEnumType(type)) return { value: type.getValues()[0]?.name, paths: [] };
  if (isScalarType(type)) {
    const isChecked = !constraintOf(schema, input)?.unchecked;
    if (isChecked && of.includes(type.name)) return { value: MARK, paths: [path] };
    return { value: OTHERS[type.name] ?? expect.unreachable(`Add a value for ${type.name}.`), paths: [] };
  }
  if (!isInputObjectType(type)) return expect.unreachable();
  const parts = Object.values(type.getFields()).map((member) => ({
    name: member.name,
    ...filled(member, member.type, of, `${path}.${member.name}`),
  }));
  return {
    value: Object.fromEntries(parts.map(({ name, value }) => [name, value])),
    paths: parts.flatMap(({ paths }) => paths),
  };
}

const CURSORS = ['after', 'before'];

/** The body of a request for a root field with hostile values in all its arguments; undefined if none takes them. */
function requestFor({ operation, field }: RootField, { json, of }: (typeof HOSTILE)[number]) {
  const args = field.args.map((arg) => ({
    name: arg.name,
    type: arg.type,
    // A key is validated elsewhere. With one, the arguments are read for the fingerprint of the request.
    ...(arg.name === 'idempotencyKey'
      ? { value: randomUUID(), paths: [] }
      : filled(arg, arg.type, of, arg.name)),
  }));
  const paths = args.flatMap((arg) => arg.paths);
  if (paths.length === 0) return undefined;
  const variables = args.map(({ name, type }) => `$${name}: ${type}`).join(' ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(' ');
  const query = `${operation} (${variables}) { ${field.name}(${passed}) ${isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'} }`;
  const values = Object.fromEntries(args.map(({ name, value }) => [name, value]));
  const text = JSON.stringify({ query, variables: values }).replaceAll(`"${MARK}"`, () => json);
  return { text, paths };
}

/** Each member of a body that is a URI, by its path, with the first element of each list. */
const urisIn = (body: Schema): string[] =>
  placesIn(body)
    .filter(({ path, schema: { format } }) => format === 'uri' && !path.includes(1))
    .map(({ path }) => path.join('.'));

const bodyOf = (name: string): Schema => {
  const { requestBody } = operations.find((each) => each.name === name)?.operation ?? {};
  return requestBody?.content?.['application/json']?.schema ?? {};
};

const URIS = distinctRoutes
  .filter(({ hasBody, signed }) => hasBody && !signed)
  .flatMap((route) =>
    urisIn(bodyOf(routeName(route))).map((path) => ({ name: routeName(route), route, path })),
  );

/** What `URL` reads as a URL, and RFC 3986 does not allow. */
const NO_URIS = ['münchen.example/', 'a.example/{x}', 'a.example/a b', 'a.example/%zz', 'a.example/[x]'];

/** Sets the value at a path, beside which the objects on the way have no other members. */
function withValue(body: unknown, path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : rest[0] === '0' ? [value] : withValue({}, rest.join('.'), value);
  return { ...(body as object), [name]: inner };
}

// All are refused before any statement that depends on the engine.
describeOnSqlite('a hostile value', (engine) => {
  const app = startApp(engine);
  const requestOf = requests(app, engine);
  beforeAll(() => app.signIn('ada'));

  describe.each(HOSTILE)('$title', (hostile) => {
    test('is refused by every root field, in every argument', async () => {
      let refused = 0;
      for (const root of rootFields) {
        const sent = requestFor(root, hostile);
        if (!sent) continue;
        // A refused subscription has a single response.
        const isStream = root.operation === 'subscription';
        const headers = { accept: isStream ? 'text/event-stream, application/json;q=0.9' : '*/*' };
        const request = { as: 'ada', headers, text: sent.text } as const;
        const { body } = await app.post<GraphQLBody<unknown>>('/graphql', request);
        const { code, details = [] } = body.errors?.[0]?.extensions ?? expect.unreachable(root.name);
        refused += 1;
        if (code === 'invalid_cursor') {
          expect(
            sent.paths.filter((path) => !CURSORS.includes(path)),
            root.name,
          ).toEqual([]);
          continue;
        }
        expect([root.name, code]).toEqual([root.name, 'validation_failed']);
        for (const path of sent.paths.slice(0, LIMITS.errorDetails))
          expect(
            details.some((detail) => detail.path.startsWith(path)),
            `${root.name} ${path}`,
          ).toBe(true);
      }
      expect(refused).toBeGreaterThan(0);
    });
  });

  test('below a long name has a short path: a response is not many times as long as its request', async () => {
    const jwks = { [MARK.repeat(10_000)]: Array(LIMITS.errorDetails).fill('\u0000') };
    const body = { name: 'Long', type: 'service', scopes: ['read:orders'], jwks };
    const { status, text } = await app.post('/v1/apps', { as: 'ada', body });
    expect([status, text.includes(`"jwks.${MARK}`)]).toEqual([422, true]);
    expect(text.length).toBeLessThan(JSON.stringify(body).length);
  });

  test('in a message of another system is no reason to refuse it', async () => {
    const object = { id: 'pi_none', metadata: { note: '\u0000 \ud800', '\ud800': MARK } };
    const type = 'payment_intent.succeeded';
    const event = JSON.stringify({ id: 'evt_hostile', object: 'event', type, data: { object } });
    for (const { json } of HOSTILE) {
      const signed = signedStripeBody(
        app,
        event.replace(`"${MARK}"`, () => json),
      );
      const { status, text } = await app.post('/v1/payment-events/stripe', signed);
      expect(status, text).toBe(200);
    }
    const data = { charge_id: 999_999, note: '\u0000 \ud800' };
    const own = await app.post('/v1/payment-events', signedEvent(app, { type: 'charge.succeeded', data }));
    expect(own.status, own.text).toBe(200);
  });

  describe.each(URIS)('$name', ({ route, path }) => {
    test(`refuses texts as ${path} that are no URIs, and returns URIs as they were sent`, async () => {
      const { path: url, ...call } = await requestOf(route);
      for (const text of NO_URIS) {
        const body = withValue(call.body, path, `https://${text}`);
        const { status, body: refusal } = await send<ErrorBody>(app, route, url, { ...call, body });
        expect([text, status, refusal.error.code]).toEqual([text, 422, 'validation_failed']);
        expect(refusal.error.details?.map((detail) => detail.path)).toContain(path);
      }
      if (path.includes('.')) return;
      const body = withValue(call.body, path, 'https://Hooks.Example.com/%c3%bc?a=%5B');
      const response = await send<Record<string, unknown>>(app, route, url, { ...call, body });
      expect([response.status < 300, response.body[path]]).toEqual([true, Reflect.get(body, path)]);
    });
  });

  const inQuery = distinctRoutes.flatMap((route) =>
    route.variables
      .filter(({ source }) => source === 'query')
      .map(({ name }) => ({
        title: `${name} of ${routeName(route)}`,
        path: route.path,
        name,
        accept: '*/*',
      })),
  );
  const inStreams = streamRoutes.map(({ path }) => ({
    title: `type of the stream ${path}`,
    path,
    name: 'type',
    accept: 'text/event-stream',
  }));
  test('a parameter that is not percent-encoded UTF-8 is refused by every route', async () => {
    for (const { title, path, name, accept } of [...inQuery, ...inStreams]) {
      const filledPath = path.replace('{org}', 'acme').replaceAll(/\{\w+\}/g, '1');
      for (const text of ['%ff', '100%']) {
        const url = `${filledPath}?${name}=${text}`;
        const { status, body } = await app.get<ErrorBody>(url, { as: 'ada', headers: { accept } });
        expect([title, status, body.error.code]).toEqual([title, 400, 'invalid_parameter']);
        expect(body.error.details).toEqual([{ path: name, message: 'must be percent-encoded UTF-8' }]);
      }
    }
  });

  test.each(['query', 'variables', 'operationName', 'extensions', 'documentId'])(
    'a parameter %s of GET /graphql that is not percent-encoded UTF-8 is refused',
    async (name) => {
      const { status, text } = await app.get(`/graphql?query={me{id}}&${name}=%ff`, { as: 'ada' });
      expect(status).toBe(400);
      expect(text).toContain(`\\"${name}\\" must be percent-encoded UTF-8`);
    },
  );

  test.each(['query%', 'query%=1', 'none=%ff'])(
    'an unknown parameter of GET /graphql, such as %s, is ignored',
    async (text) => {
      const { status } = await app.get(`/graphql?query={me{id}}&${text}`, { as: 'ada' });
      expect(status).toBe(200);
    },
  );

  test('a path that is not percent-encoded UTF-8 is refused', async () => {
    const { status, body } = await app.get<ErrorBody>('/v1/products/%ff', { as: 'ada' });
    expect([status, body.error.code]).toEqual([400, 'malformed_request']);
    expect(body.error.message).toBe('The path is not percent-encoded UTF-8.');
  });

  describe('a number that parsing would change', () => {
    const query = 'query ($first: Int) { products(first: $first) { nodes { id } } }';
    const INEXACT = '9007199254740993';
    const refusal = {
      code: 'validation_failed',
      details: [{ path: 'variables.first', message: 'is a number that cannot be represented exactly' }],
    };
    const variables = `{"first":${INEXACT}}`;

    test.each(DOCUMENT_DOORS)('is refused with its path by $name', async (door) => {
      const visit = await door.open(app, 'ada');
      // `JSON.rawJSON` writes the digits as they are.
      const first = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(INEXACT);
      const { body } = await visit.send({ query, variables: { first } });
      expect(body?.errors?.map(({ extensions }) => extensions)).toEqual([refusal]);
      // A WebSocket stays open, with its other operations.
      const after = await visit.send({ query, variables: { first: 1 } });
      expect(after.body?.data).toBeDefined();
      visit.close();
    });

    test('is refused with its path by a GET', async () => {
      const url = `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(variables)}`;
      const { status, body } = await app.get<GraphQLBody<unknown>>(url, { as: 'ada' });
      expect([status, body.errors?.map(({ extensions }) => extensions)]).toEqual([422, [refusal]]);
    });
  });
});
