/** What the engines report, put once into the words of the catalogue. Nothing above `src/db/` reads their codes. */
import { ApiError, type ErrorCode } from '../core/errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html and https://www.sqlite.org/rescode.html */
const BY_CODE: Readonly<Record<string, ErrorCode>> = {
  '23505': 'conflict',
  SQLITE_CONSTRAINT_UNIQUE: 'conflict',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'conflict',
  // Code looks before it refers to a row, so a missing one was there a moment ago.
  '23503': 'conflict',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'conflict',
  '23514': 'validation_failed',
  SQLITE_CONSTRAINT_CHECK: 'validation_failed',
  // query_canceled is statement_timeout: nothing else cancels. The other two are its like for locks and idleness.
  '57014': 'timeout',
  '55P03': 'timeout',
  '25P03': 'timeout',
  // They get here when the attempts that a transaction has are used up.
  '40001': 'unavailable',
  '40P01': 'unavailable',
  '53100': 'unavailable',
  '53200': 'unavailable',
  '53300': 'unavailable',
  SQLITE_BUSY: 'unavailable',
  SQLITE_LOCKED: 'unavailable',
  SQLITE_FULL: 'unavailable',
};

/**
 * Codes of the operating system and of PostgreSQL that mean the connection is gone, was never made, or is of no further use.
 * 25006 and 0A000 are what a standby answers to writes and to `begin read write`; 0A000 also rejects a prepared statement
 * whose table was changed by a migration. Another connection leads to the new primary, or prepares the statement again.
 */
const CONNECTION_CODES =
  /^(08...|57P0[1235]|25006|0A000|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** The driver gives these no code: pg's client.js, query_timeout, and pg-pool's waiting for a connection. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded when trying to connect|Cannot use a pool after)/;

/** What a standby answers to a write and to `begin read write`. */
const STANDBY_CODES = new Set(['25006', '0A000']);

/** PostgreSQL's serialization failure and deadlock: the same transaction may well succeed when run again. */
const AGAIN_CODES = new Set(['40001', '40P01']);

/** Seconds after which a client should ask again: long enough for a connection to be made, or a lock to pass. */
const RETRY_AFTER = 1;

/** Messages of drizzle and `prepared.ts` that name a parameter without its value: a bug in a query. */
const MISTAKE = /^(The parameter "\w+" is missing\.|No value for placeholder "\w+" was provided)$/;

/**
 * Why a statement failed, by its name and the engine's code. It holds nothing else: what the driver and drizzle throw quotes
 * parameters and SQL, in their messages, stacks and members, and errors are logged. So there is no `cause`.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** {@link Statement.name}, or what else was asked of the engine, such as `commit`. */
  readonly statement: string;
  /** SQLSTATE, SQLite's or the operating system's code, or the name of a JavaScript error. */
  readonly code: string;
  /** The column that got no value although it needs one. */
  readonly missing: string | undefined;
  readonly isConnectionLost: boolean;

  constructor(statement: string, error: unknown) {
    const code = codeOf(error) ?? kindOf(error);
    super(`"${statement}" failed: ${mistakeIn(error) ?? code}`);
    this.statement = statement;
    this.code = code;
    this.missing = missingColumn(error);
    this.isConnectionLost = isConnectionLost(error);
  }
}

/**
 * What is thrown in place of anything that was thrown while a statement ran. Engines call it where statements run, so that
 * what they were run with goes no further.
 */
export function statementError(statement: string, error: unknown): DatabaseError {
  return error instanceof DatabaseError ? error : new DatabaseError(statement, error);
}

/** Classes of PostgreSQL's errors whose messages quote what stands in rows: data exceptions and constraints. */
const QUOTING = /^2[23]/;

/**
 * What made a migration fail, without the SQL that drizzle adds. The server's sentence stays where it speaks of permissions
 * or objects, since an operator reads it.
 */
export function migrationError(error: unknown): unknown {
  const root = causes(error).at(-1);
  return QUOTING.test(codeOf(error) ?? '') ? statementError('migration', error) : root;
}

function kindOf(error: unknown): string {
  const root = causes(error).at(-1);
  return root instanceof Error ? root.constructor.name : typeof root;
}

/** The name of a column is no value: PostgreSQL gives it by itself, and SQLite in its message. */
function missingColumn(error: unknown): string | undefined {
  const root = causes(error).at(-1);
  if (codeOf(root) === '23502') return String((root as { column?: unknown }).column);
  if (codeOf(root) !== 'SQLITE_CONSTRAINT_NOTNULL') return undefined;
  return /\.(\w+)$/.exec((root as Error).message)?.[1];
}

function mistakeIn(error: unknown): string | undefined {
  const root = causes(error).at(-1);
  return root instanceof Error && MISTAKE.test(root.message) ? root.message : undefined;
}

/** The error for the caller; one that the engines did not raise is returned as it is. */
export function databaseError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (isConnectionLost(error)) return unavailable(error);
  const known = codeOf(error);
  const code = known === undefined ? undefined : (BY_CODE[known] ?? BY_CODE[primary(known)]);
  if (code === undefined) return error;
  return code === 'unavailable' ? unavailable(error) : new ApiError(code, { cause: error });
}

export function unavailable(cause?: unknown): ApiError {
  return new ApiError('unavailable', { retryAfter: RETRY_AFTER, cause });
}

/** True for what another server may be asked for instead. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unavailable';

/** True when the connection itself is no good any more and must not go back to the pool. */
export function isConnectionLost(error: unknown): boolean {
  if (causes(error).some((cause) => cause instanceof DatabaseError && cause.isConnectionLost)) return true;
  const code = codeOf(error);
  if (code !== undefined && CONNECTION_CODES.test(code)) return true;
  return causes(error).some((cause) => cause instanceof Error && CONNECTION_MESSAGES.test(cause.message));
}

/** True when the server turned out to be a standby, or to have become one. */
export function isNotPrimary(error: unknown): boolean {
  return STANDBY_CODES.has(codeOf(error) ?? '');
}

export function isWorthRepeating(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && AGAIN_CODES.has(code);
}

export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && primary(code) === 'SQLITE_BUSY';
}

/** SQLite's extended codes refine a primary one: SQLITE_BUSY_RECOVERY is a kind of SQLITE_BUSY. */
function primary(code: string): string {
  return code.split('_').slice(0, 2).join('_');
}

/** drizzle wraps what a driver throws, and ApiErrors carry it as their cause. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (
    let next = error;
    next !== undefined && chain.length < 5;
    next = next instanceof Error ? next.cause : undefined
  ) {
    chain.push(next);
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    // An ApiError has a code of its own, and what the engine said is its cause.
    if (cause instanceof ApiError) continue;
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}
