/** The state of the authorization server between requests: codes, tokens, browser sessions, requests in progress. */
import type { Vocabulary } from '../postgres/columns.ts';

export function define(v: Vocabulary) {
  const oauthRecords = v.table(
    'oauth_records',
    {
      /** The oidc-provider model, such as `AuthorizationCode`. */
      model: v.text('model').notNull(),
      /** The hash of the code or token, so that reading the database is not enough to use it. */
      key: v.text('key').notNull(),
      /** Encrypted, since it contains the values that a browser presents. */
      payload: v.text('payload').notNull(),
      /** The grant that the record belongs to. */
      grantId: v.integer('grant_id'),
      /** The second key by which a request finds a browser session. */
      uid: v.text('uid'),
      /** The hash of the code that a person enters to connect a device. */
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
