/** Third-party apps, their installations, and the grants that people give them. */

import { organisation, ownedRow, reference, versioned } from '../common-columns.ts';
import { sql } from '../drizzle/index.ts';
import { oneOf, oneText } from '../literals.ts';
import type { Vocabulary } from '../postgres/columns.ts';
import type { Accounts } from './accounts.ts';

/** `web` and `service` apps can keep a secret; `native` apps run on people's devices and cannot. `service` apps act only for themselves. */
const APP_TYPES = ['web', 'native', 'service'] as const;

const TOKEN_FORMATS = ['jwt', 'opaque'] as const;

/** A grant is the consent of a person, or belongs to the installation, for what the app does without a person. */
const GRANT_KINDS = ['consent', 'installation'] as const;

export function define(v: Vocabulary, { organisations, users }: Accounts) {
  const apps = v.table(
    'apps',
    {
      ...ownedRow(v, organisations),
      name: v.text('name').notNull(),
      type: v.text('type', { enum: APP_TYPES }).notNull(),
      redirectUris: v.json<readonly string[]>('redirect_uris').notNull(),
      postLogoutRedirectUris: v.json<readonly string[]>('post_logout_redirect_uris').notNull().default([]),
      /** The scopes that the app may request at most. */
      scopes: v.json<readonly string[]>('scopes').notNull(),
      tokenFormat: v.text('token_format', { enum: TOKEN_FORMATS }).notNull(),
      homepageUrl: v.text('homepage_url'),
      /** Public keys of an app that signs its own assertions (private_key_jwt). */
      jwks: v.json<{ readonly keys: readonly Readonly<Record<string, unknown>>[] }>('jwks'),
      /** A subject alternative name of the certificate by which the app authenticates (tls_client_auth). */
      certificateSan: v.json<{ readonly uri?: string; readonly dns?: string }>('certificate_san'),
      ...versioned(v),
      removedAt: v.timestamp('removed_at'),
    },
    (t) => [
      v.index('apps_by_org').on(t.org, t.id).where(sql`${t.removedAt} is null`),
      v.index('apps_by_change').on(t.updatedAt).where(sql`${t.version} > 1`),
      v.check('apps_type_check', sql`${t.type} in ${oneOf(APP_TYPES)}`),
      v.check('apps_token_format_check', sql`${t.tokenFormat} in ${oneOf(TOKEN_FORMATS)}`),
    ],
  );

  const appSecrets = v.table(
    'app_secrets',
    {
      ...ownedRow(v, organisations),
      appId: reference(v, 'app_id', apps),
      /** Only the hash is stored, as for API keys. */
      secretHash: v.text('secret_hash').notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      revokedAt: v.timestamp('revoked_at'),
    },
    (t) => [v.index('app_secrets_by_app').on(t.appId, t.id).where(sql`${t.revokedAt} is null`)],
  );

  const installations = v.table(
    'installations',
    {
      id: v.id(),
      /** The organisation where the app is installed, which need not be the one that owns it. */
      org: organisation(v, organisations),
      appId: reference(v, 'app_id', apps),
      /** The app's member in this organisation. Its role is that of the installation. */
      userId: reference(v, 'user_id', users),
      scopes: v.json<readonly string[]>('scopes').notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      removedAt: v.timestamp('removed_at'),
    },
    (t) => [
      v.uniqueIndex('installations_unique').on(t.org, t.appId).where(sql`${t.removedAt} is null`),
      v.index('installations_by_org').on(t.org, t.id).where(sql`${t.removedAt} is null`),
      v.index('installations_by_app').on(t.appId, t.id).where(sql`${t.removedAt} is null`),
    ],
  );

  const grants = v.table(
    'grants',
    {
      ...ownedRow(v, organisations),
      kind: v.text('kind', { enum: GRANT_KINDS }).notNull(),
      /** The person who consented, or the app's own member. */
      userId: reference(v, 'user_id', users),
      appId: reference(v, 'app_id', apps),
      installationId: reference(v, 'installation_id', installations),
      /** The secret with which the app obtained the grant: 0 for a consent, and for an app that authenticates by a key or a certificate. */
      secretId: v.integer('secret_id').notNull().default(0),
      /** The granted scopes: those of the API, and in a consent those of OpenID Connect. */
      scopes: v.json<readonly string[]>('scopes').notNull(),
      /** The scopes that the app requested and the person declined. They are not requested again automatically. */
      declined: v.json<readonly string[]>('declined').notNull(),
      createdAt: v.timestamp('created_at').notNull(),
      revokedAt: v.timestamp('revoked_at'),
      revokedReason: v.text('revoked_reason'),
    },
    (t) => [
      v.index('grants_by_org').on(t.org, t.kind, t.id).where(sql`${t.revokedAt} is null`),
      v.index('grants_by_user').on(t.org, t.userId, t.kind, t.id).where(sql`${t.revokedAt} is null`),
      v.index('grants_by_installation').on(t.installationId, t.id).where(sql`${t.revokedAt} is null`),
      v
        .uniqueIndex('grants_own_unique')
        .on(t.org, t.installationId, t.secretId)
        .where(sql`${t.kind} = ${oneText('installation')} and ${t.revokedAt} is null`),
      v.index('grants_by_revocation').on(t.revokedAt).where(sql`${t.revokedAt} is not null`),
      v.check('grants_kind_check', sql`${t.kind} in ${oneOf(GRANT_KINDS)}`),
    ],
  );

  return { apps, appSecrets, installations, grants };
}
