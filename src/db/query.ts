/** Declares queries: functions that run one statement and return its rows in the form that callers need. */
import type { Placeholder } from 'drizzle-orm';
import type { Runner, Transaction } from './database.ts';
import type { Dialect, Way } from './dialect.ts';
import { asc, desc } from './drizzle/index.ts';
import {
  type Builder,
  numberedParams,
  numberedPlaceholders,
  type Placeholders,
  type Preparable,
  statement,
  statementPerSize,
} from './statement.ts';

type Build<P extends object, Row> = (
  builder: Builder,
  placeholders: Placeholders<P>,
) => Preparable<readonly Row[]>;

const reversed = (dialect: Dialect): Dialect => ({
  ...dialect,
  inIndex: (prefix, id, { after, before } = {}) =>
    dialect.inIndex(prefix, id, { ...(before && { after: before }), ...(after && { before: after }) }),
  orderInIndex: (prefix, direction, ...columns) =>
    dialect.orderInIndex(prefix, direction === asc ? desc : asc, ...columns),
});

const queriesOn = <Db extends Runner>() => ({
  /** A query for all rows. */
  all<P extends object, Row>(name: string, build: Build<P, Row>) {
    const declared = statement(name, build);
    return (db: Db, params: P): Promise<readonly Row[]> => db.run(declared, params);
  },

  /**
   * A query for the rows of a list in order of id. It is written once, in the order of the list, and can be read from either end: backwards,
   * its dialect swaps `after` and `before` in `inIndex`, and `asc` and `desc` in `orderInIndex`. Everything that does not go through the
   * dialect is the same in both directions.
   *
   * @example
   * const apps = read.list<{ org: string; fromId: number; limit: number }, AppRow>('apps.list', ({ orm, tables: { apps }, dialect }, p) =>
   *   orm.select().from(apps)
   *     .where(dialect.inIndex([[apps.org, p.org]], apps.id, { after: p.fromId }))
   *     .orderBy(...dialect.orderInIndex([[apps.org, p.org]], asc, apps.id))
   *     .limit(p.limit));
   * const lastApps = await apps(db, { org: 'acme', fromId: Number.MAX_SAFE_INTEGER, limit: 20 }, 'backwards');
   */
  list<P extends object, Row>(name: string, build: Build<P, Row>) {
    const declared = {
      forwards: statement(name, build),
      backwards: statement<P, readonly Row[]>(`${name}.backwards`, (builder, p) =>
        build({ ...builder, dialect: reversed(builder.dialect) }, p),
      ),
    };
    return (db: Db, params: P, way: Way = 'forwards'): Promise<readonly Row[]> =>
      db.run(declared[way], params);
  },

  /** A query for the first row, or undefined if there is none. */
  first<P extends object, Row>(name: string, build: Build<P, Row>) {
    const declared = statement(name, build);
    return async (db: Db, params: P): Promise<Row | undefined> => (await db.run(declared, params))[0];
  },

  /** A query for the row of a statement that always returns one. */
  only<P extends object, Row>(name: string, build: Build<P, Row>) {
    const declared = statement(name, build);
    return async (db: Db, params: P): Promise<Row> => onlyRow(await db.run(declared, params));
  },

  /** A query for whether there is a row. */
  any<P extends object>(name: string, build: Build<P, unknown>) {
    const declared = statement(name, build);
    return async (db: Db, params: P): Promise<boolean> => (await db.run(declared, params)).length > 0;
  },
});

/**
 * Queries that read, inside or outside of a transaction.
 *
 * @example
 * const findUser = read.first<{ org: string; id: number }, UserRow>('users.byId', ({ orm, tables: { users } }, p) =>
 *   orm.select().from(users).where(and(eq(users.id, p.id), eq(users.org, p.org))));
 * const user = await findUser(db, { org: 'acme', id: 1 });
 */
export const read = queriesOn<Runner>();

/** Queries that write, or whose rows are only of use to a transaction. */
export const write = {
  ...queriesOn<Transaction>(),

  /** A query without a result. */
  run<P extends object>(
    name: string,
    build: (builder: Builder, placeholders: Placeholders<P>) => Preparable<unknown>,
  ) {
    const declared = statement(name, build);
    return async (tx: Transaction, params: P): Promise<void> => {
      await tx.run(declared, params);
    };
  },

  /**
   * A query that writes several rows in one statement, built for each number of rows, which callers must limit. The parameters that
   * the rows have in common follow them.
   */
  many<Row extends object, Result = void>(
    name: string,
    columns: readonly (keyof Row & string)[],
    build: (
      builder: Builder,
      rows: Record<keyof Row & string, Placeholder>[],
    ) => Preparable<Result extends void ? unknown : Result>,
  ) {
    const ofSize = statementPerSize(name, (builder, size) =>
      build(builder, numberedPlaceholders(columns, size)),
    );
    return (tx: Transaction, rows: readonly Row[], common: object = {}): Promise<Result> =>
      // A statement without `returning` has a result that is of no use.
      tx.run(ofSize(rows.length), { ...common, ...numberedParams(rows) }) as Promise<Result>;
  },
};

/** Returns the row that a statement has written or read, where it always returns one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('The statement returned no row.');
  return row;
}
