import pg, { type PoolClient } from 'pg';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Observers } from '../database.ts';
import { drizzle } from '../drizzle/postgres.ts';
import { statementError } from '../errors.ts';
import { statementBuilder } from '../prepared.ts';
import type { Builder, Statement } from '../statement.ts';
import type { WalPosition } from '../wal-position.ts';
import { postgresTables } from './columns.ts';
import { postgresDialect } from './dialect.ts';
import { Sender } from './sender.ts';
import { type Command, commandText } from './session.ts';

export const postgresBuilder: Builder = {
  orm: drizzle.mock(),
  tables: postgresTables,
  dialect: postgresDialect,
};

const builtStatement = statementBuilder(postgresBuilder);

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

/** Parsers by type. Integers are within the 53 bits of a number, see `columns.ts`. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [TIMESTAMPTZ]: parseTimestamp,
};

/** How the driver parses values in the text format, before drizzle's columns decode them. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS[oid] ?? pg.types.getTypeParser(oid, format),
};

/**
 * Parses `2026-01-31 12:00:00.5+00`, the format of a session in UTC. JavaScript engines parse ISO 8601 several times as fast as other formats.
 */
function parseTimestamp(text: string): Date {
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/** Milliseconds after `statement_timeout` until a server that does not respond is considered lost. */
const SILENCE = 2000;

interface ConnectionOptions extends Observers {
  /** Whether to use named prepared statements. */
  readonly prepare: boolean;
  /** Whether the connection goes through a pooler, so that each transaction may get another session. */
  readonly isPooled: boolean;
}

/** One connection. The server prepares its statements at their first use, and keeps their plans by name. */
export class PostgresConnection {
  readonly client: PoolClient;
  readonly #options: ConnectionOptions;
  readonly #sender: Sender;
  #isGathering = false;
  /** The number of statements sent so far. */
  sent = 0;

  constructor(client: PoolClient, options: ConnectionOptions) {
    this.client = client;
    this.#options = options;
    this.#sender = new Sender(client, LIMITS.statementTimeout + SILENCE);
  }

  /** Runs a statement outside of a transaction, in one round trip. @throws DatabaseError. */
  async read<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    if (!this.#options.isPooled) return this.execute(statement, params);
    this.gather();
    const begun = this.command('begin read only');
    const result = this.execute(statement, params);
    // After a failed statement, PostgreSQL rolls back instead.
    const ended = this.#sender.send('commit');
    const [, , outcome] = await Promise.allSettled([begun, ended, result]);
    if (outcome.status === 'rejected') throw outcome.reason;
    await begun;
    return outcome.value;
  }

  /** Runs a statement. @throws DatabaseError, which the caller inspects before `databaseError` translates it. */
  async execute<P extends object, Result>(statement: Statement<P, Result>, params: P): Promise<Result> {
    const { observe, timed, prepare } = this.#options;
    observe?.(statement.name);
    const { text, write, read } = builtStatement(statement);
    const began = timed && monotonicTime();
    try {
      const values = write(params);
      this.sent += 1;
      const name = prepare ? statement.name : '';
      const { rows } = await this.#sender.send({ name, text, rowMode: 'array', types: TYPES }, values);
      // The type of the statement declares the rows of its query.
      return (read ? rows.map(read) : []) as Result;
    } catch (error) {
      throw statementError(statement.name, error);
    } finally {
      if (began !== undefined) timed?.(statement.name, (monotonicTime() - began) / 1000);
    }
  }

  /** Runs a command. @throws DatabaseError, also if a commit rolled back because the transaction had failed. */
  async command(command: Command): Promise<void> {
    try {
      const result = await this.#sender.send(commandText(command, this.#options.isPooled));
      if (command === 'commit' && result.command !== 'COMMIT')
        throw new Error('The transaction was rolled back.');
    } catch (error) {
      throw statementError(command, error);
    }
  }

  /** The current position of the primary in its write-ahead log. */
  async position(): Promise<WalPosition> {
    return this.#lookUp('pg_current_wal_insert_lsn()');
  }

  /** The position that a replica has replayed. @throws DatabaseError if the server is not, or no longer, a replica. */
  async replayed(): Promise<WalPosition> {
    return this.#lookUp('case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end');
  }

  async #lookUp(expression: string): Promise<WalPosition> {
    try {
      const { rows } = await this.#sender.send(`select (${expression})::text as position`);
      const position = rows[0]?.['position'];
      if (typeof position !== 'string') throw new Error('The server has no position.');
      return position;
    } catch (error) {
      throw statementError('position', error);
    }
  }

  /** Sends everything until the next tick in one packet, since each write to a socket costs more than a small statement. */
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
