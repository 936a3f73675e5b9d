import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { aliasedTable, and, asc, eq, getTableColumns, inArray, lt, lte, sql } from '../drizzle/index.ts';
import type { IdempotencyRecordRow } from '../rows.ts';
import type { Builder, Placeholders } from '../statement.ts';

/** Whose key it is, and for what: the same key of another caller, or for another mutation, is another one. */
export interface KeyScope {
  readonly org: string;
  /** The person or app behind the credentials, `user:1`: another token or API key of theirs finds the same records. */
  readonly principal: string;
  readonly mutation: string;
  readonly key: string;
}

/** One turn at a record. A takeover starts the next one. */
export interface Turn {
  readonly org: string;
  readonly id: number;
  readonly attempt: number;
}

interface Claim extends KeyScope {
  readonly fingerprint: string;
  readonly now: Date;
  readonly lockedUntil: Date;
}

interface TakeOver extends Turn {
  /** The arguments' seal as it is made now: the secret of the former one may not be kept for as long as the record. */
  readonly fingerprint: string;
  readonly now: Date;
  readonly lockedUntil: Date;
}

interface SubjectParams {
  readonly org: string;
  readonly mutations: readonly string[];
  readonly subjectIds: readonly number[];
  readonly limit: number;
}

const byKey = statement<KeyScope & { former: string }, readonly IdempotencyRecordRow[]>(
  'idempotency.byKey',
  ({ orm, tables: { idempotencyRecords: records } }, p) =>
    orm
      .select()
      .from(records)
      .where(
        and(
          eq(records.org, p.org),
          inArray(records.principal, [p.former, p.principal]),
          eq(records.mutation, p.mutation),
          eq(records.key, p.key),
        ),
      )
      // `api_key:` before `user:`: the former record is the one that these credentials were given an outcome of.
      .orderBy(asc(records.principal))
      .limit(1),
);

const ofSubjects = statement<SubjectParams, readonly IdempotencyRecordRow[]>(
  'idempotency.ofSubjects',
  ({ orm, tables: { idempotencyRecords: records }, dialect }, p) => {
    const few = aliasedTable(records, 'few');
    const idsOfOne = sql`select ${few.id} from ${records} as few
      where ${few.org} = ${p.org} and ${few.subjectId} = wanted.id and ${dialect.anyOf(few.mutation, p.mutations)}
      order by ${few.id} limit ${p.limit}`;
    return orm
      .select(getTableColumns(records))
      .from(dialect.each(p.subjectIds))
      .innerJoin(
        records,
        and(dialect.amongFew(records.id, idsOfOne), dialect.ofOrganisation(records.org, p.org)),
      )
      .orderBy(asc(records.id));
  },
);

const claim = statement<Claim, readonly { id: number }[]>(
  'idempotency.claim',
  ({ orm, tables: { idempotencyRecords: records } }, p) =>
    orm
      .insert(records)
      .values({
        org: p.org,
        principal: p.principal,
        mutation: p.mutation,
        key: p.key,
        fingerprint: p.fingerprint,
        status: 'new',
        lockedUntil: p.lockedUntil,
        createdAt: p.now,
      })
      .onConflictDoNothing()
      .returning({ id: records.id }),
);

/** The record while it is the turn of this attempt: a later one has made the number greater. */
function isTurn({ tables: { idempotencyRecords: records } }: Builder, p: Placeholders<Turn>) {
  return and(
    eq(records.id, p.id),
    eq(records.org, p.org),
    eq(records.attempt, p.attempt),
    eq(records.status, 'new'),
  );
}

const takeOver = statement<TakeOver, readonly { id: number }[]>('idempotency.takeOver', (builder, p) => {
  const { idempotencyRecords: records } = builder.tables;
  return builder.orm
    .update(records)
    .set({
      attempt: sql`${records.attempt} + 1`,
      fingerprint: asStored(p.fingerprint, records.fingerprint),
      lockedUntil: asStored(p.lockedUntil, records.lockedUntil),
    })
    .where(and(isTurn(builder, p), lte(records.lockedUntil, asStored(p.now, records.lockedUntil))))
    .returning({ id: records.id });
});

const begin = statement<Turn & { subjectId: number }, unknown>('idempotency.begin', (builder, p) => {
  const { idempotencyRecords: records } = builder.tables;
  return builder.orm
    .update(records)
    .set({ subjectId: asStored(p.subjectId, records.subjectId) })
    .where(isTurn(builder, p));
});

const complete = statement<Turn & { outcome: string }, readonly { id: number }[]>(
  'idempotency.complete',
  (builder, p) => {
    const { idempotencyRecords: records } = builder.tables;
    return builder.orm
      .update(records)
      .set({ status: 'done', outcome: asStored(p.outcome, records.outcome) })
      .where(isTurn(builder, p))
      .returning({ id: records.id });
  },
);

const release = statement<Turn & { now: Date }, unknown>('idempotency.release', (builder, p) => {
  const { idempotencyRecords: records } = builder.tables;
  return builder.orm
    .update(records)
    .set({ lockedUntil: asStored(p.now, records.lockedUntil) })
    .where(isTurn(builder, p));
});

const remove = statement<Turn, readonly { id: number }[]>('idempotency.remove', (builder, p) => {
  const { idempotencyRecords: records } = builder.tables;
  return builder.orm.delete(records).where(isTurn(builder, p)).returning({ id: records.id });
});

interface Purge {
  readonly status: IdempotencyRecordRow['status'];
  readonly before: Date;
  readonly limit: number;
}

const purge = statement<Purge, readonly { id: number }[]>(
  'idempotency.purge',
  ({ orm, tables: { idempotencyRecords: records } }, p) =>
    orm
      .delete(records)
      .where(
        inArray(
          records.id,
          orm
            .select({ id: records.id })
            .from(records)
            .where(
              and(
                eq(records.status, p.status),
                lt(records.lockedUntil, asStored(p.before, records.lockedUntil)),
              ),
            )
            .orderBy(records.lockedUntil)
            .limit(p.limit),
        ),
      )
      .returning({ id: records.id }),
);

/**
 * What is known under a key.
 *
 * @param former the principal under which former versions of the server kept records of these credentials, `api_key:5`; they are
 *   valid until they are purged.
 */
export async function findRecord(
  db: Runner,
  scope: KeyScope,
  former: string = scope.principal,
): Promise<IdempotencyRecordRow | undefined> {
  return (await db.run(byKey, { ...scope, former }))[0];
}

/** Writes a new record and gives its id; undefined when there is one under the key, which of several callers all but one meet. */
export async function claimKey(tx: Transaction, params: Claim): Promise<number | undefined> {
  return (await tx.run(claim, params))[0]?.id;
}

/** Takes over a turn that did not finish in time. False when it was finished, or another request was faster. */
export async function takeOverRecord(tx: Transaction, params: TakeOver): Promise<boolean> {
  return (await tx.run(takeOver, params)).length > 0;
}

/** Notes which row the mutation has begun. */
export async function noteSubject(tx: Transaction, turn: Turn, subjectId: number): Promise<void> {
  await tx.run(begin, { ...turn, subjectId });
}

/** Stores the outcome. False when another attempt has taken the record over. */
export async function completeRecord(tx: Transaction, turn: Turn, outcome: string): Promise<boolean> {
  return (await tx.run(complete, { ...turn, outcome })).length > 0;
}

/** Lets the next request under the key go on at once. */
export async function releaseRecord(tx: Transaction, turn: Turn, now: Date): Promise<void> {
  await tx.run(release, { ...turn, now });
}

/** Removes the record of a failed request. False when the turn is over. */
export async function removeRecord(tx: Transaction, turn: Turn): Promise<boolean> {
  return (await tx.run(remove, { ...turn })).length > 0;
}

/**
 * Removes up to `limit` of the oldest records that have an outcome, and whose last turn was over at a moment. It is not their
 * beginning that counts: a request may have come to its outcome long after. Gives how many there were.
 */
export async function purgeRecords(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { status: 'done', before, limit })).length;
}

/**
 * The same for records without an outcome. What they have begun may have moved money, and only they know it by its key, so
 * they are to be kept for longer.
 */
export async function purgeUnfinishedRecords(tx: Transaction, before: Date, limit: number): Promise<number> {
  return (await tx.run(purge, { status: 'new', before, limit })).length;
}

/** The first few records of these mutations about each of these rows, oldest first. Ids must be distinct. */
export function recordsOfSubjects(
  db: Runner,
  params: SubjectParams,
): Promise<readonly IdempotencyRecordRow[]> {
  return db.run(ofSubjects, params);
}
