/** How the server writes its log. */
import type { Level, LoggerOptions } from 'pino';

/** What is written of an error, and of what caused it. */
interface WrittenError {
  readonly type: string;
  readonly code?: string;
  /** The database statement that failed, by name. */
  readonly statement?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: WrittenError;
}

/** Causes that are written at most: more is a circle. */
const DEPTH = 5;

/**
 * Options of the server's logger. Errors are written by the members that {@link writtenError} names and no others: those of
 * libraries hold requests, settings and parameters.
 */
export function loggerOptions(level: Level | 'silent'): LoggerOptions {
  return {
    level,
    redact: ['req.headers.authorization'],
    serializers: { err: writtenError, error: writtenError, cause: writtenCause },
  };
}

/** What is not an error is a word of ours, such as why a request was shed. */
const writtenCause = (cause: unknown) => (typeof cause === 'string' ? cause : writtenError(cause));

function writtenError(thrown: unknown, depth = 1): WrittenError {
  if (!(thrown instanceof Error))
    return { type: typeof thrown, message: 'Something other than an error was thrown.' };
  const { name, message, stack, cause } = thrown;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  const statement =
    'statement' in thrown && typeof thrown.statement === 'string' ? thrown.statement : undefined;
  const quotes = quotesParameters(thrown);
  return {
    type: name,
    ...(code !== undefined && { code }),
    ...(statement !== undefined && { statement }),
    message: quotes ? 'left out: it quotes parameters' : message,
    ...(stack !== undefined && !quotes && { stack }),
    ...(cause !== undefined && depth < DEPTH && { cause: writtenError(cause, depth + 1) }),
  };
}

/**
 * Whether this is an error of drizzle, of PostgreSQL or of SQLite, whose messages have parameters in them. `src/db/` throws
 * none of them; this is for a place that forgets to ask it.
 */
function quotesParameters(error: Error): boolean {
  return (
    'params' in error ||
    ('severity' in error && 'routine' in error) ||
    ('code' in error && String(error.code).startsWith('SQLITE_'))
  );
}
