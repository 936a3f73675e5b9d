/** Writes and deletes the entries of the audit log that are not events. */
import { LIMITS } from '../../core/limits.ts';
import type { Transaction } from '../database.ts';
import { and, isNotNull, sql } from '../drizzle/index.ts';
import { constantLimit } from '../literals.ts';
import { ORIGIN_COLUMNS, type Origin } from '../origin.ts';
import type { AuditEntryRow } from '../rows.ts';
import { equal, given, statement } from '../statement.ts';
import { RECORDED } from './events.ts';
import { purgeOldest } from './shared/purging.ts';

type NewAuditEntry = Origin & Pick<AuditEntryRow, (typeof RECORDED)[number]>;

/** An entry that may stand for several equal occurrences. */
interface Repeated {
  /** The group within which occurrences are merged. It has at most `LIMITS.auditLikenesses` entries. */
  readonly groupKey: string;
  /** What occurrences that share an entry have in common. */
  readonly likeness: string;
  readonly occurrences: number;
}

const REPEATED = ['groupKey', 'likeness', 'occurrences'] as const;

const insert = statement<NewAuditEntry & Pick<AuditEntryRow, (typeof REPEATED)[number]>, unknown>(
  'auditEntries.insert',
  ({ orm, tables: { auditEntries } }, p) =>
    orm
      .insert(auditEntries)
      .values(given(p, ...RECORDED, ...ORIGIN_COLUMNS, ...REPEATED))
      .onConflictDoUpdate({
        target: [auditEntries.org, auditEntries.groupKey, auditEntries.likeness],
        targetWhere: sql`${auditEntries.groupKey} is not null`,
        set: { occurrences: sql`${auditEntries.occurrences} + excluded.occurrences` },
      }),
);

const likenesses = statement<{ org: string; groupKey: string }, readonly { likeness: string | null }[]>(
  'auditEntries.likenesses',
  ({ orm, tables: { auditEntries } }, p) =>
    orm
      .select({ likeness: auditEntries.likeness })
      .from(auditEntries)
      .where(and(equal(auditEntries, p, 'org', 'groupKey'), isNotNull(auditEntries.groupKey)))
      .limit(constantLimit(LIMITS.auditLikenesses)),
);

export async function insertAuditEntry(tx: Transaction, entry: NewAuditEntry): Promise<void> {
  await tx.run(insert, { ...entry, groupKey: null, likeness: null, occurrences: 1 });
}

/**
 * Counts an occurrence in the entry of its group with the same likeness, which is inserted if there is none. The last entry that
 * a group may have is for all other likenesses, and has no address.
 */
export async function countAuditEntry(tx: Transaction, entry: NewAuditEntry & Repeated): Promise<void> {
  const known = await tx.run(likenesses, entry);
  const isFull = known.length >= LIMITS.auditLikenesses - 1;
  const isOwn = !isFull || known.some(({ likeness }) => likeness === entry.likeness);
  await tx.run(insert, isOwn ? entry : { ...entry, address: null, likeness: OTHERS });
}

const OTHERS = 'others';

/** Deletes those of the `limit` oldest entries that were recorded before a given time. Returns their number. */
export const purgeAuditEntries = purgeOldest(
  'auditEntries.purge',
  'auditEntries',
  ({ createdAt }) => createdAt,
);
