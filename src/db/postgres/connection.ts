import type { PoolClient } from 'pg';
import { monotonicTime } from '../../clock.ts';
import type { Observers } from '../database.ts';
import { drizzle } from '../drizzle/postgres.ts';
import type { Builder, Statement } from '../statement.ts';
import { postgresDialect } from './dialect.ts';
import { postgresTables } from './tables.ts';

interface Prepared {
  execute(params: object): Promise<unknown>;
}

const NO_ROWS: readonly never[] = [];

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

  /** @throws the driver's error, for the caller to look at before `databaseError` makes an answer of it. */
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
    } finally {
      if (began !== undefined) this.#timed?.(statement.name, monotonicTime() - began);
    }
  }
}
