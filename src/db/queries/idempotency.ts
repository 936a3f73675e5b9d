import { aliasedTable, and, asc, eq, getTableColumns, lte, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { IdempotencyRecordRow } from '../rows.ts';
import type { Placeholders } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn, updateIn } from './shared/changing.ts';
import { findBy, isRow } from './shared/owned.ts';
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
export const findRecord = findBy('idempotency.byKey', 'idempotencyRecords', [
  'org',
  'principal',
  'mutation',
  'key',
]);

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

const onlyId = ({ id }: Tables['idempotencyRecords']) => ({ id });

/** Inserts a record and returns its id. Undefined if the key has a record: only one of several concurrent callers gets an id. */
export const claimKey = insertIn(
  'idempotencyRecords',
  ['org', 'principal', 'mutation', 'key', 'fingerprint', 'lockedUntil'],
  {
    name: 'idempotency.claim',
    at: ['createdAt'],
    fixed: { status: 'new' },
    columns: onlyId,
    ifNew: true,
  },
);

/** The conditions of a record that this attempt holds: a takeover increases the attempt number. */
const isHeld = ({ attempt, status }: Tables['idempotencyRecords'], p: Placeholders<{ attempt: number }>) => [
  eq(attempt, p.attempt),
  eq(status, 'new'),
];

/**
 * Takes over a record whose attempt did not finish in time. Undefined if it was finished, or another request was faster. It also replaces the
 * fingerprint by one with the current secret, since the former secret may be discarded earlier than the record.
 */
export const takeOverRecord = updateIn(
  'idempotency.takeOver',
  'idempotencyRecords',
  ['fingerprint', 'lockedUntil'],
  {
    set: ({ attempt }) => ({ attempt: sql`${attempt} + 1` }),
    only: (records, p: Placeholders<{ attempt: number; now: Date }>) => [
      ...isHeld(records, p),
      lte(records.lockedUntil, p.now),
    ],
    columns: onlyId,
  },
);

/** Stores the id of the row that the mutation has begun. Undefined if another attempt has taken over the record. */
export const noteSubject = updateIn('idempotency.begin', 'idempotencyRecords', ['subjectId'], {
  only: isHeld,
  columns: onlyId,
});

/** Stores the outcome. Undefined if another attempt has taken over the record. */
export const completeRecord = updateIn('idempotency.complete', 'idempotencyRecords', ['outcome'], {
  fixed: { status: 'done' },
  only: isHeld,
  columns: onlyId,
});

/** Releases a record, so that the next request with the key can take it over immediately. */
export const releaseRecord = updateIn('idempotency.release', 'idempotencyRecords', [], {
  at: ['lockedUntil'],
  only: isHeld,
  columns: onlyId,
});

/** Deletes the record of a failed request. False if this attempt no longer holds it. */
export const removeRecord = write.any<Attempt>('idempotency.remove', (builder, p) => {
  const { idempotencyRecords: records } = builder.tables;
  const isOfAttempt = isRow(records, p, ...isHeld(records, p));
  return builder.orm.delete(records).where(isOfAttempt).returning({ id: records.id });
});

/** Declares a query that deletes up to `limit` records of a status whose last lease ended before a time. */
const purgeByStatus = (name: string, status: IdempotencyRecordRow['status']) =>
  purgeByTime(
    name,
    'idempotencyRecords',
    // The time of creation does not count, since a request may have got its outcome long after.
    ({ lockedUntil }) => lockedUntil,
    ({ idempotencyRecords: records }) => [eq(records.status, status)],
  );

/** Deletes records that have an outcome. */
export const purgeRecords = purgeByStatus('idempotency.purge', 'done');

/**
 * Deletes records without an outcome. What they have begun may have moved money, and only the record links it to its key, so they must
 * be kept for longer.
 */
export const purgeUnfinishedRecords = purgeByStatus('idempotency.purgeUnfinished', 'new');
