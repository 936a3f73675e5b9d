/** Statements that read lists in order of id. Each is written once, in the order of its list, and can be read from either end. */
import type { Dialect, Way } from './dialect.ts';
import { asc, desc } from './drizzle/index.ts';
import { type Builder, type Placeholders, type Preparable, type Statement, statement } from './statement.ts';

export type { Way } from './dialect.ts';

export type ListStatement<P extends object, Result> = Readonly<Record<Way, Statement<P, Result>>>;

/**
 * Declares a {@link statement} whose list can also be read backwards. The backwards statement gets a dialect that swaps `after` and
 * `before` in `inIndex`, and `asc` and `desc` in `orderInIndex`. Everything that does not go through the dialect is the same in both
 * directions.
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
