import type Client from 'better-sqlite3';
import type { Awaitable } from './store.ts';

/** Runs a change of the database. The change is durable when the result is available. */
export type Commit = <T>(change: () => T) => Awaitable<T>;

/** The maximum number of changes in one commit, the same as Portico's. */
const GROUP = 128;

interface Job {
  readonly change: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Commits each change in a separate transaction. */
export function commitEach(db: Client.Database): Commit {
  // better-sqlite3 declares that the wrapper returns what the function returns, and loses its type parameter.
  const transaction = db.transaction((change: () => unknown) => change()).immediate;
  return <T>(change: () => T) => transaction(change) as T;
}

/** Commits all changes that arrive in one turn of the event loop in one transaction, each in a savepoint: one disk flush for all. */
export function commitTogether(db: Client.Database): Commit {
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((sql) => db.prepare(sql));
  const [save, release, undo] = ['savepoint one', 'release one', 'rollback to one'].map((sql) =>
    db.prepare(sql),
  );
  let waiting: Job[] = [];

  const attempt = ({ change, resolve, reject }: Job): (() => void) => {
    save?.run();
    try {
      const value = change();
      release?.run();
      return () => resolve(value);
    } catch (error) {
      undo?.run();
      release?.run();
      return () => reject(error);
    }
  };
  const run = () => {
    const jobs = waiting.slice(0, GROUP);
    waiting = waiting.slice(GROUP);
    if (waiting.length > 0) setImmediate(run);
    try {
      begin?.run();
      const outcomes = jobs.map(attempt);
      commit?.run();
      for (const outcome of outcomes) outcome();
    } catch (error) {
      if (db.inTransaction) rollback?.run();
      for (const { reject } of jobs) reject(error);
    }
  };
  return <T>(change: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(run);
      // The list has jobs of all types; each is resolved with the result of its own change.
      waiting.push({ change, resolve: resolve as Job['resolve'], reject });
    });
}
