/** Records of the authorization server. */
import type { Transaction } from '../database.ts';
import { and, asc, eq, gt, isNull, lt, ne, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { OAuthRecordRow } from '../rows.ts';
import { checked, equal, given } from '../statement.ts';

type NewOAuthRecord = Omit<OAuthRecordRow, 'consumedAt'>;

type Named = Pick<OAuthRecordRow, 'model' | 'key'>;

/** oidc-provider's name of the codes of devices, which are kept for some time after their expiry. */
export const DEVICE_CODE = 'DeviceCode';

/** Declares a query for the record of a model with a given value in a column, which expires after the time `since`. */
const findBy = <Column extends 'key' | 'uid' | 'userCode'>(name: string, column: Column) =>
  read.first<{ model: string; since: Date } & Record<Column, string>, OAuthRecordRow>(
    name,
    ({ orm, tables: { oauthRecords } }, p) =>
      orm
        .select()
        .from(oauthRecords)
        .where(
          and(
            eq(oauthRecords.model, p.model),
            eq(oauthRecords[column], p[column]),
            gt(oauthRecords.expiresAt, p.since),
          ),
        ),
  );

export const findOAuthRecord = findBy('oauthRecords.byKey', 'key');
export const findOAuthRecordByUid = findBy('oauthRecords.byUid', 'uid');
export const findOAuthRecordByUserCode = findBy('oauthRecords.byUserCode', 'userCode');

/** Inserts or replaces a record. Replacing it does not change whether it was consumed. */
export const saveOAuthRecord = write.run<NewOAuthRecord>(
  'oauthRecords.upsert',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .insert(oauthRecords)
      .values(given(p, 'model', 'key', 'payload', 'grantId', 'uid', 'userCode', 'expiresAt'))
      .onConflictDoUpdate({
        target: [oauthRecords.model, oauthRecords.key],
        set: {
          payload: sql`excluded.payload`,
          grantId: sql`excluded.grant_id`,
          uid: sql`excluded.uid`,
          userCode: sql`excluded.user_code`,
          expiresAt: sql`excluded.expires_at`,
        },
      }),
);

/** Replaces the payload of a record, unless it was replaced since it was read. Returns the record; undefined otherwise. */
export const replaceOAuthRecord = write.first<
  Named & Pick<OAuthRecordRow, 'payload' | 'grantId'> & { readonly former: string },
  OAuthRecordRow
>('oauthRecords.replace', ({ orm, tables: { oauthRecords } }, p) =>
  orm
    .update(oauthRecords)
    .set(given(p, 'payload', 'grantId'))
    .where(and(equal(oauthRecords, p, 'model', 'key'), eq(oauthRecords.payload, p.former)))
    .returning(),
);

/** Marks a record as consumed. Returns it to exactly one of any number of concurrent callers. */
export const consumeOAuthRecord = write.first<Named & { now: Date }, OAuthRecordRow>(
  'oauthRecords.consume',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .update(oauthRecords)
      .set({ consumedAt: p.now })
      .where(and(equal(oauthRecords, p, 'model', 'key'), isNull(oauthRecords.consumedAt)))
      .returning(),
);

export const removeOAuthRecord = write.first<Named, OAuthRecordRow>(
  'oauthRecords.remove',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .delete(oauthRecords)
      .where(equal(oauthRecords, p, 'model', 'key'))
      .returning(),
);

/** Deletes the records of a model that belong to a grant. */
export const removeOAuthRecordsOfGrant = write.run<{ model: string; grantId: number }>(
  'oauthRecords.removeOfGrant',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm.delete(oauthRecords).where(equal(oauthRecords, p, 'grantId', 'model')),
);

interface Purge {
  readonly before: Date;
  readonly limit: number;
}

/**
 * Declares a query for the records that expired before a time: of device codes, or of all other models. It reads them by their expiry. By
 * their model, each batch would read and sort all device codes.
 */
const expiredWhere = (name: string, isOfKind: typeof eq | typeof ne) =>
  read.all<Purge, Named>(name, ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .select({ model: oauthRecords.model, key: oauthRecords.key })
      .from(oauthRecords)
      .where(and(lt(oauthRecords.expiresAt, p.before), checked(isOfKind(oauthRecords.model, DEVICE_CODE))))
      .orderBy(asc(oauthRecords.expiresAt))
      .limit(p.limit),
  );

const removeExpired = write.run<Named & Pick<Purge, 'before'>>(
  'oauthRecords.removeExpired',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm.delete(oauthRecords).where(
      and(
        equal(oauthRecords, p, 'model', 'key'),
        // Another process may have extended it since it was read.
        lt(oauthRecords.expiresAt, p.before),
      ),
    ),
);

/** Returns a query that deletes up to `limit` of these records. It returns the number of records read, which others may have changed. */
const purging =
  (expired: ReturnType<typeof expiredWhere>) =>
  async (tx: Transaction, before: Date, limit: number): Promise<number> => {
    const records = await expired(tx, { before, limit });
    for (const record of records) await removeExpired(tx, { ...record, before });
    return records.length;
  };

export const purgeDeviceCodes = purging(expiredWhere('oauthRecords.expiredDeviceCodes', eq));
export const purgeOAuthRecords = purging(expiredWhere('oauthRecords.expired', ne));
