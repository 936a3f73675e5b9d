import type { SQL } from 'drizzle-orm';
import type { Transaction } from '../database.ts';
import { aliasedTable, and, asc, eq, getTableColumns, lte, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { IdempotencyRecordRow } from '../rows.ts';
import { asStored, type Builder, equal, type Placeholders, stored } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn } from './shared/changing.ts';
import { isRow } from './shared/owned.ts';
import { purgeByTime } from './shared/purging.ts';

/** The scope of an idempotency key. The same key of another caller or for another mutation is a different key. */
export interface KeyScope {
  readonly org: string;
  /** The person or app behind the credentials, `user:1`. All tokens and API keys of a principal share their records. */
  readonly principal: string;
  readonly mutation: string;
  readonly key: string;
}

/** One attempt's hold on a record. A takeover starts the next attempt. */
export type Attempt = Pick<IdempotencyRecordRow, 'org' | 'id' | 'attempt'>;

interface SubjectParams {
  readonly org: string;
  readonly mutations: readonly string[];
  readonly subjectIds: readonly number[];
  readonly limit: number;
}

/** Finds the record of a key. */
export const findRecord = read.first<KeyScope, IdempotencyRecordRow>(
  'idempotency.byKey',
  ({ orm, tables: { idempotencyRecords: records } }, p) =>
    orm
      .select()
      .from(records)
      .where(equal(records, p, 'org', 'principal', 'mutation', 'key')),
);

/** The oldest records of these mutations about each of these rows, at most `limit` per row. Ids must be distinct. */
export const recordsOfSubjects = read.all<SubjectParams, IdempotencyRecordRow>(
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

const claim = insertIn(
  'idempotencyRecords',
  ['org', 'principal', 'mutation', 'key', 'fingerprint', 'lockedUntil'],
  {
    name: 'idempotency.claim',
    at: ['createdAt'],
    fixed: { status: 'new' },
    columns: ({ id }) => ({ id }),
    ifNew: true,
  },
);

/** A condition that is true while this attempt holds the record: a takeover increases the attempt number. */
function isCurrentAttempt({ tables: { idempotencyRecords: records } }: Builder, p: Placeholders<Attempt>) {
  return isRow(records, p, eq(records.attempt, p.attempt), eq(records.status, 'new'));
}

/**
 * Takes over a record whose attempt did not finish in time. False if it was finished, or another request was faster. It also replaces the
 * fingerprint by one with the current secret, since the former secret may be discarded earlier than the record.
 */
export const takeOverRecord = write.any<Attempt & { fingerprint: string; now: Date; lockedUntil: Date }>(
  'idempotency.takeOver',
  (builder, p) => {
    const { idempotencyRecords: records } = builder.tables;
    return builder.orm
      .update(records)
      .set({ ...stored(records, p, 'fingerprint', 'lockedUntil'), attempt: sql`${records.attempt} + 1` })
      .where(
        and(isCurrentAttempt(builder, p), lte(records.lockedUntil, asStored(p.now, records.lockedUntil))),
      )
      .returning({ id: records.id });
  },
);

/** Declares a change of a record that an attempt holds. False if the attempt no longer does. */
const changeHeld = <P extends Attempt>(
  name: string,
  change: (
    records: Tables['idempotencyRecords'],
    p: Placeholders<P>,
  ) => Partial<{ [Column in keyof IdempotencyRecordRow]: IdempotencyRecordRow[Column] | SQL }>,
) =>
  write.any<P>(name, (builder, p) => {
    const { idempotencyRecords: records } = builder.tables;
    return builder.orm
      .update(records)
      .set(change(records, p))
      .where(isCurrentAttempt(builder, p))
      .returning({ id: records.id });
  });

/** Stores the id of the row that the mutation has begun. */
export const noteSubject = changeHeld<Attempt & { subjectId: number }>('idempotency.begin', (records, p) =>
  stored(records, p, 'subjectId'),
);

/** Stores the outcome. False if another attempt has taken over the record. */
export const completeRecord = changeHeld<Attempt & { outcome: string }>(
  'idempotency.complete',
  (records, p) => ({ status: 'done', ...stored(records, p, 'outcome') }),
);

/** Releases a record, so that the next request with the key can take it over immediately. */
export const releaseRecord = changeHeld<Attempt & { now: Date }>('idempotency.release', (records, p) => ({
  lockedUntil: asStored(p.now, records.lockedUntil),
}));

/** Deletes the record of a failed request. False if this attempt no longer holds it. */
export const removeRecord = write.any<Attempt>('idempotency.remove', (builder, p) => {
  const { idempotencyRecords: records } = builder.tables;
  return builder.orm.delete(records).where(isCurrentAttempt(builder, p)).returning({ id: records.id });
});

/** Inserts a record and returns its id. Undefined if the key has a record: only one of several concurrent callers gets an id. */
export async function claimKey(
  tx: Transaction,
  params: Parameters<typeof claim>[1],
): Promise<number | undefined> {
  return (await claim(tx, params))?.id;
}

/** Declares a query that deletes up to `limit` records of a status whose last lease ended before a time. */
const purgeByStatus = (name: string, status: IdempotencyRecordRow['status']) =>
  purgeByTime(name, ({ idempotencyRecords: records }) => ({
    table: records,
    // The time of creation does not count, since a request may have got its outcome long after.
    at: records.lockedUntil,
    only: [eq(records.status, status)],
  }));

/** Deletes records that have an outcome. */
export const purgeRecords = purgeByStatus('idempotency.purge', 'done');

/**
 * Deletes records without an outcome. What they have begun may have moved money, and only the record links it to its key, so they must
 * be kept for longer.
 */
export const purgeUnfinishedRecords = purgeByStatus('idempotency.purgeUnfinished', 'new');
