/** The settings of each session, or of each transaction behind a pooler. */
import { LIMITS } from '../../core/limits.ts';

/**
 * Planner settings of every connection. With JIT, PostgreSQL would compile statements that it estimates to be expensive but that read
 * only a page, which takes 5 to 20 times as long as the statement. With incremental sorts, it may replace the index that has a list's
 * order by another one that begins with the same column, and sort: for one page, that reads all rows with the column's value. By
 * default it would plan many statements again for each execution, since it assumes ten elements of an array and a tenth of the rows for a
 * limit that are parameters, and so takes the plan for any parameters to be worse. Statements are written, and tested, such that it is not.
 */
export const PLANNER_SETTINGS = [
  'jit=off',
  'enable_incremental_sort=off',
  'plan_cache_mode=force_generic_plan',
] as const;

const SETTINGS = [
  'timezone=UTC',
  `statement_timeout=${LIMITS.statementTimeout}`,
  `idle_in_transaction_session_timeout=${LIMITS.statementTimeout}`,
  ...PLANNER_SETTINGS,
];

/** Statements outside of a transaction cannot write on SQLite, and therefore not on PostgreSQL either. */
const READ_ONLY = 'default_transaction_read_only=on';

/** The settings as a startup parameter. */
export const STARTUP_OPTIONS = [READ_ONLY, ...SETTINGS].map((setting) => `-c ${setting}`).join(' ');

/** True in a session that has the settings: a pooler may be configured to ignore them. */
export const HAS_SETTINGS = `current_setting('default_transaction_read_only') = 'on'`;

/** True for the error of a pooler that rejects `options`, such as PgBouncer (its `janitor.c` and `client.c` report "unsupported"). */
export const refusesOptions = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/i.test(error.message);

const forTransaction = SETTINGS.map((setting) => `set local ${setting}`).join('; ');

/** A command without parameters that begins or ends work on a connection, or checks it. */
export type Command = 'begin' | 'begin read only' | 'begin snapshot' | 'commit' | 'rollback' | 'select 1';

/** A snapshot is idle while its client reads. PostgreSQL must not end it before the export itself gives up. */
const forSnapshot = `set local idle_in_transaction_session_timeout = ${LIMITS.snapshotIdleTimeout}`;

const BEGINNINGS: Readonly<Partial<Record<Command, string>>> = {
  begin: 'begin read write',
  'begin snapshot': 'begin isolation level repeatable read, read only',
};

/** The SQL of a command. With a pooler in transaction mode, each transaction may get another session, so it sets the settings itself. */
export function commandText(command: Command, isPooled: boolean): string {
  const text = BEGINNINGS[command] ?? command;
  const withSettings = isPooled && command.startsWith('begin') ? `${text}; ${forTransaction}` : text;
  return command === 'begin snapshot' ? `${withSettings}; ${forSnapshot}` : withSettings;
}
