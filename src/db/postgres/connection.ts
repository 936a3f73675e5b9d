import type { PoolClient } from 'pg';
import { monotonicTime } from '../../clock.ts';
import type { Observers } from '../database.ts';
import { drizzle } from '../drizzle/postgres.ts';
import { statementError } from '../errors.ts';
import type { Builder, Statement } from '../statement.ts';
import { postgresDialect } from './dialect.ts';
import { postgresTables } from './tables.ts';

interface Prepared {
  execute(params: object): Promise<unknown>;
}

const NO_ROWS: readonly never[] = [];

/** What PostgreSQL is told beside statements. None of it has parameters. */
export type Command = 'begin read write' | 'commit' | 'rollback' | 'select 1';

/** One connection with the statements that were prepared on it. The server keeps their plans under their names. */
export class PostgresConnection {
  readonly client: PoolClient;
  readonly #builder: Builder;
  readonly #prepared = new Map<unknown, Prepared>();
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
    let prepared = this.#prepared.get(statement);
    if (!prepared) {
      // drizzle asks for a record with an index signature, which an interface of named parameters has not.
      prepared = statement.build(this.#builder).prepare(statement.name) as Prepared;
      this.#prepared.set(statement, prepared);
    }
    const began = this.#timed && monotonicTime();
    try {
      const rows = await prepared.execute(params);
      // A list of rows as the statement's type says, or the driver's report where there are none to give.
      return (Array.isArray(rows) ? rows : NO_ROWS) as Result;
    } catch (error) {
      throw statementError(statement.name, error);
    } finally {
      if (began !== undefined) this.#timed?.(statement.name, monotonicTime() - began);
    }
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
