import type Client from 'better-sqlite3';
import type { Awaitable } from './store.ts';

/** Runs a change of the database, durably when it resolves. */
export type Commit = <T>(change: () => T) => Awaitable<T>;

/** Transactions that are committed together at most, as many as Portico's. */
const GROUP = 128;

interface Job {
  readonly change: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A transaction for each change. */
export function commitEach(db: Client.Database): Commit {
  // better-sqlite3 declares that the wrapper returns what the function returns, and loses its type parameter.
  const transaction = db.transaction((change: () => unknown) => change()).immediate;
  return <T>(change: () => T) => transaction(change) as T;
}

/** All changes that arrive in one turn of the event loop, each in a savepoint, in one transaction: one wait for the disk. */
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
      // The list holds jobs of every type; this one is resolved with what its own change returned.
      waiting.push({ change, resolve: resolve as Job['resolve'], reject });
    });
}
