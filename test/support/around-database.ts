import type { Database } from '../../src/db/database.ts';

/** Returns a database as an object whose members can be spread, so that a test can wrap some of them. */
export function membersOf(database: Database): Database {
  return {
    engine: database.engine,
    run: (statement, params, signal, flow) => database.run(statement, params, signal, flow),
    transaction: (work, signal, flow) => database.transaction(work, signal, flow),
    snapshot: (signal) => database.snapshot(signal),
    load: () => database.load(),
    onGrowth: (listener) => database.onGrowth(listener),
    ping: () => database.ping(),
    missingMigrations: () => database.missingMigrations(),
    close: () => database.close(),
  };
}
