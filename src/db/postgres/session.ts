/** What holds for each session, or behind a pooler for each transaction. */
import { LIMITS } from '../../core/limits.ts';

/**
 * How statements are planned on every connection. Ones that are estimated to cost much and in fact read a page would be compiled,
 * which takes 5 to 20 times as long as they do. And where a list has an index in its own order, PostgreSQL may take another one
 * that begins with the same column and sort what follows, which reads all rows of that column's value for a page of them.
 */
export const PLANNER_SETTINGS = ['jit=off', 'enable_incremental_sort=off'] as const;

const SETTINGS = [
  'timezone=UTC',
  `statement_timeout=${LIMITS.statementTimeout}`,
  `idle_in_transaction_session_timeout=${LIMITS.statementTimeout}`,
  ...PLANNER_SETTINGS,
];

/** Outside of a transaction nothing is written on SQLite, so it is not on PostgreSQL either. */
const READ_ONLY = 'default_transaction_read_only=on';

/** The settings as a startup parameter. */
export const STARTUP_OPTIONS = [READ_ONLY, ...SETTINGS].map((setting) => `-c ${setting}`).join(' ');

/** Whether a new session has taken them: a pooler may be configured to ignore them. */
export const HAS_SETTINGS = `current_setting('default_transaction_read_only') = 'on'`;

/** The error of a pooler that takes no `options`, such as PgBouncer (its `janitor.c` and `client.c` say "unsupported"). */
export const refusesOptions = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/i.test(error.message);

const forTransaction = SETTINGS.map((setting) => `set local ${setting}`).join('; ');

/** What begins and ends work on a connection. None has parameters. */
export type Command = 'begin' | 'begin read only' | 'begin snapshot' | 'commit' | 'rollback' | 'select 1';

/** A snapshot waits for its reader between two statements, and the server is not to end it before the reader's patience does. */
const forSnapshot = `set local idle_in_transaction_session_timeout = ${LIMITS.snapshotIdleTimeout}`;

const BEGINNINGS: Readonly<Partial<Record<Command, string>>> = {
  begin: 'begin read write',
  'begin snapshot': 'begin isolation level repeatable read, read only',
};

/** The text of a command. In a pooler's transaction mode a session belongs to one transaction, which then needs the settings. */
export function commandText(command: Command, isPooled: boolean): string {
  const text = BEGINNINGS[command] ?? command;
  const withSettings = isPooled && command.startsWith('begin') ? `${text}; ${forTransaction}` : text;
  return command === 'begin snapshot' ? `${withSettings}; ${forSnapshot}` : withSettings;
}
