/** The apps of an organisation, which its administrators create, change and delete. */
import { changesNothing } from '../../core/changes.ts';
import type { Clock } from '../../core/clock.ts';
import { ApiError, type ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { requireVersion, type Versions } from '../../core/versions.ts';
import type { Transaction } from '../../db/database.ts';
import {
  countApps,
  holdApp,
  insertApp,
  insertAppSecret,
  removeApp,
  revokeAppSecrets,
  secretsOfApp,
  updateApp,
} from '../../db/queries/apps.ts';
import { endGrant, ownGrantsOfSecrets } from '../../db/queries/grants.ts';
import {
  findInstallationOfApp,
  orgsWithApp,
  setAppMemberRole,
  setInstallationScopes,
} from '../../db/queries/installations.ts';
import { queueForMembers } from '../../db/queries/members.ts';
import { holdWebhooks } from '../../db/queries/webhooks.ts';
import type { AppRow } from '../../db/rows.ts';
import { recordAudit } from '../../events/audit.ts';
import { shownMatch, storedMatch } from '../certificate-matches.ts';
import { type HeldRights, holdRights } from '../changes.ts';
import { problemsWithScopes, refuseApps } from '../grantable-scopes.ts';
import {
  actorIdOf,
  type Principal,
  requireRoleToGive,
  requireScopesToGive,
  scopesWithin,
} from '../policy.ts';
import { APP_SECRET, hashSecret } from '../random-secrets.ts';
import { clientIdOf } from './client-id.ts';
import { grantRevoked } from './grants.ts';
import {
  type AppChangeParts,
  endInstallation,
  installIn,
  type KeyedAppChangeParts,
  leastRoleFor,
  recordIn,
} from './installations.ts';
import {
  problemsWithHomepage,
  problemsWithJwks,
  problemsWithRedirectUris,
  type RedirectUris,
} from './metadata.ts';

type Optional<Members> = { readonly [Name in keyof Members]?: Members[Name] | null | undefined };

type AppChange = Optional<
  Pick<AppRow, 'name' | 'tokenFormat' | 'homepageUrl' | keyof RedirectUris> & {
    readonly scopes: readonly string[];
  }
>;

interface NewApp extends Omit<AppChange, 'name' | 'scopes'> {
  readonly name: string;
  readonly type: AppRow['type'];
  readonly scopes: readonly string[];
  readonly jwks?: unknown;
  readonly certificate?: Optional<{ sanUri: string; sanDns: string }> | null | undefined;
}

/** A new app, with its secret, which is shown only once. Null for an app that authenticates without one. */
export type CreatedApp = AppRow & { readonly clientId: string; readonly clientSecret: string | null };

/** A new secret of the app with this id, which is shown only once. */
type CreatedAppSecret = Pick<CreatedApp, 'id' | 'clientId'> & { readonly clientSecret: string };

/**
 * Creates an app and installs it in the organisation that owns it.
 *
 * @throws ApiError `validation_failed`, `insufficient_scope`, `conflict` when the organisation has the maximum number of apps.
 */
export async function createApp(
  { work, clock }: KeyedAppChangeParts,
  caller: Principal,
  input: NewApp,
): Promise<CreatedApp> {
  refuseApps(caller);
  const { org } = caller;
  const wanted = checked(input, caller);
  const role = requireRoleFor(caller, wanted.scopes);
  const needsSecret = input.type !== 'native' && !wanted.jwks && !wanted.certificateSan;
  const clientSecret = needsSecret ? APP_SECRET.create() : null;
  return work.commit(async (tx) => {
    await queueForMembers(tx, { org });
    const held = await holdRights(tx, caller);
    if ((await countApps(tx, org)) >= LIMITS.apps) {
      throw new ApiError('conflict', {
        message: `Your organisation has ${LIMITS.apps} apps, which is the maximum.`,
      });
    }
    const now = clock();
    const row = await insertApp(tx, { ...wanted, org, now });
    if (clientSecret) {
      await insertAppSecret(tx, { org, appId: row.id, secretHash: hashSecret(clientSecret), now });
    }
    await installIn(tx, held, row, { scopes: wanted.scopes, role }, clock);
    return { ...row, clientId: clientIdOf(row.id), clientSecret };
  });
}

/**
 * Changes an app, and its scopes in its own organisation. A new redirect URI receives the codes of people who have consented before, so
 * it requires the scopes of the app.
 *
 * @throws ApiError like {@link createApp}, and `precondition_failed`.
 */
export async function changeApp(
  { database, clock }: AppChangeParts,
  caller: Principal,
  id: number,
  input: AppChange,
  versions: Versions,
): Promise<AppRow> {
  refuseApps(caller);
  const { org } = caller;
  return database.transaction(async (tx) => {
    const before = await holdApp(tx, { id });
    await queueForMembers(tx, { org });
    await holdRights(tx, caller);
    if (before?.org !== org) throw new ApiError('not_found');
    requireVersion(before, versions);
    const uris = redirectUrisIn(input, before);
    if (uris.redirectUris.some((uri) => !before.redirectUris.includes(uri))) {
      requireScopesToGive(caller, before.scopes);
    }
    const details = [
      ...problemsWithRedirectUris(uris, before.type, before),
      ...(input.scopes ? problemsWithScopes(input.scopes, caller, 'input.scopes') : []),
      ...problemsWithHomepage(input.homepageUrl, 'input.homepageUrl', before.homepageUrl),
    ];
    if (details.length > 0) throw new ApiError('validation_failed', { details });
    const change = {
      name: input.name ?? before.name,
      ...uris,
      scopes: input.scopes ? scopesWithin('admin', input.scopes) : before.scopes,
      tokenFormat: input.tokenFormat ?? before.tokenFormat,
      homepageUrl: input.homepageUrl === undefined ? before.homepageUrl : input.homepageUrl,
    } satisfies Record<keyof AppChange, unknown>;
    const now = clock();
    const isFollowed = input.scopes && (await followInOwnOrganisation(tx, caller, id, change.scopes, now));
    if (!isFollowed && changesNothing(before, change)) return before;
    const changed = await updateApp(tx, { org, id, ...change, now });
    if (!changed) throw new ApiError('not_found');
    await recordAudit(tx, { type: 'app.updated', ...about(changed, caller) }, clock);
    return changed;
  });
}

/**
 * Gives the installation in the organisation of the app, which may have other scopes, those of the app.
 *
 * @returns whether this changed it.
 */
async function followInOwnOrganisation(
  tx: Transaction,
  caller: Principal,
  appId: number,
  scopes: readonly string[],
  now: Date,
): Promise<boolean> {
  const { org } = caller;
  const role = requireRoleFor(caller, scopes);
  const installed = await findInstallationOfApp(tx, { org, appId });
  if (!installed || changesNothing(installed, { scopes, role })) return false;
  await setInstallationScopes(tx, { org, id: installed.id, scopes });
  await setAppMemberRole(tx, { org, id: installed.userId, role, now });
  return true;
}

/** Deletes an app and uninstalls it from every organisation. @throws ApiError `precondition_failed` for another version. */
export async function deleteApp(
  { database, clock }: AppChangeParts,
  caller: Principal,
  id: number,
  versions: Versions,
): Promise<void> {
  await database.transaction(async (tx) => {
    const app = await holdApp(tx, { id });
    if (!app) return;
    requireVersion(app, versions);
    const orgs = (await orgsWithApp(tx, { appId: id })).map((row) => row.org);
    for (const org of orgs) await holdWebhooks(tx, { org });
    await queueInEach(tx, [...orgs, caller.org]);
    const held = await holdRights(tx, caller);
    const now = clock();
    for (const org of orgs) {
      const installed = await findInstallationOfApp(tx, { org, appId: id });
      if (!installed) continue;
      await endInstallation(tx, held, installed, 'app_deleted', clock);
    }
    await removeApp(tx, { org: caller.org, id, now });
    await revokeAppSecrets(tx, { org: caller.org, appId: id, before: Number.MAX_SAFE_INTEGER, now });
    await recordAudit(tx, { type: 'app.deleted', ...about(app, caller) }, clock);
  });
}

/**
 * Creates another secret. The previous one stays valid. Older ones are revoked, and with them the grants that the app obtained for
 * itself with these secrets. The caller can act as the app with the secret, so its credentials must have the scopes of the app.
 *
 * @throws ApiError `conflict` for an app that has no secrets, `insufficient_scope`.
 */
export async function createAppSecret(
  { work, clock }: KeyedAppChangeParts,
  caller: Principal,
  id: number,
): Promise<CreatedAppSecret> {
  refuseApps(caller);
  const { org } = caller;
  const secret = APP_SECRET.create();
  return work.commit(async (tx) => {
    const app = await holdApp(tx, { id });
    if (!app) throw new ApiError('not_found');
    requireScopesToGive(caller, app.scopes);
    if (app.type === 'native' || app.jwks || app.certificateSan) {
      throw new ApiError('conflict', { message: 'This app authenticates without a secret.' });
    }
    const secrets = await secretsOfApp(tx, { appId: id });
    const ended = { appId: id, secretIds: secrets.slice(LIMITS.appSecrets - 1).map((each) => each.id) };
    const now = clock();
    await revokeAppSecrets(tx, { org, appId: id, before: (ended.secretIds[0] ?? 0) + 1, now });
    const orgs = await orgsWithGrantsOf(tx, ended);
    await queueInEach(tx, [...orgs, org]);
    const held = await holdRights(tx, caller);
    await insertAppSecret(tx, { org, appId: id, secretHash: hashSecret(secret), now });
    await recordAudit(tx, { type: 'app.secret_created', ...about(app, caller) }, clock);
    for (const each of orgs) await endGrantsOfSecrets(tx, held, { org: each, ...ended }, clock);
    return { id, clientId: clientIdOf(id), clientSecret: secret };
  });
}

interface SecretsOfApp {
  readonly appId: number;
  readonly secretIds: readonly number[];
}

/** The organisations in which an app obtained grants for itself with these secrets: the others do not wait for their end. */
async function orgsWithGrantsOf(tx: Transaction, secrets: SecretsOfApp): Promise<readonly string[]> {
  const affected: string[] = [];
  if (secrets.secretIds.length === 0) return affected;
  for (const { org } of await orgsWithApp(tx, { appId: secrets.appId })) {
    if ((await ownGrantsOfSecrets(tx, { org, ...secrets })).length > 0) affected.push(org);
  }
  return affected;
}

/** Ends the grants that an app obtained for itself in an organisation with these secrets. */
async function endGrantsOfSecrets(
  tx: Transaction,
  held: HeldRights,
  secrets: SecretsOfApp & { readonly org: string },
  clock: Clock,
): Promise<void> {
  const { org } = secrets;
  for (const { id } of await ownGrantsOfSecrets(tx, secrets)) {
    const grant = await endGrant(tx, { org, id, reason: 'secret_rotated', now: clock() });
    if (grant) await recordIn(tx, held, grantRevoked(grant, 'secret_rotated'), clock);
  }
}

/**
 * Locks several organisations in a fixed order, so that transactions that lock several cannot deadlock. Changes of an app lock its row
 * before this, like rows of other resources: then the app is not installed in a further organisation either.
 */
async function queueInEach(tx: Transaction, orgs: readonly string[]): Promise<void> {
  for (const org of [...new Set(orgs)].sort()) await queueForMembers(tx, { org });
}

const about = ({ id, name }: AppRow, caller: Principal) => ({
  org: caller.org,
  actorId: actorIdOf(caller),
  subjectId: id,
  data: { name, client_id: clientIdOf(id) },
});

/** Returns the role that the scopes require. @throws ApiError `insufficient_scope` when the caller cannot assign it. */
function requireRoleFor(caller: Principal, scopes: readonly string[]) {
  const role = leastRoleFor(scopes);
  requireRoleToGive(caller, role);
  return role;
}

/** Returns the URIs of an input without duplicates, and those of the app before where the input has none. */
function redirectUrisIn(input: Optional<RedirectUris>, before: RedirectUris = NO_URIS): RedirectUris {
  const { redirectUris, postLogoutRedirectUris } = input;
  return {
    redirectUris: distinct(redirectUris ?? before.redirectUris),
    postLogoutRedirectUris: distinct(postLogoutRedirectUris ?? before.postLogoutRedirectUris),
  };
}

const NO_URIS: RedirectUris = { redirectUris: [], postLogoutRedirectUris: [] };

const distinct = (uris: readonly string[]): readonly string[] => [...new Set(uris)];

/** Returns the name of a stored match, which is not by a thumbprint. */
function nameIn(match: string): AppRow['certificateSan'] {
  const { sanUri, sanDns } = shownMatch(match);
  return sanUri !== null ? { uri: sanUri } : sanDns !== null ? { dns: sanDns } : null;
}

function checked(input: NewApp, caller: Principal) {
  const { name, type, tokenFormat, homepageUrl, jwks, certificate } = input;
  const uris = redirectUrisIn(input);
  const details: ErrorDetail[] = [
    ...problemsWithRedirectUris(uris, type),
    ...problemsWithScopes(input.scopes, caller, 'input.scopes'),
    ...problemsWithHomepage(homepageUrl, 'input.homepageUrl'),
    ...(jwks == null ? [] : problemsWithJwks(jwks, 'input.jwks')),
  ];
  const match = certificate && storedMatch(certificate, 'input.certificate');
  if (match && 'problem' in match) details.push(match.problem);
  if (jwks != null && certificate) {
    details.push({ path: 'input.certificate', message: 'cannot be combined with jwks' });
  }
  if (type === 'native' && (jwks != null || certificate)) {
    details.push({
      path: 'input.type',
      message: 'must be web or service for an app with keys or a certificate',
    });
  }
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return {
    name,
    type,
    ...uris,
    scopes: scopesWithin('admin', input.scopes),
    tokenFormat: tokenFormat ?? 'jwt',
    homepageUrl: homepageUrl ?? null,
    // `problemsWithJwks` has checked that it is an object with a list of keys.
    jwks: (jwks ?? null) as AppRow['jwks'],
    certificateSan: match && 'match' in match ? nameIn(match.match) : null,
  } as const;
}
