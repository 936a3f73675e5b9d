/** Limits that are settings: each applies on each door, and refusals state its value. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { callTool, failureIn } from '../support/mcp.ts';
import { LIMITS_OF_REQUESTS } from './limit-requests.ts';

/** Settings of the section that are no limits of requests, or whose tests need a whole file. */
const TESTED_ELSEWHERE = [
  'RATE_LIMIT_POINTS',
  'RATE_LIMIT_PER_SECOND',
  'OPERATION_COST',
  'DEADLINE',
  'OPERATION_PATIENCE',
  'STREAMS_PER_CALLER',
  'SOCKETS_PER_NETWORK',
  'CONNECTIONS_PER_NETWORK',
  'TRUSTED_DOCUMENTS',
  'TRUSTED_DOCUMENTS_FILE',
];

test('every documented limit is tested', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
  const [, section = ''] = guide.split('\n## Limits\n');
  const [table = ''] = section.split('\n## ');
  const documented = [...table.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  const tested = [...LIMITS_OF_REQUESTS.map(({ setting }) => setting), 'PAGE_MAX', ...TESTED_ELSEWHERE];
  const task = 'Add requests within and beyond the limit to limit-requests.ts.';
  expect(documented.toSorted(), task).toEqual(tested.toSorted());
});

for (const { setting, settings, refusal, doors } of LIMITS_OF_REQUESTS) {
  describeOnSqlite(setting, (engine) => {
    const app = startApp(engine, settings);

    describe.each(Object.entries(doors))('over %s', (_name, send) => {
      test('a request within the limit passes, and one beyond it is refused', async () => {
        // Again if a busy machine was too slow for a limit of time.
        await expect.poll(() => send(app, false)).toBe('passed');
        expect((await send(app, true)).slice(0, refusal.length)).toBe(refusal);
      });
    });
  });
}

describeOnSqlite('the limits of documents', (engine) => {
  const app = startApp(engine, { operations: { documentTokens: 1, depth: 1, aliases: 0, rootFields: 1 } });

  test("do not apply to the server's own: routes and tools", async () => {
    expect((await app.get('/v1/orders/1', { as: 'ada' })).status).toBe(200);
    expect(failureIn(await callTool(app, 'get_order', { order_id: 1 }, { as: 'ada' }))).toBeUndefined();
  });
});

describeOnSqlite('PAGE_MAX', (engine) => {
  const app = startApp(engine, { operations: { pageMax: 2 } });

  const rest = async (path: string, limit: number | undefined) => {
    const query = limit === undefined ? '' : `?limit=${limit}`;
    const { body } = await app.get<{ data: unknown[]; pagination?: { limit: number } }>(`${path}${query}`, {
      as: 'ada',
    });
    if (body.pagination) expect(body.pagination.limit).toBe(body.data.length);
    return body.data.length;
  };
  /** Reads a list in the graph, and expects that its price is that of its rows. */
  const graph = async (list: string, nodes: string, size: number | undefined) => {
    const query = list.replace('$', size === undefined ? '' : `: ${size}`);
    const { body, cost } = await app.graphql<Record<string, unknown>>(query, {}, { as: 'ada' });
    expect(cost?.requestedQueryCost).toBe(cost?.actualQueryCost);
    const rows = nodes
      .split('.')
      .reduce<unknown>((value, name) => Reflect.get(Object(value), name), body.data);
    return Array.isArray(rows) ? rows.length : undefined;
  };

  test.each<[string, (size: number | undefined) => Promise<number | undefined>]>([
    ['a REST list by cursor', (size) => rest('/v1/products', size)],
    ['a REST list by number', (size) => rest('/v1/users/1/orders', size)],
    [
      'a list of the graph',
      (size) =>
        graph(`{ products${size === undefined ? '' : '(first$)'} { nodes { id } } }`, 'products.nodes', size),
    ],
    [
      'a nested list',
      (size) => graph(`{ me { orders${size === undefined ? '' : '(last$)'} { id } } }`, 'me.orders', size),
    ],
    [
      'the result of a tool',
      async (limit) => {
        const { body } = await callTool(app, 'list_products', limit === undefined ? {} : { limit }, {
          as: 'ada',
        });
        return Reflect.get(Object(body.result?.structuredContent), 'data')?.length;
      },
    ],
  ])('%s has at most as many rows, also by default', async (_name, sizeOf) => {
    expect([await sizeOf(1), await sizeOf(2), await sizeOf(3), await sizeOf(undefined)]).toEqual([
      1, 2, 2, 2,
    ]);
  });

  test('an export still has all rows', async () => {
    const { text } = await app.get('/v1/products', {
      as: 'ada',
      headers: { accept: 'application/x-ndjson' },
    });
    expect(text.trim().split('\n').at(-1)).toBe('{"complete":true,"rows":12}');
  });
});
