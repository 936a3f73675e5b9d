/** A person consents that an app acts for them, and an app acts for itself where it is installed. */
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Runner, Transaction } from '../../db/database.ts';
import {
  findConsentTo,
  findOwnGrant,
  grantsOfUserAfter,
  insertGrant,
  widenGrant,
} from '../../db/queries/grants.ts';
import { findInstallationOfApp, type InstalledApp } from '../../db/queries/installations.ts';
import { findUser } from '../../db/queries/users.ts';
import type { AppRow, GrantRow, UserRow } from '../../db/rows.ts';
import { record } from '../../events/record.ts';
import { holdRights, recordChange } from '../changes.ts';
import { BROWSER_TOKEN } from '../origins.ts';
import { type Principal, ROLE_SCOPES, type Scope, scopesWithin } from '../policy.ts';
import { endGrantWith, grantCreated } from './grants.ts';
import type { Changing } from './installations.ts';

/** What a person is asked. */
export interface Consent {
  readonly app: AppRow;
  readonly person: UserRow;
  /** What the app asks for, as far as there are such scopes. */
  readonly asked: readonly Scope[];
}

/** What the person can let the app do: what it asks for, within its installation and the role. None without an installation. */
export async function offeredScopes(
  db: Runner,
  { app, person, asked }: Consent,
): Promise<readonly Scope[] | undefined> {
  const installed = await findInstallationOfApp(db, person.org, app.id);
  if (!installed) return undefined;
  return within(asked, app, installed, person);
}

const within = (
  asked: readonly string[],
  app: AppRow,
  installed: InstalledApp,
  person: Pick<UserRow, 'role'>,
): Scope[] =>
  scopesWithin(person.role, asked).filter(
    (scope) => app.scopes.includes(scope) && installed.scopes.includes(scope),
  );

/**
 * Writes what a person lets an app do. What was taken away from an earlier consent ends that one with its tokens; what was added is
 * added to it.
 *
 * @param chosen those of the offered scopes that the person left.
 * @returns the grant's id.
 * @throws ApiError `forbidden` where the app is not installed, `conflict` for too many grants, and as `holdRights`.
 */
export async function consent(
  { database, clock }: Changing,
  { app, person, asked }: Consent,
  chosen: readonly string[],
): Promise<number> {
  const { org, id: userId } = person;
  return database.transaction(async (tx) => {
    const held = await holdRights(tx, principalOf(person));
    const installed = await findInstallationOfApp(tx, org, app.id);
    if (!installed)
      throw new ApiError('forbidden', { message: 'The app is not installed in your organisation.' });
    const given = within(asked, app, installed, person).filter((scope) => chosen.includes(scope));
    const refused = asked.filter((scope) => !given.includes(scope));
    const before = await findConsentTo(tx, { org, userId, appId: app.id });
    const kept = (before?.scopes ?? []).filter((scope) => !refused.some((each) => each === scope));
    const scopes = scopesWithin('admin', [...kept, ...given]);
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
    const mine = await grantsOfUserAfter(tx, org, userId, 0, LIMITS.grantsPerPerson);
    if (mine.length >= LIMITS.grantsPerPerson) {
      throw new ApiError('conflict', {
        message: `You let ${LIMITS.grantsPerPerson} apps act for you, which is the maximum.`,
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
    if (!grant) throw new Error('An inserted grant gave no row.');
    await event(grant);
    return grant.id;
  });
}

/** A person who has signed in at the authorization server. */
function principalOf({ id, org, role }: UserRow): Principal {
  return {
    kind: 'user',
    userId: id,
    org,
    role,
    scopes: ROLE_SCOPES[role],
    expiresAt: Number.POSITIVE_INFINITY,
    tokenId: `${BROWSER_TOKEN}${id}`,
  };
}

/** What an app holds for itself in an organisation. */
export interface OwnGrant {
  readonly id: number;
  readonly org: string;
  readonly member: UserRow;
  readonly scopes: readonly Scope[];
}

/**
 * The grant by which an app acts for itself in an organisation; made with its first token there.
 *
 * @param secretId with which secret the app authenticated, 0 for another way. The grant ends with it.
 * @returns undefined where the app is not installed.
 */
export async function ownGrantOf(
  { database, clock }: Changing,
  app: AppRow,
  org: string,
  secretId: number,
): Promise<OwnGrant | undefined> {
  const installed = await findInstallationOfApp(database, org, app.id);
  const member = installed && (await findUser(database, org, installed.userId));
  if (!installed || !member) return undefined;
  const scopes = within(app.scopes, app, installed, member);
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
  clock: Changing['clock'],
): Promise<GrantRow | undefined> {
  const grant = await insertGrant(tx, {
    ...named,
    kind: 'installation',
    userId,
    appId,
    scopes,
    declined: [],
    createdAt: clock(),
  });
  // Another request has made it.
  if (!grant) return findOwnGrant(tx, named);
  await record(tx, { ...grantCreated(grant), actorId: userId }, clock);
  return grant;
}
