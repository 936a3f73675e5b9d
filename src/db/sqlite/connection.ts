import type Client from 'better-sqlite3';
import { monotonicTime } from '../../core/clock.ts';
import type { Observers } from '../database.ts';
import { drizzle } from '../drizzle/sqlite.ts';
import { databaseError, statementError } from '../errors.ts';
import { parameterWriter, rowReader, type SelectedField } from '../prepared.ts';
import type { Builder, Orm, Statement } from '../statement.ts';
import { sqliteTables } from './columns.ts';
import { sqliteDialect } from './dialect.ts';

/** A query that drizzle has prepared for better-sqlite3, whose calls are synchronous. */
interface Prepared {
  all(params: object): unknown;
  /** better-sqlite3's own statement. Its member `reader` is true if it returns rows. */
  readonly stmt: Client.Statement<unknown[], unknown[]>;
  readonly query: { readonly params: readonly unknown[] };
  /** The selected fields; undefined for a query without rows. */
  readonly fields: readonly SelectedField[] | undefined;
}

type Execute = (params: object) => unknown;

const NO_ROWS: readonly never[] = [];

/** One connection and the statements that were prepared on it. */
export class SqliteConnection {
  readonly client: Client.Database;
  readonly #builder: Builder;
  readonly #prepared = new Map<unknown, Execute>();
  readonly #observe: Observers['observe'];
  readonly #timed: Observers['timed'];

  constructor(client: Client.Database, { observe, timed }: Observers) {
    this.client = client;
    this.#observe = observe;
    this.#timed = timed;
    // drizzle's instance for SQLite, with the type of the instance for PostgreSQL: see `columns.ts`.
    const orm = drizzle(client) as unknown as Orm;
    this.#builder = { orm, tables: sqliteTables, dialect: sqliteDialect };
  }

  /**
   * Runs a statement synchronously. Callers of the engine get a promise: see `run` in `engine.ts`.
   *
   * @throws the engine's error, as `databaseError` translates it.
   */
  execute<P extends object, Result>(statement: Statement<P, Result>, params: P): Result {
    this.#observe?.(statement.name);
    const began = this.#timed && monotonicTime();
    try {
      const execute = this.#prepared.get(statement) ?? this.#prepare(statement);
      // The type of the statement declares the rows of its query.
      return execute(params) as Result;
    } catch (error) {
      throw databaseError(statementError(statement.name, error));
    } finally {
      if (began !== undefined) this.#timed?.(statement.name, monotonicTime() - began);
    }
  }

  #prepare<P extends object, Result>(statement: Statement<P, Result>): Execute {
    // The declared types are those of PostgreSQL; these are the members at run time on this engine.
    const prepared = statement.build(this.#builder).prepare(statement.name) as unknown as Prepared;
    const execute = executor(this.client, prepared);
    this.#prepared.set(statement, execute);
    return execute;
  }
}

function executor(client: Client.Database, prepared: Prepared): Execute {
  const { query, fields, stmt: own } = prepared;
  const write = parameterWriter(query.params);
  if (!own.reader) {
    return (params) => {
      own.run(...write(params));
      return NO_ROWS;
    };
  }
  const read = fields && rowReader(fields);
  if (!read) return (params) => prepared.all(params);
  const stmt = client
    .prepare<unknown[], unknown[]>(stableParams(prepared.stmt.source, query.params.length))
    .raw();
  return (params) => stmt.all(...write(params)).map(read);
}

/**
 * Returns the statement with each parameter as an expression (`+?`). When a value is bound to a bare parameter, SQLite prepares a
 * statement with `order by` or `limit` again, since another value may need another plan. For the orders of a person this took
 * half of 220 us.
 */
function stableParams(source: string, parameters: number): string {
  const parts = source.split('?');
  if (parts.length - 1 !== parameters) throw new Error(`A question mark is not a parameter: ${source}`);
  return parts.join('+?');
}
