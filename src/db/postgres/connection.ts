import type { PoolClient, QueryArrayConfig } from 'pg';
import { monotonicTime } from '../../core/clock.ts';
import type { Observers } from '../database.ts';
import { drizzle } from '../drizzle/postgres.ts';
import { statementError } from '../errors.ts';
import { parameterWriter, rowReader, type SelectedField } from '../prepared.ts';
import type { Builder, Statement } from '../statement.ts';
import { postgresDialect } from './dialect.ts';
import { postgresTables } from './tables.ts';

/** What drizzle prepares for the driver. */
interface Prepared {
  execute(params: object): Promise<unknown>;
  /** What the driver is given, with rows as lists of values. */
  readonly queryConfig: QueryArrayConfig;
  readonly params: readonly unknown[];
  /** What the query selects, undefined for one that gives no rows. */
  readonly fields: readonly SelectedField[] | undefined;
}

type Execute = (params: object) => Promise<readonly unknown[]>;

const NO_ROWS: readonly never[] = [];

/** What PostgreSQL is told beside statements. None of it has parameters. */
export type Command = 'begin read write' | 'commit' | 'rollback' | 'select 1';

/** One connection with the statements that were prepared on it. The server keeps their plans under their names. */
export class PostgresConnection {
  readonly client: PoolClient;
  readonly #builder: Builder;
  readonly #prepared = new Map<unknown, Execute>();
  readonly #observe: Observers['observe'];
  readonly #timed: Observers['timed'];

  constructor(client: PoolClient, { observe, timed }: Observers) {
    this.client = client;
    this.#observe = observe;
    this.#timed = timed;
    this.#builder = { orm: drizzle(client), tables: postgresTables, dialect: postgresDialect };
  }

  /** @throws DatabaseError, for the caller to look at before `databaseError` makes a response of it. */
  async execute<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    this.#observe?.(statement.name);
    const execute = this.#prepared.get(statement) ?? this.#prepare(statement);
    const began = this.#timed && monotonicTime();
    try {
      // The statement's own type says which rows its query gives.
      return (await execute(params)) as Result;
    } catch (error) {
      throw statementError(statement.name, error);
    } finally {
      if (began !== undefined) this.#timed?.(statement.name, monotonicTime() - began);
    }
  }

  #prepare<P extends object, Result>(statement: Statement<P, Result>): Execute {
    // drizzle's types hide what it prepares.
    const prepared = statement.build(this.#builder).prepare(statement.name) as unknown as Prepared;
    const execute = executor(this.client, prepared);
    this.#prepared.set(statement, execute);
    return execute;
  }

  /** @throws DatabaseError. */
  async command(text: Command): Promise<void> {
    try {
      await this.client.query(text);
    } catch (error) {
      throw statementError(text, error);
    }
  }
}

function executor(client: PoolClient, prepared: Prepared): Execute {
  const { queryConfig, params: parameters, fields } = prepared;
  const read = fields && rowReader(fields);
  if (!read) {
    return async (params) => {
      const rows = await prepared.execute(params);
      // The driver's report where there are no rows to give.
      return Array.isArray(rows) ? rows : NO_ROWS;
    };
  }
  const write = parameterWriter(parameters);
  return async (params) => {
    const { rows } = await client.query<unknown[]>(queryConfig, write(params));
    return rows.map(read);
  };
}
