import type { Tracing } from '../observability/tracing.ts';
import type { Database, OpenDatabase, Snapshot } from './database.ts';
import { wrapTransaction } from './wrap-transaction.ts';

/** Returns a database that records its statements and transactions as spans. Spans have statement names, never parameters. */
export function traceDatabase(database: OpenDatabase, tracing: Tracing): OpenDatabase {
  const attributes = { 'db.system.name': database.engine === 'sqlite' ? 'sqlite' : 'postgresql' };
  const runIn = (runner: Pick<Database, 'run'>): Database['run'] => {
    return (statement, params, signal, flow, replica) =>
      tracing.span(statement.name, { ...attributes, 'db.query.summary': statement.name }, () =>
        runner.run(statement, params, signal, flow, replica),
      );
  };
  return {
    engine: database.engine,
    run: runIn(database),
    transaction: (work, signal, flow, onCommit) =>
      tracing.span('transaction', attributes, () =>
        database.transaction((tx) => work(wrapTransaction(tx, { run: runIn(tx) })), signal, flow, onCommit),
      ),
    snapshot: async (signal) => {
      const snapshot = await database.snapshot(signal);
      const traced: Snapshot = { run: runIn(snapshot), close: () => snapshot.close() };
      return traced;
    },
    replicas: database.replicas,
    get refusesChanges() {
      return database.refusesChanges;
    },
    onGrowth: (listener) => database.onGrowth(listener),
    load: () => database.load(),
    ping: () => database.ping(),
    missingMigrations: () => database.missingMigrations(),
    close: () => database.close(),
  };
}
