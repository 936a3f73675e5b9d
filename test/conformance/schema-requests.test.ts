/**
 * Requests that openapi.json allows are refused only for reasons that no schema can express, and both engines
 * return the same, also for random GraphQL queries among them. `REQUESTS` is the number per engine, `SEED`
 * the seed: REQUESTS=20000 npx vitest run test/conformance/schema-requests
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { randomQuery } from '../support/inputs/random-queries.ts';
import { type SchemaRequest, schemaRequests } from './schema-requests.ts';

const COUNT = Number(process.env['REQUESTS'] ?? 500);
const SEED = Number(process.env['SEED'] ?? 20_261_122);

/** One in this many is a GraphQL query. */
const QUERIES = 5;

/** Refusals that depend on stored data, the caller or the time: no schema can express them. */
const BEYOND_SCHEMAS = new Set([
  'forbidden',
  'not_found',
  'conflict',
  'invalid_transition',
  'precondition_failed',
  'invalid_cursor',
  'page_too_deep',
  'idempotency_key_reused',
  'card_declined',
  'payment_gateway_failed',
  'payment_gateway_unavailable',
]);

/** The same for single values, by their message. */
const VALUES_BEYOND_SCHEMAS = [
  / is not a (person|product) of your organisation\.?$/,
  / is not an order of your organisation\.?$/,
  / is archived and can no longer be ordered\.?$/,
  /^currency can only be changed together with the price\.?$/,
  / is sold in [A-Z]{3}, but the order is in [A-Z]{3}\.?$/,
  / is in [A-Z]{3}, but the order is in [A-Z]{3}\.?$/,
  / must have (no|at most \d) digits after the point: it is in [A-Z]{3}\.?$/,
  / was withdrawn from ISO 4217\.?$/,
  / must be a source of the sandbox: /,
  / is not the client id of an app\.?$/,
  // In hexadecimal digits with or without colons, or in base64url.
  / must be the SHA-256 of the certificate: /,
  // Valid values of one member of an app depend on another one.
  / must have exactly one of its members\.?$/,
  /^redirect_uris must have at least one element\.?$/,
  / cannot be combined with /,
  / must be empty: a service app does not redirect people\.?$/,
  / must be web or service for an app with keys or a certificate\.?$/,
];

/** Members whose values are random, or sealed with a key of the server. */
const RANDOM = /^(key|\w*secret|kid|x|\w*cursor)$/i;

/** The ids of a table, in order. */
type Positions = ReadonlyMap<unknown, number>;

interface Ids {
  readonly events: Positions;
  /** The ids of subjects, by their type. */
  readonly of: Readonly<Record<string, Positions | undefined>>;
}

/**
 * A body without random values and ids of order items, and with ids of orders, certificates and events as
 * positions: PostgreSQL allocates an id before the row is known to be inserted, and so skips some.
 */
function comparable(value: unknown, ids: Ids, own: Positions | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(each, ids, own));
  if (typeof value !== 'object' || value === null) return value;
  const isEvent = 'subject' in value && 'actor_id' in value;
  const positions = isEvent ? ids.events : own;
  const members = Object.entries(value).map(([name, member]) => {
    if (RANDOM.test(name) && typeof member === 'string') return [name, 'random'];
    // The id of an audit log entry about an event is derived from the event's id.
    if (name === 'event_id') return [name, ids.events.get(member) ?? member];
    if (name === 'id' && 'event_id' in value && value.event_id !== null) return [name, 'of its event'];
    if (name === 'order_id') return [name, ids.of['order']?.get(member) ?? member];
    if (name === 'subject_id' && 'subject_type' in value) {
      return [name, ids.of[String(value.subject_type)]?.get(member) ?? member];
    }
    if (name === 'id' && positions) return [name, positions.get(member) ?? member];
    if (name === 'subject') {
      return [name, comparable(member, ids, ids.of[(member as { type: string }).type])];
    }
    if (name === 'items' && Array.isArray(member)) {
      return [name, member.map((item: object) => ({ ...item, id: 'of its row' }))];
    }
    return [name, comparable(member, ids, own)];
  });
  return Object.fromEntries(members);
}

interface GraphErrors {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly (string | number)[]; readonly extensions?: object }[];
}

/**
 * A GraphQL response whose errors are replaced by the nulls that they caused. Of several errors under one
 * null, only the first is reported, and which one that is may vary (GraphQL, section 6.4.4).
 */
function withNulls(body: unknown): unknown {
  const { data, errors, ...rest } = body as GraphErrors;
  if (!data || !errors) return body;
  const nulls = errors.map(({ path = [] }) => {
    let value: unknown = data;
    const depth = path.findIndex((step) => {
      value = Reflect.get(value as object, step);
      return value === null;
    });
    return path.slice(0, depth + 1).join('.');
  });
  return { ...rest, data, nulls: [...new Set(nulls)].toSorted() };
}

const queries = (seed: number, count: number): SchemaRequest[] =>
  fc
    .sample(randomQuery(3), { seed, numRuns: count })
    .map((body) => ({ name: 'POST /graphql', method: 'POST', path: '/graphql', headers: {}, body }));

function requests(): SchemaRequest[] {
  const graph = queries(SEED, Math.ceil(COUNT / QUERIES));
  return [...graph, ...schemaRequests(SEED, COUNT - graph.length)];
}

interface Answer {
  readonly request: SchemaRequest;
  readonly status: number;
  readonly body: unknown;
}

/** The responses by engine, in order. */
const responses = new Map<string, readonly Answer[]>();

/** Refusals that a schema could have expressed. */
function isUnexpected({ request, status, body }: Answer): boolean {
  if (status < 400 || request.path === '/graphql') return status >= 500;
  const { code, message, details = [] } = (body as ErrorBody).error;
  if (BEYOND_SCHEMAS.has(code)) return false;
  const messages = details.length > 0 ? details.map((each) => `${each.path} ${each.message}`) : [message];
  return !messages.every((each) => VALUES_BEYOND_SCHEMAS.some((pattern) => pattern.test(each)));
}

describeEachEngine(`${COUNT} requests that openapi.json allows`, (engine) => {
  const app = startApp(engine);

  test(
    'are refused only for reasons that no schema can express',
    async () => {
      const got: Answer[] = [];
      for (const request of requests()) {
        const { method, path, headers, body } = request;
        const response = await app.request(method, path, {
          as: 'ada',
          headers,
          ...(body !== undefined && { body }),
        });
        const { status, text } = response;
        got.push({ request, status, body: response.body ?? text });
      }
      const positionsOf = async (table: string): Promise<Positions> => {
        const rows = await engine.place.query(`select id from ${table} order by id`);
        return new Map(rows.map(({ id }, index) => [Number(id), index + 1]));
      };
      const [orders, certificates] = [await positionsOf('orders'), await positionsOf('client_certificates')];
      const ids = {
        events: await positionsOf('events'),
        of: { order: orders, client_certificate: certificates },
      };
      const ownOf = (path: string) =>
        /\/orders\b/.test(path) ? orders : /\/client-certificates\b/.test(path) ? certificates : undefined;
      responses.set(
        engine.name,
        got.map(({ request, status, body }) => ({
          request,
          status,
          body: comparable(request.path === '/graphql' ? withNulls(body) : body, ids, ownOf(request.path)),
        })),
      );
      expect(got.filter(isUnexpected)).toEqual([]);
      expect(got.filter(({ status }) => status < 300).length).toBeGreaterThan(COUNT / 3);
    },
    COUNT * 100,
  );
});

test('both engines give equal responses', ({ skip }) => {
  const [first, second] = [...responses.values()];
  if (!first || !second) return skip('There is only one engine.');
  expect(first.length).toBe(second.length);
  const different = first.flatMap((response, index) =>
    isDeepStrictEqual(response, second[index]) ? [] : [{ first: response, second: second[index] }],
  );
  // Compared as text, because a report about objects is cut off before the differing member.
  expect(different.slice(0, 5).map((each) => JSON.stringify(each))).toEqual([]);
});
