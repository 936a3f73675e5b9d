/** What the authorization server remembers between requests: codes, tokens, sessions of browsers, requests in progress. */
import type { Vocabulary } from '../postgres/columns.ts';

export function define(v: Vocabulary) {
  const oauthRecords = v.table(
    'oauth_records',
    {
      /** Such as `AuthorizationCode`. */
      model: v.text('model').notNull(),
      /** The hash of the code or token: who reads the database cannot use it. */
      key: v.text('key').notNull(),
      /** Sealed, as it names what a browser shows. */
      payload: v.text('payload').notNull(),
      /** The grant that it came from. */
      grantId: v.integer('grant_id'),
      /** By what a request finds the session of a browser. */
      uid: v.text('uid'),
      /** The hash of what a person types in to connect a device. */
      userCode: v.text('user_code'),
      consumedAt: v.timestamp('consumed_at'),
      expiresAt: v.timestamp('expires_at').notNull(),
    },
    (t) => [
      v.primaryKey({ name: 'oauth_records_pkey', columns: [t.model, t.key] }),
      v.index('oauth_records_by_grant').on(t.grantId),
      v.index('oauth_records_by_uid').on(t.uid),
      v.index('oauth_records_by_user_code').on(t.userCode),
      v.index('oauth_records_by_expiry').on(t.expiresAt),
    ],
  );

  return { oauthRecords };
}
