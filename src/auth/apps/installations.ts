/** Installations of apps. An installed app is a member of the organisation, whose people may consent to it. */
import type { Clock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { ROLES, type Role } from '../../core/roles.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { findClientApp, holdApp } from '../../db/queries/apps.ts';
import { newestEventId } from '../../db/queries/events.ts';
import { endGrantsOfInstallation } from '../../db/queries/grants.ts';
import {
  countInstallations,
  type InstalledApp,
  insertAppMember,
  insertInstallation,
  installations,
  removeAppMember,
  removeInstallation,
} from '../../db/queries/installations.ts';
import { queueForMembers } from '../../db/queries/members.ts';
import { removeSharesOfUser } from '../../db/queries/shares.ts';
import { holdWebhooks, removeWebhook, webhooksOfApp } from '../../db/queries/webhooks.ts';
import type { AppRow } from '../../db/rows.ts';
import { type EventToRecord, record } from '../../events/record.ts';
import { type Commits, type HeldRights, holdRights, recordChange } from '../changes.ts';
import { APP_DOMAIN } from '../email-addresses.ts';
import { problemsWithScopes, refuseApps } from '../grantable-scopes.ts';
import { type Principal, ROLE_SCOPES, requireRoleToGive, scopesWithin } from '../policy.ts';
import { aboutWebhook } from '../webhook-data.ts';
import { appIdOf, clientIdOf } from './client-id.ts';

/** The parts of a request that changes of apps need. */
export interface AppChangeParts {
  readonly database: Database;
  readonly clock: Clock;
}

/** Also runs a change whose result is stored under the caller's idempotency key. */
export interface KeyedAppChangeParts extends AppChangeParts {
  readonly work: Commits;
}

interface NewInstallation {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly role: Role;
}

/** The least powerful role that includes all of these scopes. */
export function leastRoleFor(scopes: readonly string[]): Role {
  const wanted = scopesWithin('admin', scopes);
  return ROLES.find((role) => wanted.every((scope) => ROLE_SCOPES[role].has(scope))) ?? 'admin';
}

/**
 * Installs an app in the caller's organisation.
 *
 * @throws ApiError `not_found`, `validation_failed`, `insufficient_scope` for a role that the caller cannot assign, `conflict` if
 *   the app is already installed or too many are.
 */
export async function install(
  { database, clock, work }: KeyedAppChangeParts,
  caller: Principal,
  { clientId, scopes, role }: NewInstallation,
): Promise<InstalledApp> {
  refuseApps(caller);
  const appId = appIdOf(clientId);
  const app = appId === undefined ? undefined : await findClientApp(database, { id: appId });
  if (!app) throw unknownApp();
  const details = problemsWithScopes(scopes, caller, 'input.scopes');
  const refused = new Set(details.map(({ path }) => path));
  for (const [index, scope] of scopes.entries()) {
    const path = `input.scopes.${index}`;
    if (!app.scopes.includes(scope) && !refused.has(path)) {
      details.push({ path, message: 'is not among the scopes of the app' });
    }
  }
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  requireRoleToGive(caller, role);
  return work.commit(async (tx) => {
    const present = await holdApp(tx, { id: app.id });
    await queueForMembers(tx, { org: caller.org });
    const held = await holdRights(tx, caller);
    if (!present) throw unknownApp();
    return installIn(tx, held, present, { scopes, role }, clock);
  });
}

/** Installs an app within a transaction that has locked the app and the members of the caller's organisation. */
export async function installIn(
  tx: Transaction,
  held: HeldRights,
  app: AppRow,
  { scopes: wanted, role }: Pick<NewInstallation, 'scopes' | 'role'>,
  clock: Clock,
): Promise<InstalledApp> {
  const { org } = held.caller;
  if ((await countInstallations(tx, org)) >= LIMITS.installations) {
    throw new ApiError('conflict', {
      message: `Your organisation has ${LIMITS.installations} apps installed, which is the maximum.`,
    });
  }
  const now = clock();
  const clientId = clientIdOf(app.id);
  const member = await insertAppMember(tx, {
    org,
    // The address is freed when the app is uninstalled.
    email: `${clientId}.${org}@${APP_DOMAIN}`,
    name: app.name,
    role,
    lastReadEventId: await newestEventId(tx, org),
    now,
  }).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'conflict' ? alreadyInstalled() : error;
  });
  const scopes = scopesWithin('admin', wanted);
  const row = await insertInstallation(tx, { org, appId: app.id, userId: member.id, scopes, createdAt: now });
  if (!row) throw alreadyInstalled();
  const data = { name: app.name, client_id: clientId, scopes, role };
  await recordChange(tx, held, { org, type: 'app.installed', subjectId: app.id, data }, clock);
  const { name, org: publisher, homepageUrl } = app;
  return { ...row, name, publisher, homepageUrl, role };
}

/** Uninstalls an app from the caller's organisation. Does nothing if it is not installed. */
export async function uninstall(
  { database, clock }: AppChangeParts,
  caller: Principal,
  installationId: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { org } = caller;
    await holdWebhooks(tx, { org });
    await queueForMembers(tx, { org });
    const held = await holdRights(tx, caller);
    const installed = await installations.find(tx, org, installationId);
    if (!installed) return;
    await endInstallation(tx, held, installed, 'uninstalled', clock);
  });
}

/**
 * Ends an installation, its member with all shares, all its grants, and the webhooks that the app gave their URL: messages must not
 * outlive its grants. The transaction has locked the webhooks and members of the organisation.
 */
export async function endInstallation(
  tx: Transaction,
  held: HeldRights,
  { org, id, appId, userId, name }: InstalledApp,
  reason: 'uninstalled' | 'app_deleted',
  clock: Clock,
): Promise<void> {
  const now = clock();
  await removeInstallation(tx, { org, id, now });
  await endGrantsOfInstallation(tx, { org, id, reason, now });
  await removeAppMember(tx, { org, id: userId, now });
  await removeSharesOfUser(tx, { org, id: userId });
  for (const webhook of await webhooksOfApp(tx, { org, appId })) {
    await removeWebhook(tx, { ...webhook, now });
    await recordIn(tx, held, { type: 'webhook.deleted', ...aboutWebhook(webhook) }, clock);
  }
  const data = { name, client_id: clientIdOf(appId), reason };
  await recordIn(tx, held, { org, type: 'app.uninstalled', subjectId: appId, data }, clock);
}

/** Records an event of the caller. In other organisations it has no actor: the caller is not a member there. */
export const recordIn = (
  tx: Transaction,
  held: HeldRights,
  event: EventToRecord,
  clock: Clock,
): Promise<number> =>
  event.org === held.caller.org
    ? recordChange(tx, held, event, clock)
    : record(tx, { ...event, actorId: null }, clock);

const unknownApp = () => new ApiError('not_found', { message: 'No app has this client id.' });

const alreadyInstalled = () =>
  new ApiError('conflict', { message: 'The app is already installed in your organisation.' });
