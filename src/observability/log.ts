/** Options of the server's log. */
import type { Level, Logger, LoggerOptions } from 'pino';

/** The logged members of an error and of its cause. */
interface WrittenError {
  readonly type: string;
  readonly code?: string;
  /** The database statement that failed, by name. */
  readonly statement?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: WrittenError;
}

/** Maximum depth of causes: a deeper chain is probably a cycle. */
const DEPTH = 5;

/** Options of the logger. Of errors it logs what {@link writtenError} selects: those of libraries may contain parameters. */
export function loggerOptions(level: Level | 'silent'): LoggerOptions {
  return {
    level,
    redact: ['req.headers.authorization'],
    serializers: { err: writtenError, error: writtenError, cause: writtenCause },
  };
}

/** Creates functions that log a failure, each with its own message. */
export const reporter =
  (logger: Logger) =>
  (message: string) =>
  (error: unknown): void =>
    logger.error({ err: error }, message);

/** A cause that is a text is one of our own values, such as the cause for which a request was shed. */
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
    message: quotes ? 'omitted: it quotes parameters' : message,
    ...(stack !== undefined && !quotes && { stack }),
    ...(cause !== undefined && depth < DEPTH && { cause: writtenError(cause, depth + 1) }),
  };
}

/** Whether the message of an error may contain parameters of a statement. `src/db/` converts these errors; this is a safeguard. */
function quotesParameters(error: Error): boolean {
  return (
    'params' in error ||
    ('severity' in error && 'routine' in error) ||
    ('code' in error && String(error.code).startsWith('SQLITE_'))
  );
}
