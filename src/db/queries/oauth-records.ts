/** Records of the authorization server. Expired records are not found. */
import { asStored, type Runner, statement, stored, type Transaction } from '../database.ts';
import { and, asc, eq, gt, isNull, lt, sql } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { OAuthRecordRow } from '../rows.ts';

export type NewOAuthRecord = Omit<OAuthRecordRow, 'consumedAt'>;

interface Named {
  readonly model: string;
  readonly key: string;
}

/** Declares a statement that finds the unexpired record of a model with a given value in a column. */
const findBy = (name: string, column: 'key' | 'uid' | 'userCode') =>
  statement<{ model: string; value: string; now: Date }, readonly OAuthRecordRow[]>(
    name,
    ({ orm, tables: { oauthRecords } }, p) =>
      orm
        .select()
        .from(oauthRecords)
        .where(
          and(
            eq(oauthRecords.model, p.model),
            eq(oauthRecords[column], p.value),
            gt(oauthRecords.expiresAt, asStored(p.now, oauthRecords.expiresAt)),
          ),
        ),
  );

const byKey = findBy('oauthRecords.byKey', 'key');
const byUid = findBy('oauthRecords.byUid', 'uid');
const byUserCode = findBy('oauthRecords.byUserCode', 'userCode');

/** Inserts or replaces a record. Replacing it does not change whether it was consumed. */
export const saveOAuthRecord = write.run<NewOAuthRecord>(
  'oauthRecords.upsert',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .insert(oauthRecords)
      .values(stored(oauthRecords, p, 'model', 'key', 'payload', 'grantId', 'uid', 'userCode', 'expiresAt'))
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

/** Marks a record as consumed. Returns it to exactly one of any number of concurrent callers. */
export const consumeOAuthRecord = write.first<Named & { now: Date }, OAuthRecordRow>(
  'oauthRecords.consume',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .update(oauthRecords)
      .set({ consumedAt: asStored(p.now, oauthRecords.consumedAt) })
      .where(
        and(eq(oauthRecords.model, p.model), eq(oauthRecords.key, p.key), isNull(oauthRecords.consumedAt)),
      )
      .returning(),
);

export const removeOAuthRecord = write.first<Named, OAuthRecordRow>(
  'oauthRecords.remove',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .delete(oauthRecords)
      .where(and(eq(oauthRecords.model, p.model), eq(oauthRecords.key, p.key)))
      .returning(),
);

/** Deletes the records of a model that belong to a grant. */
export const removeOAuthRecordsOfGrant = write.run<{ model: string; grantId: number }>(
  'oauthRecords.removeOfGrant',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm.delete(oauthRecords).where(and(eq(oauthRecords.grantId, p.grantId), eq(oauthRecords.model, p.model))),
);

const expired = statement<{ before: Date; limit: number }, readonly Named[]>(
  'oauthRecords.expired',
  ({ orm, tables: { oauthRecords } }, p) =>
    orm
      .select({ model: oauthRecords.model, key: oauthRecords.key })
      .from(oauthRecords)
      .where(lt(oauthRecords.expiresAt, asStored(p.before, oauthRecords.expiresAt)))
      .orderBy(asc(oauthRecords.expiresAt))
      .limit(p.limit),
);

/** The unexpired record with this key. */
export async function findOAuthRecord(
  db: Runner,
  record: Named & { readonly now: Date },
): Promise<OAuthRecordRow | undefined> {
  return (await db.run(byKey, { model: record.model, value: record.key, now: record.now }))[0];
}

/** The unexpired record with this uid. */
export async function findOAuthRecordByUid(
  db: Runner,
  record: { readonly model: string; readonly uid: string; readonly now: Date },
): Promise<OAuthRecordRow | undefined> {
  return (await db.run(byUid, { model: record.model, value: record.uid, now: record.now }))[0];
}

/** The unexpired record with this user code. */
export async function findOAuthRecordByUserCode(
  db: Runner,
  record: { readonly model: string; readonly userCode: string; readonly now: Date },
): Promise<OAuthRecordRow | undefined> {
  return (await db.run(byUserCode, { model: record.model, value: record.userCode, now: record.now }))[0];
}

/** Deletes up to `limit` records that expired before a time. Returns their number. */
export async function purgeOAuthRecords(tx: Transaction, before: Date, limit: number): Promise<number> {
  const gone = await tx.run(expired, { before, limit });
  for (const record of gone) await removeOAuthRecord(tx, record);
  return gone.length;
}
