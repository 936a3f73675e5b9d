/** Converts apps and grants to the formats of oidc-provider. */
import type { AdapterPayload } from 'oidc-provider';
import { clientIdOf } from '../../auth/apps/client-id.ts';
import { scopesOf } from '../../auth/apps/grants.ts';
import { isIdentity } from '../../auth/claims.ts';
import type { LiveGrant } from '../../db/queries/grants.ts';
import type { AppRow } from '../../db/rows.ts';

/** What the scopes that identify a person permit, besides those of the API, for people who grant them. */
export const IDENTITY_WORDS = {
  openid: 'Know who you are',
  profile: 'See your name',
  email: 'See your email address',
  offline_access: 'Stay connected while you are away',
} as const;

export const IDENTITY_SCOPES = Object.keys(IDENTITY_WORDS) as readonly (keyof typeof IDENTITY_WORDS)[];

/** The grant type of devices (RFC 8628, section 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const GRANT_TYPES: Readonly<Record<AppRow['type'], readonly string[]>> = {
  web: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
  native: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  service: ['client_credentials'],
};

/** A placeholder, which must not be empty: secrets are compared by their hashes. */
const SOME_SECRET = 'compared by its hash';

export function clientOf(app: AppRow): AdapterPayload {
  const isPublic = app.type === 'native';
  return {
    client_id: clientIdOf(app.id),
    client_name: app.name,
    application_type: isPublic ? 'native' : 'web',
    redirect_uris: [...app.redirectUris],
    post_logout_redirect_uris: [...app.postLogoutRedirectUris],
    // An app for devices without a browser has no redirect URI.
    response_types: app.redirectUris.length === 0 ? [] : ['code'],
    grant_types: GRANT_TYPES[app.type].filter(
      (type) => type !== 'authorization_code' || app.redirectUris.length > 0,
    ),
    // The scopes of the API are limited when they are granted.
    ...(app.type !== 'service' && { scope: IDENTITY_SCOPES.join(' ') }),
    ...authentication(app),
    // Our own members, declared as `extraClientMetadata`.
    app_id: app.id,
    app_org: app.org,
    app_scopes: [...app.scopes],
    app_homepage: app.homepageUrl ?? undefined,
    token_format: app.tokenFormat,
  };
}

function authentication({ type, jwks, certificateSan }: AppRow) {
  if (type === 'native') return { token_endpoint_auth_method: 'none' } as const;
  if (jwks) {
    const keys = jwks.keys.map((key) => ({ ...key }));
    return { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } } as const;
  }
  if (certificateSan) {
    return {
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_certificate_bound_access_tokens: true,
      ...(certificateSan.uri !== undefined && { tls_client_auth_san_uri: certificateSan.uri }),
      ...(certificateSan.dns !== undefined && { tls_client_auth_san_dns: certificateSan.dns }),
    } as const;
  }
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: SOME_SECRET } as const;
}

/** The current scopes of a grant, with those of OpenID Connect to which the person has consented. */
export const currentScopes = (grant: LiveGrant): readonly string[] => [
  ...grant.scopes.filter(isIdentity),
  ...scopesOf(grant),
];

/**
 * Converts a grant with its current scopes. Scopes that were consented to but are no longer available count as declined, so that
 * people are not asked again for scopes that they cannot grant.
 */
export function grantPayload(grant: LiveGrant, resources: readonly string[]): AdapterPayload {
  const given = currentScopes(grant);
  const withheld = [...new Set([...grant.scopes, ...grant.declined])].filter(
    (scope) => !given.includes(scope),
  );
  return {
    jti: String(grant.id),
    kind: 'Grant',
    accountId: String(grant.userId),
    clientId: clientIdOf(grant.appId),
    openid: { scope: given.filter(isIdentity).join(' ') },
    resources: ofEach(resources, [...given, ...withheld]),
    ...(withheld.length > 0 && { rejected: { resources: ofEach(resources, withheld) } }),
  };
}

/** A grant applies to all resources, since they are one API. */
const ofEach = (resources: readonly string[], scopes: readonly string[]) =>
  Object.fromEntries(resources.map((resource) => [resource, scopes.join(' ')]));
