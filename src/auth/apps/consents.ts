/** Grants by which apps act for people who have consented, or for themselves in organisations where they are installed. */
import type { Clock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Runner, Transaction } from '../../db/database.ts';
import { holdApp, secretsOfApp } from '../../db/queries/apps.ts';
import {
  findConsentTo,
  findOwnGrant,
  grantsOfUserAfter,
  insertGrant,
  widenGrant,
} from '../../db/queries/grants.ts';
import { findInstallationOfApp, type InstalledApp, installations } from '../../db/queries/installations.ts';
import { queueForMembers } from '../../db/queries/members.ts';
import { users } from '../../db/queries/users.ts';
import type { AppRow, GrantRow, UserRow } from '../../db/rows.ts';
import { record } from '../../events/record.ts';
import { holdRights, recordChange } from '../changes.ts';
import { isIdentity } from '../claims.ts';
import { personAs, type Scope, scopesWithin } from '../policy.ts';
import { endGrantWith, grantCreated, scopesWithinAll } from './grants.ts';
import type { AppChangeParts } from './installations.ts';

/** A request for consent to a person. */
export interface Consent {
  readonly app: AppRow;
  readonly person: UserRow;
  /** The scopes that the app requests, without unknown ones. */
  readonly asked: readonly Scope[];
  /** The requested scopes of OpenID Connect, such as `email`. The person grants all of them or denies the request. */
  readonly identity: readonly string[];
}

/** The scopes that the person can grant: the requested ones that installation and role include. Undefined if not installed. */
export async function offeredScopes(
  db: Runner,
  { app, person, asked }: Consent,
): Promise<readonly Scope[] | undefined> {
  const installed = await findInstallationOfApp(db, { org: person.org, appId: app.id });
  return installed && scopesWithinAll(person.role, asked, app.scopes, installed.scopes);
}

/**
 * Records a person's consent to an app. If it only adds scopes to an earlier consent, that one is widened. If it removes scopes,
 * the earlier grant ends with its tokens and a new one replaces it.
 *
 * @param chosen the offered scopes that the person has selected.
 * @returns the grant's id.
 * @throws ApiError `forbidden` if the app is not installed, `conflict` for too many grants, and like `holdRights`.
 */
export async function consent(
  { database, clock }: AppChangeParts,
  { app, person, asked, identity }: Consent,
  chosen: readonly string[],
): Promise<number> {
  const { org, id: userId } = person;
  return database.transaction(async (tx) => {
    const held = await holdRights(tx, personAs('browser', person));
    const installed = await findInstallationOfApp(tx, { org, appId: app.id });
    if (!installed)
      throw new ApiError('forbidden', { message: 'The app is not installed in your organisation.' });
    const given = scopesWithinAll(person.role, asked, app.scopes, installed.scopes, chosen);
    const refused: readonly string[] = asked.filter((scope) => !given.includes(scope));
    const before = await findConsentTo(tx, { org, userId, appId: app.id });
    const kept = (before?.scopes ?? []).filter((scope) => !refused.includes(scope));
    const identified = new Set([...kept.filter(isIdentity), ...identity]);
    const scopes = [...identified, ...scopesWithin('admin', [...kept, ...given])];
    const declined = scopesWithin('admin', [...(before?.declined ?? []), ...refused]).filter(
      (scope) => !scopes.includes(scope),
    );
    const event = (grant: GrantRow) => recordChange(tx, held, grantCreated(grant), clock);
    if (before && kept.length === before.scopes.length) {
      await widenGrant(tx, { org, id: before.id, scopes, declined });
      if (scopes.length > kept.length) await event({ ...before, scopes });
      return before.id;
    }
    if (before) await endGrantWith(tx, before, 'replaced', clock);
    const mine = await grantsOfUserAfter(tx, { org, userId, fromId: 0, limit: LIMITS.grantsPerPerson });
    if (mine.length >= LIMITS.grantsPerPerson) {
      throw new ApiError('conflict', {
        message: `You have authorised ${LIMITS.grantsPerPerson} apps, which is the maximum.`,
      });
    }
    const grant = await insertGrant(tx, {
      org,
      kind: 'consent',
      userId,
      appId: app.id,
      installationId: installed.id,
      secretId: 0,
      scopes,
      declined,
      createdAt: clock(),
    });
    if (!grant) throw new Error('The insert of a grant returned no row.');
    await event(grant);
    return grant.id;
  });
}

/**
 * Returns the grant by which an app acts for itself in an organisation. It is created with the app's first token there.
 *
 * @param secretId the secret with which the app has authenticated, 0 for another method. The grant ends with the secret.
 * @returns undefined if the app is not installed, or the secret was revoked.
 */
export async function ownGrantOf(
  { database, clock }: AppChangeParts,
  app: AppRow,
  org: string,
  secretId: number,
) {
  const installed = await findInstallationOfApp(database, { org, appId: app.id });
  const member = installed && (await users.find(database, org, installed.userId));
  if (!installed || !member) return undefined;
  const scopes = scopesWithinAll(member.role, app.scopes, installed.scopes);
  const named = { org, installationId: installed.id, secretId };
  const grant =
    (await findOwnGrant(database, named)) ??
    (await database.transaction((tx) => makeOwnGrant(tx, installed, named, clock)));
  return grant && { id: grant.id, org, member, scopes };
}

async function makeOwnGrant(
  tx: Transaction,
  { appId, userId, scopes }: InstalledApp,
  named: Pick<GrantRow, 'org' | 'installationId' | 'secretId'>,
  clock: Clock,
): Promise<GrantRow | undefined> {
  // Secrets and installations end under the same locks, with the grants that exist by then. The app may have authenticated before.
  if (!(await holdApp(tx, { id: appId })) || !(await isSecretValid(tx, appId, named.secretId)))
    return undefined;
  await queueForMembers(tx, named);
  if (!(await installations.find(tx, named.org, named.installationId))) return undefined;
  const grant = await insertGrant(tx, {
    ...named,
    kind: 'installation',
    userId,
    appId,
    scopes,
    declined: [],
    createdAt: clock(),
  });
  // A concurrent request has created it.
  if (!grant) return findOwnGrant(tx, named);
  await record(tx, { ...grantCreated(grant), actorId: userId }, clock);
  return grant;
}

async function isSecretValid(tx: Transaction, appId: number, secretId: number): Promise<boolean> {
  return secretId === 0 || (await secretsOfApp(tx, { appId })).some(({ id }) => id === secretId);
}
