/** A refused operation has the same code, price and count through every door. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { ErrorBody, GraphQLBody, Sender } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { callTool, failureIn } from '../support/mcp.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { eventsIn, SocketClient, subscribe } from '../support/raw-clients.ts';
import { DEFAULTS } from '../support/settings.ts';
import { scriptedLoad } from '../support/test-doubles.ts';

const POINTS = 5000;
const PER_SECOND = 1000;

interface Asked {
  readonly as?: Sender | undefined;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  /** The equivalent REST request, if there is one. */
  readonly rest?: { readonly path: string; readonly method?: string };
  /** The equivalent tool call, if there is one. */
  readonly tool?: readonly [name: string, args: Readonly<Record<string, unknown>>];
}

/** Sends an operation. @returns the code of its refusal; undefined if the door does not support it. */
interface Door {
  readonly name: string;
  ask(app: TestApp, asked: Asked): Promise<string | undefined>;
}

const codeIn = (body: GraphQLBody<unknown> | undefined) => body?.errors?.[0]?.extensions.code ?? 'answered';

const sender = (as: Sender | undefined) => (as === undefined ? {} : { as });

async function overPost(app: TestApp, { as, ...body }: Asked): Promise<string> {
  const { rest: _, tool: __, ...message } = body;
  return codeIn((await app.post<GraphQLBody<unknown>>('/graphql', { ...sender(as), body: message })).body);
}

function addressOf({ query, variables, operationName }: Asked): string {
  const parameters = new URLSearchParams({ query });
  if (variables) parameters.set('variables', JSON.stringify(variables));
  if (operationName !== undefined) parameters.set('operationName', operationName);
  return `/graphql?${parameters}`;
}

const DOORS: readonly Door[] = [
  {
    name: 'REST',
    async ask(app, { as, rest }) {
      if (!rest) return undefined;
      const { method = 'GET', path } = rest;
      const { body, status } = await app.request<ErrorBody>(method, path, sender(as));
      return status < 300 ? 'answered' : body.error.code;
    },
  },
  {
    name: 'MCP',
    async ask(app, { as, tool }) {
      if (!tool) return undefined;
      return failureIn(await callTool(app, ...tool, { as }))?.code ?? 'answered';
    },
  },
  { name: 'GraphQL by POST', ask: overPost },
  {
    name: 'GraphQL by GET',
    async ask(app, asked) {
      if (asked.query.startsWith('mutation')) return undefined;
      return codeIn((await app.get<GraphQLBody<unknown>>(addressOf(asked), sender(asked.as))).body);
    },
  },
  {
    name: 'server-sent events',
    async ask(app, { as, rest: _, tool: __, ...body }) {
      const headers = { accept: 'text/event-stream' };
      const { text, ...response } = await app.post<GraphQLBody<unknown>>('/graphql', {
        ...sender(as),
        headers,
        body,
      });
      if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
        return codeIn(response.body);
      return codeIn(JSON.parse(eventsIn(text)[0]?.data ?? '{}'));
    },
  },
  {
    name: 'a WebSocket',
    async ask(app, { as, query, variables, operationName }) {
      const token = typeof as === 'string' ? (await app.signIn(as)).token : as?.token;
      const client = new SocketClient(app.port);
      try {
        await client.open(token === undefined ? undefined : { accessToken: token });
      } catch {
        // Invalid credentials close the socket.
        return client.closed?.reason;
      }
      const { payload, ...message } = subscribe('1', query, variables);
      client.send({
        ...message,
        payload: { ...payload, ...(operationName !== undefined && { operationName }) },
      });
      const outcome = await client.got(({ type }) => type === 'next' || type === 'error');
      client.socket.close();
      // The payload of either message type.
      const body = outcome['type'] === 'error' ? { errors: outcome['payload'] } : outcome['payload'];
      return codeIn(body as GraphQLBody<unknown>);
    },
  },
];

const hasCodesOfRest = ({ name }: Door) => name === 'REST' || name === 'MCP';

let serial = 0;

/** Points for parsing a document; one that is too long is not parsed. */
const readingCost = ({ length }: string) =>
  length > LIMITS.documentLength ? 0 : Math.ceil(length / LIMITS.documentCharactersPerPoint);

/** A new document. */
const unseen = (text: string): string => {
  serial += 1;
  return `${text} # ${String(serial).padStart(6, '0')}`;
};

const nested = (levels: number): string =>
  `{ me { id ${'orders { user { '.repeat(levels)} id ${'} }'.repeat(levels)} } }`;

interface Refused {
  readonly title: string;
  readonly ask: (app: TestApp) => Asked | Promise<Asked>;
  readonly code: string;
  /** The code of REST and MCP, if it differs. */
  readonly restCode?: string;
  /** The label in `portico_refusals_total`; the code if omitted. */
  readonly counter?: string;
  /** Points, besides those for parsing the document. */
  readonly points: number;
}

const ORDER = '{ order(id: 1) { id } }';
const GET_ORDER = { tool: ['get_order', { order_id: 1 }] } as const;
const GET_USER = ['get_user', { user_id: 4 }] as const;

const REFUSED: readonly Refused[] = [
  {
    title: 'without credentials',
    ask: () => ({ query: ORDER, rest: { path: '/v1/orders/1' }, ...GET_ORDER }),
    code: 'unauthenticated',
    points: LIMITS.refusalCost,
  },
  {
    title: 'with credentials that are none',
    ask: () => ({ as: { token: 'none' }, query: ORDER, rest: { path: '/v1/orders/1' }, ...GET_ORDER }),
    code: 'invalid_token',
    points: LIMITS.refusalCost,
  },
  {
    title: 'without its scope',
    ask: async (app) => ({
      as: await app.signIn('ada', ['read:users']),
      query: ORDER,
      rest: { path: '/v1/orders/1' },
      ...GET_ORDER,
    }),
    code: 'insufficient_scope',
    points: LIMITS.refusalCost,
  },
  {
    title: 'without its role',
    ask: () => ({
      as: 'vic',
      query: '{ apiKeys { nodes { id } } }',
      rest: { path: '/v1/api-keys' },
      tool: ['list_api_keys', {}],
    }),
    code: 'insufficient_role',
    points: LIMITS.refusalCost,
  },
  {
    title: 'with variables that do not fit',
    ask: () => ({
      as: 'ada',
      query: 'query ($n: Int) { products(first: $n) { endCursor } }',
      variables: { n: 'many' },
      rest: { path: '/v1/products?limit=many' },
      tool: ['list_products', { limit: 'many' }],
    }),
    code: 'invalid_variables',
    restCode: 'invalid_parameter',
    points: LIMITS.refusalCost,
  },
  {
    title: 'with an unknown field',
    ask: () => ({ as: 'ada', query: 'query One { me { id } }', operationName: 'Two' }),
    code: 'operation_not_found',
    points: LIMITS.refusedDocumentCost,
  },
  {
    title: 'that is too deep',
    ask: () => ({ as: 'ada', query: nested(6) }),
    code: 'query_too_deep',
    counter: 'depth',
    points: LIMITS.refusedDocumentCost,
  },
  {
    title: 'with too many tokens',
    ask: () => ({ as: 'ada', query: `{ me { ${'id '.repeat(DEFAULTS.operations.documentTokens)} } }` }),
    code: 'query_too_large',
    counter: 'tokens',
    points: LIMITS.refusedDocumentCost,
  },
  {
    title: 'with too many aliases',
    ask: () => {
      const aliases = Array.from({ length: DEFAULTS.operations.aliases + 1 }, (_, index) => `a${index}: id`);
      return { as: 'ada', query: `{ me { ${aliases.join(' ')} } }` };
    },
    code: 'too_many_aliases',
    counter: 'fields',
    points: LIMITS.refusedDocumentCost,
  },
  {
    title: 'that is too expensive',
    ask: () => ({
      as: 'ada',
      query: '{ me { orders(first: 100) { user { orders(first: 100) { id } } } } }',
    }),
    code: 'cost_exceeded',
    counter: 'cost',
    points: LIMITS.refusalCost,
  },
];

// It is refused before its first statement.
describeOnSqlite('an operation', (engine) => {
  const app = startApp(engine, { budget: { points: POINTS, perSecond: PER_SECOND } });

  /** The remaining points of a caller, after one for reading them. */
  async function left(as: Sender | undefined): Promise<number> {
    const { headers } = await app.get('/v1/orders/nothing', sender(as));
    return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  }

  const counted = async (name: string, labels: Readonly<Record<string, string>>) =>
    sumOf(readMetrics((await app.get('/metrics')).text), name, labels);

  describe.each(REFUSED)('$title', ({ ask, code, restCode = code, counter, points }) => {
    test.each(DOORS)('over $name', async (door) => {
      app.clock.advance((POINTS / PER_SECOND) * 1000);
      const asked = { ...(await ask(app)) };
      const isUnread = points === LIMITS.refusedDocumentCost;
      const query = unseen(asked.query);
      // Parsed once, so that the points below are for the refusal only.
      if (!isUnread) await overPost(app, { ...asked, query });
      const before = await left(asked.as);
      const refusals = await counted('portico_refusals_total', { refusal: counter ?? 'none' });
      const failures = await counted('portico_graphql_operations_total', {
        code: hasCodesOfRest(door) ? restCode : code,
      });
      const got = await door.ask(app, { ...asked, query });
      if (got === undefined) return;
      const refused = (await counted('portico_refusals_total', { refusal: counter ?? 'none' })) - refusals;
      const failed = (await counted('portico_graphql_operations_total', { code: got })) - failures;
      expect(got).toBe(hasCodesOfRest(door) ? restCode : code);
      // Invalid credentials close a WebSocket before there is an operation.
      if (got === 'invalid_token' && door.name === 'a WebSocket') return;
      expect(failed).toBe(1);
      expect(refused).toBe(counter ? 1 : 0);
      const reading = isUnread ? readingCost(query) : 0;
      // A long message is charged for parsing separately.
      const message = Math.ceil(query.length / LIMITS.bodyCharactersPerPoint);
      const spent = before - (await left(asked.as)) - 1 - reading;
      expect(spent).toBeGreaterThanOrEqual(points);
      expect(spent).toBeLessThanOrEqual(
        points + (query.length > LIMITS.bodyCharactersPerPoint ? message : 0),
      );
    });
  });

  test.each(DOORS)('of a caller without points is refused over $name, and counted', async (door) => {
    app.clock.advance((POINTS / PER_SECOND) * 1000);
    const schema = '{ __schema { queryType { name } } }';
    while ((await overPost(app, { as: 'gil', query: schema })) === 'answered');
    while ((await left('gil')) > 0);
    const refusals = await counted('portico_refusals_total', { refusal: 'points' });
    const request = {
      as: 'gil' as const,
      query: '{ me { id } }',
      rest: { path: '/v1/users/4' },
      tool: GET_USER,
    };
    expect(await door.ask(app, request)).toBe('rate_limited');
    expect(await counted('portico_refusals_total', { refusal: 'points' })).toBe(refusals + 1);
  });
});

// The scheduler refuses it, without the database.
describeOnSqlite('an operation on a full server', (engine) => {
  const load = scriptedLoad();
  const app = startApp(engine, { scheduling: load.scheduling });

  test.each(DOORS)('is refused over $name without a charge, and counted', async (door) => {
    const request = { as: 'ada' as const, query: ORDER, rest: { path: '/v1/orders/1' }, ...GET_ORDER };
    await door.ask(app, request);
    load.overload();
    const counted = async () => {
      const metrics = readMetrics((await app.get('/metrics')).text);
      return {
        shed: sumOf(metrics, 'portico_shed_operations_total', { cause: 'queue_full' }),
        code: sumOf(metrics, 'portico_graphql_operations_total', { code: 'overloaded' }),
      };
    };
    const before = await counted();
    expect(await door.ask(app, request)).toBe('overloaded');
    expect(await counted()).toEqual({ shed: before.shed + 1, code: before.code + 1 });
    load.calm();
  });
});
