/** Credentials of people and machines. */

import { ownedRow, reference } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  const sessions = v.table(
    'sessions',
    {
      ...ownedRow(v, organisations),
      userId: reference(v, 'user_id', users),
      scopes: v.json<readonly string[]>('scopes').notNull(),
      /** The IP address of the sign-in. Null for sessions from before this column existed. */
      address: v.text('address'),
      createdAt: v.timestamp('created_at').notNull(),
      /** The time of the sign-in or last refresh. Null for sessions from before this column existed that were not refreshed since. */
      lastUsedAt: v.timestamp('last_used_at'),
      expiresAt: v.timestamp('expires_at').notNull(),
      revokedAt: v.timestamp('revoked_at'),
      revokedReason: v.text('revoked_reason'),
    },
    (t) => [
      v.index('sessions_active_by_user').on(t.org, t.userId, t.id).where(sql`${t.revokedAt} is null`),
      v.index('sessions_active_by_org').on(t.org, t.id).where(sql`${t.revokedAt} is null`),
      v.index('sessions_by_end').on(t.revokedAt).where(sql`${t.revokedAt} is not null`),
      v.index('sessions_by_expiry').on(t.expiresAt),
    ],
  );

  const refreshTokens = v.table(
    'refresh_tokens',
    {
      id: v.id(),
      sessionId: reference(v, 'session_id', sessions),
      /** Only the hash is stored, so that reading the database is not enough to sign in. */
      tokenHash: v.text('token_hash').notNull().unique('refresh_tokens_token_hash_unique'),
      createdAt: v.timestamp('created_at').notNull(),
      /** When its successor was issued. A token with a successor is no longer accepted. */
      rotatedAt: v.timestamp('rotated_at'),
    },
    (t) => [v.index('refresh_tokens_by_session').on(t.sessionId, t.id)],
  );

  /** The columns of an API key or a client certificate. */
  const ofMachine = () => ({
    ...ownedRow(v, organisations),
    /** The person whose role limits what the credential may do. */
    userId: reference(v, 'user_id', users),
    name: v.text('name').notNull(),
    scopes: v.json<readonly string[]>('scopes').notNull(),
    createdAt: v.timestamp('created_at').notNull(),
    expiresAt: v.timestamp('expires_at'),
    revokedAt: v.timestamp('revoked_at'),
    lastUsedAt: v.timestamp('last_used_at'),
  });

  const apiKeys = v.table(
    'api_keys',
    {
      ...ofMachine(),
      /** Only the hash is stored, as for refresh tokens. */
      secretHash: v.text('secret_hash').notNull(),
    },
    (t) => [v.index('api_keys_by_org').on(t.org, t.id)],
  );

  /** Certificates of machines, which act like API keys. */
  const clientCertificates = v.table(
    'client_certificates',
    {
      ...ofMachine(),
      /** The attribute by which the certificate is recognised, such as `san_dns:ci.acme.example`. */
      match: v.text('match').notNull(),
    },
    (t) => [
      v.index('client_certificates_by_org').on(t.org, t.id),
      // A certificate identifies one caller across all organisations.
      v.uniqueIndex('client_certificates_match_unique').on(t.match).where(sql`${t.revokedAt} is null`),
    ],
  );

  return { sessions, refreshTokens, apiKeys, clientCertificates };
}
