/** Who used what is deprecated, by organisation and day. */
import { asStored, type Runner, statement, statementPerSize, type Transaction } from '../database.ts';
import { asc, desc, inArray, lt, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { DeprecatedUseRow } from '../rows.ts';

export type DeprecatedUse = Omit<DeprecatedUseRow, 'id'>;

const before = listStatement<{ org: string; fromId: number; limit: number }, readonly DeprecatedUseRow[]>(
  'deprecatedUses.before',
  ({ orm, tables: { deprecatedUses }, dialect }, p) =>
    orm
      .select()
      .from(deprecatedUses)
      .where(dialect.inIndex([[deprecatedUses.org, p.org]], deprecatedUses.id, { before: p.fromId }))
      .orderBy(...dialect.orderInIndex([[deprecatedUses.org, p.org]], desc, deprecatedUses.id))
      .limit(p.limit),
);

/** Parameters: for each use `org0`, `day0`, `name0`, and so on. */
const add = statementPerSize<Record<string, unknown>, unknown>(
  'deprecatedUses.add',
  ({ orm, tables: { deprecatedUses } }, size) =>
    orm
      .insert(deprecatedUses)
      .values(
        Array.from({ length: size }, (_, index) => ({
          org: sql.placeholder(`org${index}`),
          day: sql.placeholder(`day${index}`),
          name: sql.placeholder(`name${index}`),
          actorId: sql.placeholder(`actorId${index}`),
          credentials: sql.placeholder(`credentials${index}`),
          credentialsId: sql.placeholder(`credentialsId${index}`),
          uses: sql.placeholder(`uses${index}`),
          lastUsedAt: sql.placeholder(`lastUsedAt${index}`),
        })),
      )
      .onConflictDoUpdate({
        target: [
          deprecatedUses.org,
          deprecatedUses.day,
          deprecatedUses.name,
          deprecatedUses.actorId,
          deprecatedUses.credentials,
          deprecatedUses.credentialsId,
        ],
        set: {
          uses: sql`${deprecatedUses.uses} + excluded.uses`,
          // Instances write what they counted in no order of time.
          lastUsedAt: sql`case when excluded.last_used_at > ${deprecatedUses.lastUsedAt} then excluded.last_used_at
            else ${deprecatedUses.lastUsedAt} end`,
        },
      }),
);

const purge = statement<{ before: Date; limit: number }, readonly { id: number }[]>(
  'deprecatedUses.purge',
  ({ orm, tables: { deprecatedUses } }, p) => {
    const oldest = orm
      .select({ id: deprecatedUses.id, day: deprecatedUses.day })
      .from(deprecatedUses)
      .orderBy(asc(deprecatedUses.id))
      .limit(p.limit)
      .as('oldest');
    const old = orm
      .select({ id: oldest.id })
      .from(oldest)
      .where(lt(oldest.day, asStored(p.before, deprecatedUses.day)));
    return orm
      .delete(deprecatedUses)
      .where(inArray(deprecatedUses.id, old))
      .returning({ id: deprecatedUses.id });
  },
);

/** Up to `limit` uses of an organisation that precede an id, newest first, or follow it when they are read backwards. */
export function deprecatedUsesBefore(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly DeprecatedUseRow[]> {
  return db.run(before[way], { org, fromId, limit });
}

/**
 * Adds to what was counted before, in one statement.
 *
 * @param uses each organisation, day, name and caller once, and in an order that all instances keep, so that none waits for another
 *   that waits for it.
 */
export async function addDeprecatedUses(tx: Transaction, uses: readonly DeprecatedUse[]): Promise<void> {
  const params: Record<string, unknown> = {};
  for (const [index, use] of uses.entries()) {
    for (const [name, value] of Object.entries(use)) params[`${name}${index}`] = value;
  }
  await tx.run(add(uses.length), params);
}

/** Deletes those of the `limit` oldest rows whose day began before a time. Gives how many they were. */
export async function purgeDeprecatedUses(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { before, limit })).length;
}
