/** Statements of lists in order of id. Each is written once, in the order of its list, and can be read from either end. */
import type { Dialect, Way } from './dialect.ts';
import { asc, desc } from './drizzle/index.ts';
import { type Builder, type Placeholders, type Preparable, type Statement, statement } from './statement.ts';

export type { Way } from './dialect.ts';

export type ListStatement<P extends object, Result> = Readonly<Record<Way, Statement<P, Result>>>;

/**
 * A {@link statement} whose list can be read against its order as well. Where it asks the dialect for what comes after an id it gets
 * what comes before it, and the other way round, and its order in the index is reversed. What it does not ask the dialect for is the
 * same both ways.
 *
 * @example
 * const list = listStatement<{ org: string; fromId: number; limit: number }, readonly AppRow[]>('apps.list', ({ orm, tables: { apps }, dialect }, p) =>
 *   orm.select().from(apps)
 *     .where(dialect.inIndex([[apps.org, p.org]], apps.id, { after: p.fromId }))
 *     .orderBy(...dialect.orderInIndex([[apps.org, p.org]], asc, apps.id))
 *     .limit(p.limit));
 * const lastApps = await db.run(list.backwards, { org: 'acme', fromId: Number.MAX_SAFE_INTEGER, limit: 20 });
 */
export function listStatement<P extends object, Result>(
  name: string,
  build: (builder: Builder, placeholders: Placeholders<P>) => Preparable<Result>,
): ListStatement<P, Result> {
  return {
    forwards: statement(name, build),
    backwards: statement(`${name}.backwards`, (builder, placeholders) =>
      build({ ...builder, dialect: reversed(builder.dialect) }, placeholders),
    ),
  };
}

const reversed = (dialect: Dialect): Dialect => ({
  ...dialect,
  inIndex: (prefix, id, { after, before } = {}) =>
    dialect.inIndex(prefix, id, { ...(before && { after: before }), ...(after && { before: after }) }),
  orderInIndex: (prefix, direction, ...columns) =>
    dialect.orderInIndex(prefix, direction === asc ? desc : asc, ...columns),
});
