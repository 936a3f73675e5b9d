import pg, { type PoolClient, type QueryArrayConfig, type QueryArrayResult } from 'pg';
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

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

/** Integers are within the 53 bits of a number, see `columns.ts`. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [TIMESTAMPTZ]: parseTimestamp,
};

/** What values in the text format become before drizzle's columns read them. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS[oid] ?? pg.types.getTypeParser(oid, format),
};

/**
 * `2026-01-31 12:00:00.5+00`, as a session in UTC writes it. Engines parse the form of ISO 8601 several times as fast as any other.
 */
function parseTimestamp(text: string): Date {
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/** Commands beside statements. None has parameters. */
export type Command = 'begin read write' | 'commit' | 'rollback' | 'select 1';

/** One connection with the statements that were prepared on it. The server keeps their plans under their names. */
export class PostgresConnection {
  readonly client: PoolClient;
  readonly #builder: Builder;
  readonly #prepared = new Map<unknown, Execute>();
  readonly #observe: Observers['observe'];
  readonly #timed: Observers['timed'];
  #isGathering = false;
  /** Statements that were sent so far. */
  sent = 0;

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
    const execute = executor(prepared, (config, values) => {
      this.sent += 1;
      return this.client.query<unknown[]>(config, values);
    });
    this.#prepared.set(statement, execute);
    return execute;
  }

  /** @throws DatabaseError, also where a commit finds a transaction that has failed. */
  async command(text: Command): Promise<void> {
    try {
      const { command } = await this.client.query(text);
      if (text === 'commit' && command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    } catch (error) {
      throw statementError(text, error);
    }
  }

  /** Sends what is asked from here to the end of the turn in one packet: each write to a socket costs more than a small statement. */
  gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }
}

type Send = (config: QueryArrayConfig, values: unknown[]) => Promise<QueryArrayResult<unknown[]>>;

function executor(prepared: Prepared, send: Send): Execute {
  const { queryConfig, params: parameters, fields } = prepared;
  const config = { ...queryConfig, types: TYPES };
  const read = fields ? rowReader(fields) : () => undefined;
  // What selects objects within its rows is read by drizzle.
  if (!read) return (params) => prepared.execute(params) as Promise<readonly unknown[]>;
  const write = parameterWriter(parameters);
  return async (params) => {
    const { rows } = await send(config, write(params));
    return rows.map(read);
  };
}
