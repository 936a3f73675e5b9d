/** Failures that openapi.json documents for every request: each is provoked for every operation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { ErrorBody, GraphQLBody } from '../support/client.ts';
import { describeEachEngine, describeOnSqlite, type TestEngine } from '../support/engines.ts';
import { sendExample } from '../support/inputs/openapi-requests.ts';
import { operations } from '../support/openapi.ts';
import { scriptedLoad } from '../support/test-doubles.ts';

type Refusal = ErrorBody & GraphQLBody<never>;

/** Both doors report a code: REST in `error`, GraphQL in `errors`. */
const codeOf = (refusal?: Refusal) => refusal?.error?.code ?? refusal?.errors?.[0]?.extensions.code;

const withStatus = (status: string) => operations.filter(({ operation }) => operation.responses[status]);

// Both are refused before any statement, as the tests assert.
describeOnSqlite('every operation that documents', (engine) => {
  describe('429', () => {
    // The clock stands still, so that the budget is not refilled.
    const app = startApp(engine, { budget: { points: 1, perSecond: 1 } });
    beforeAll(() => app.get('/v1/orders/1'));

    test.each(withStatus('429'))('$name returns it when the budget is empty', async (described) => {
      const { status, body, headers } = await sendExample<Refusal>(app, described);
      expect([status, codeOf(body)]).toEqual([429, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(app.statements).toEqual([]);
    });
  });

  describe('503', () => {
    const load = scriptedLoad();
    const app = startApp(engine, { scheduling: load.scheduling });
    beforeAll(async () => {
      await app.signIn('ada');
      load.overload();
    });

    const sheddable = withStatus('503').filter(({ path }) => path !== '/readyz');
    test.each(sheddable)('$name returns it when the server is overloaded', async (described) => {
      app.forgetStatements();
      const { status, body, headers } = await sendExample<Refusal>(app, described, 'ada');
      expect([status, codeOf(body)]).toEqual([503, 'overloaded']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(app.statements).toEqual([]);
    });
  });
});

describeEachEngine('every operation that documents', (engine) => {
  describe('500', () => {
    const app = startApp(engine);
    beforeAll(async () => {
      await app.signIn('ada');
      await takeTablesAway(engine);
    });

    test.each(withStatus('500'))('$name returns it when a table is missing', async (described) => {
      const logged = app.log.length;
      const { status, body, text, headers } = await sendExample<Refusal>(app, described, 'ada');
      expect([status, codeOf(body)], text).toEqual([500, 'internal_error']);
      expect(text).not.toMatch(/_gone|no such|relation|select|sql/i);
      // The client only knows the id of its request.
      const failure = { level: 50, reqId: headers.get('x-request-id'), err: expect.anything() };
      const lines = app.log.slice(logged).map((line) => JSON.parse(line));
      expect(lines).toEqual(expect.arrayContaining([expect.objectContaining(failure)]));
    });

    test('GET /readyz does not: it returns 503 with a reason', async () => {
      const { status, body } = await app.get('/readyz');
      expect(status).toBe(503);
      expect(body).toMatchObject({ status: 'not ready' });
    });
  });
});

/** Like a failed migration. */
async function takeTablesAway({ name, place }: TestEngine): Promise<void> {
  const tables = await place.query(
    name === 'sqlite'
      ? // Dropping a virtual table also drops the tables that store its rows.
        "select schema, name from pragma_table_list where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite_%'"
      : "select schemaname as schema, tablename as name from pg_tables where schemaname in ('public', 'drizzle')",
  );
  for (const { schema, name: table } of tables) {
    await place.query(`alter table "${schema}"."${table}" rename to "${table}_gone"`);
  }
}
