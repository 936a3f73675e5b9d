/** Translates the errors of the engines to the catalogue of errors. No code outside `src/db/` reads engine codes. */
import { ApiError, type ErrorCode } from '../core/errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html and https://www.sqlite.org/rescode.html */
const BY_CODE: Readonly<Record<string, ErrorCode>> = {
  '23505': 'conflict',
  SQLITE_CONSTRAINT_UNIQUE: 'conflict',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'conflict',
  // The code reads a row before it inserts a reference to it, so a missing row was deleted in between.
  '23503': 'conflict',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'conflict',
  '23514': 'validation_failed',
  SQLITE_CONSTRAINT_CHECK: 'validation_failed',
  // query_canceled, which statement_timeout causes; 55P03 and 25P03 are the corresponding timeouts for locks and idle transactions.
  '57014': 'timeout',
  '55P03': 'timeout',
  '25P03': 'timeout',
  // These arrive here only after the last retry of a transaction.
  '40001': 'unavailable',
  '40P01': 'unavailable',
  '53100': 'unavailable',
  '53200': 'unavailable',
  '53300': 'unavailable',
  // A disk that fails. Reads and later changes may succeed, and the readiness probe reports it.
  '58030': 'unavailable',
  SQLITE_IOERR: 'unavailable',
  SQLITE_CANTOPEN: 'unavailable',
  SQLITE_FULL: 'unavailable',
  SQLITE_READONLY: 'unavailable',
  SQLITE_NOMEM: 'unavailable',
  SQLITE_BUSY: 'unavailable',
  SQLITE_LOCKED: 'unavailable',
};

/**
 * Codes of the operating system and of PostgreSQL which mean that the connection is lost, was never made, or cannot be used further.
 * A standby reports 25006 and 0A000 for writes and for `begin read write`; 0A000 also rejects a prepared statement
 * whose table was changed by a migration. A new connection reaches the new primary, or prepares the statement again.
 */
const CONNECTION_CODES =
  /^(08...|57P0[1235]|25006|0A000|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Messages of driver errors without a code: of pg's client.js, its query_timeout, and pg-pool's wait for a connection. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded when trying to connect|Cannot use a pool after)/;

/** The codes that a standby reports for a write and for `begin read write`. */
const STANDBY_CODES = new Set(['25006', '0A000']);

/** PostgreSQL's serialization failure and deadlock. */
const RETRYABLE_CODES = new Set(['40001', '40P01']);

/** Codes of PostgreSQL for a prepared statement that another session has, or that this one does not have: a pooler has exchanged the session. */
const EXCHANGED_SESSION = new Set(['42P05', '26000']);

/** The message of `prepared.ts` that names a parameter without its value: a bug in a query. */
const MISTAKE = /^The parameter "\w+" is missing\.$/;

/**
 * The failure of a statement: its name and the engine's code, and nothing else. Errors are logged, and those of the driver and of
 * drizzle quote parameters and SQL in their messages, stacks and members. Therefore it has no `cause`.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** {@link Statement.name}, or the name of a command such as `commit`. */
  readonly statement: string;
  /** The SQLSTATE, the code of SQLite or of the operating system, or the class of a JavaScript error. */
  readonly code: string;
  /** The column that rejected null. */
  readonly missing: string | undefined;
  readonly isConnectionLost: boolean;

  constructor(statement: string, error: unknown) {
    const code = codeOf(error) ?? kindOf(error);
    const hint = EXCHANGED_SESSION.has(code) ? ' (set DATABASE_PREPARE=off for this pooler)' : '';
    super(`"${statement}" failed: ${mistakeIn(error) ?? code}${hint}`);
    this.statement = statement;
    this.code = code;
    this.missing = missingColumn(error);
    this.isConnectionLost = isConnectionLost(error);
  }
}

/**
 * Converts an error thrown while a statement ran. Engines call it where statements run, so that parameters and SQL do not
 * leave the engine.
 */
export function statementError(statement: string, error: unknown): DatabaseError {
  return error instanceof DatabaseError ? error : new DatabaseError(statement, error);
}

/** Classes of PostgreSQL errors whose messages quote values of rows: data exceptions and constraint violations. */
const QUOTING = /^2[23]/;

/**
 * The error that made a migration fail, without the SQL that drizzle adds. It keeps the server's message, which operators need for
 * missing permissions or objects, unless the message may quote values of rows.
 */
export function migrationError(error: unknown): unknown {
  return QUOTING.test(codeOf(error) ?? '') ? statementError('migration', error) : rootOf(error);
}

function kindOf(error: unknown): string {
  const root = rootOf(error);
  return root instanceof Error ? root.constructor.name : typeof root;
}

/** The column that rejected null. PostgreSQL's errors have it as a member, SQLite's in their message. */
function missingColumn(error: unknown): string | undefined {
  const root = rootOf(error);
  if (codeOf(root) === '23502') return String((root as { column?: unknown }).column);
  if (codeOf(root) !== 'SQLITE_CONSTRAINT_NOTNULL') return undefined;
  return /\.(\w+)$/.exec((root as Error).message)?.[1];
}

function mistakeIn(error: unknown): string | undefined {
  const root = rootOf(error);
  return root instanceof Error && MISTAKE.test(root.message) ? root.message : undefined;
}

/** Returns the error for the caller. An error that the engines did not raise is returned unchanged. */
export function databaseError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (isConnectionLost(error)) return unavailable(error);
  const known = codeOf(error);
  const code = known === undefined ? undefined : (BY_CODE[known] ?? BY_CODE[primary(known)]);
  if (code === undefined) return error;
  return code === 'unavailable' ? unavailable(error) : new ApiError(code, { cause: error });
}

export const unavailable = (cause?: unknown): ApiError => new ApiError('unavailable', { cause });

/** True for an error after which another server may be tried. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unavailable';

/** True if the connection can no longer be used and must not return to the pool. */
export function isConnectionLost(error: unknown): boolean {
  if (causes(error).some((cause) => cause instanceof DatabaseError && cause.isConnectionLost)) return true;
  const code = codeOf(error);
  if (code !== undefined && CONNECTION_CODES.test(code)) return true;
  return causes(error).some((cause) => cause instanceof Error && CONNECTION_MESSAGES.test(cause.message));
}

/** True if the server is a standby, or has become one. */
export const isNotPrimary = (error: unknown): boolean => STANDBY_CODES.has(codeOf(error) ?? '');

/** PgBouncer's message for a client above one of its limits, of which it has several. Its code is that of all refusals. */
const POOLER_FULL = /^no more connections allowed/;

/** True if the server, the database, the role or the pooler has no connection left. */
export const isServerFull = (error: unknown): boolean =>
  codeOf(error) === '53300' ||
  causes(error).some((cause) => cause instanceof Error && POOLER_FULL.test(cause.message));

/** True for an error after which the same transaction may succeed when it is run again. */
export const isRetryable = (error: unknown): boolean => RETRYABLE_CODES.has(codeOf(error) ?? '');

export const isBusy = (error: unknown): boolean => primary(codeOf(error) ?? '') === 'SQLITE_BUSY';

/** SQLite's extended codes refine a primary one: SQLITE_BUSY_RECOVERY is a kind of SQLITE_BUSY. */
const primary = (code: string): string => code.split('_').slice(0, 2).join('_');

/** An error and its chain of causes, at most five: drizzle wraps driver errors, and ApiErrors have them as their cause. */
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

const rootOf = (error: unknown): unknown => causes(error).at(-1);

/** The code of the engine or of the operating system in an error or its causes; undefined for none. */
export function codeOf(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    // The code of an ApiError is its own; the engine's error is its cause.
    if (cause instanceof ApiError) continue;
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}
