/** Parameters of statements never appear in the log, a trace or a response, however the statement fails. */
import { readdirSync } from 'node:fs';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { reasonOf } from '../../src/core/failure.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { DatabaseError } from '../../src/db/errors.ts';
import { type Statement, statementFamilies, statements } from '../../src/db/statement.ts';
import { formatError, toApiError } from '../../src/graphql/errors.ts';
import { loggerOptions } from '../../src/observability/log.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';

const MARK = 'marked-and-secret';

const QUERIES = new URL('../../src/db/queries/', import.meta.url);

beforeAll(async () => {
  for (const name of readdirSync(QUERIES)) {
    if (name.endsWith('.ts')) await import(new URL(name, QUERIES).href);
  }
  for (const family of statementFamilies.values()) family(2);
});

/** Parameters of any name, each with a marker. */
const MARKED = new Proxy(
  {},
  {
    get: (_target, name) => (typeof name === 'string' ? `${MARK}-${name}` : undefined),
    has: (_target, name) => typeof name === 'string',
    getOwnPropertyDescriptor: (_target, name) =>
      typeof name === 'string'
        ? { value: `${MARK}-${name}`, configurable: true, enumerable: true }
        : undefined,
  },
);

/** Every text that responses and logs could contain of an error. */
function writtenOf(error: unknown): string {
  const lines: string[] = [];
  const log = pino(loggerOptions('trace'), { write: (line: string) => void lines.push(line) });
  log.error({ err: error, cause: error }, 'failed');
  const response = JSON.stringify(formatError(toApiError(error)));
  return [...lines, response, reasonOf(error), inspect(error, { depth: 10, showHidden: true })].join('\n');
}

async function failureOf(database: OpenDatabase, statement: Statement<object, unknown>): Promise<unknown> {
  try {
    await database.transaction((tx) => tx.run(statement, MARKED));
  } catch (error) {
    return error;
  }
  throw new Error(`${statement.name} did not fail.`);
}

describeEachEngine('a statement that fails', (engine) => {
  let bare: OpenDatabase;
  beforeAll(async () => {
    bare = await (await engine.create('bare')).open();
    return () => bare.close();
  });

  test('reports its name and code, and none of its parameters', async () => {
    expect(statements.size).toBeGreaterThan(100);
    const own = [...statements.values()].filter(({ name }) => !name.startsWith('test.'));
    for (const statement of own) {
      const error = await failureOf(bare, statement);
      const written = writtenOf(error);
      expect(written, statement.name).not.toContain(MARK);
      // Nor the text of the statement, which may contain constants.
      expect(written, statement.name).not.toMatch(/select |insert into |update "|delete from /i);
      expect(written).toContain(statement.name);
      expect(error).toBeInstanceOf(DatabaseError);
    }
  });
});

/**
 * Every class of https://www.postgresql.org/docs/current/errcodes-appendix.html, and the codes that the
 * server distinguishes.
 */
const SQLSTATES = [
  ...['01000', '02000', '03000', '08000', '08006', '09000', '0A000', '0B000', '0F000', '0L000', '0P000'],
  ...['0Z000', '20000', '21000', '22000', '22001', '22P02', '23000', '23503', '23505', '23514', '24000'],
  ...['25000', '25006', '25P03', '26000', '27000', '28000', '2B000', '2D000', '2F000', '34000', '38000'],
  ...['39000', '3B000', '3D000', '3F000', '40000', '40001', '40P01', '42000', '42501', '42P01', '44000'],
  ...['53000', '53100', '53300', '54000', '55000', '55P03', '57000', '57014', '57P01', '57P03', '58000'],
  ...['72000', 'F0000', 'HV000', 'P0000', 'P0001', 'XX000', 'XX001', 'ZZZZZ'],
];

/**
 * Makes every renaming of a user fail with this code, with the new name in every field of the error that may
 * quote it.
 */
const failWith = (code: string) => `
  create or replace function fail_marked() returns trigger language plpgsql as $$
  begin
    raise exception 'refused %', new.name using errcode = '${code}', detail = new.name, hint = new.name,
      column = new.name, constraint = new.name, datatype = new.name, table = new.name, schema = new.name;
  end $$;
  create or replace trigger fail_marked before update on users for each row execute function fail_marked()`;

describeEachEngine(
  'a change that PostgreSQL refuses',
  (engine: TestEngine) => {
    const app = startApp(engine);

    describe.each(SQLSTATES)('with %s', (code) => {
      test('is logged by statement and code, and not shown to the caller', async () => {
        await engine.place.query(failWith(code));
        const { token } = await app.signIn('ada');
        const before = app.log.length;
        const body = { name: MARK };
        const rest = await fetch(`${app.url}/v1/users/2`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const responses = [
          { text: await rest.text(), headers: rest.headers },
          await app.graphql(
            'mutation ($input: UpdateUserInput!) { updateUser(id: 2, input: $input) { id } }',
            { input: body },
            { as: 'ada' },
          ),
        ];
        for (const { text, headers } of responses) {
          expect(text + JSON.stringify([...headers])).not.toContain(MARK);
        }
        const log = app.log.slice(before).join('');
        expect(log).not.toContain(MARK);
        expect(rest.status).toBeGreaterThanOrEqual(400);
        if (rest.status === 503) expect(rest.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        if (rest.status === 500) {
          expect(log).toContain(`"code":"${code}"`);
          expect(log).toContain('"statement":"users.rename"');
        }
      });
    });

    test('because the server is read-only asks the client to retry', async () => {
      await engine.place.query(failWith('25006'));
      const response = await app.patch('/v1/users/2', { as: 'ada', body: { name: MARK } });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(response.body).toMatchObject({ error: { code: 'unavailable' } });
    });
  },
  'postgres',
);
