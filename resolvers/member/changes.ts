import { type HeldRights, holdRights, recordChange } from '../../src/auth/changes.ts';
import { requireAddressOfPerson } from '../../src/auth/email-addresses.ts';
import { refuseApps } from '../../src/auth/grantable-scopes.ts';
import { hashNewPassword } from '../../src/auth/passwords.ts';
import { requireRoleToGive } from '../../src/auth/policy.ts';
import type { Clock } from '../../src/core/clock.ts';
import { ApiError } from '../../src/core/errors.ts';
import { isOfVersion, type Versions } from '../../src/core/versions.ts';
import type { Runner, Transaction } from '../../src/db/database.ts';
import { newestEventId } from '../../src/db/queries/events.ts';
import { endGrantsOfUser } from '../../src/db/queries/grants.ts';
import {
  eraseInvitedAddress,
  revokeInvitationsOf,
  revokeInvitationsTo,
} from '../../src/db/queries/invitations.ts';
import { eraseMember, insertMember, queueForMembers, setMemberRole } from '../../src/db/queries/members.ts';
import { revokeSessionsOfUser } from '../../src/db/queries/sessions.ts';
import { removeSharesOfUser } from '../../src/db/queries/shares.ts';
import { findUserByEmail, users } from '../../src/db/queries/users.ts';
import type { InvitationRow, UserRow } from '../../src/db/rows.ts';
import type {
  MutationCreateMemberArgs,
  MutationDeleteMemberArgs,
  MutationUpdateMemberArgs,
} from '../../src/generated/resolvers.ts';
import type { Context } from '../shared/context.ts';
import { absence, callerIn, requireId } from '../shared/lookup.ts';

/**
 * Creates an account.
 *
 * @throws ApiError `forbidden` for another organisation, `validation_failed`, `conflict` for an email address that is taken.
 */
export async function addMember(
  context: Context,
  { org, input: { email: address, name, role, password } }: MutationCreateMemberArgs,
): Promise<UserRow> {
  const caller = callerIn(context, org);
  refuseApps(caller);
  requireRoleToGive(caller, role);
  const email = requireAddressOfPerson(address, 'input.email');
  const passwordHash = await hashNewPassword(password, { email, name }, 'input.password', context);
  return context.work.commit(async (tx) => {
    await queueForMembers(tx, { org });
    // The insert does not see an account from before addresses had one spelling, which has its address as it was entered.
    if (await findUserByEmail(tx, address)) throw hasAccount();
    const lastReadEventId = await newestEventId(tx, org);
    const now = context.clock();
    const person = await insertMember(tx, { org, email, name, role, passwordHash, lastReadEventId, now });
    if (!person) throw hasAccount();
    const event = { org, type: 'user.added', subjectId: person.id, data: { name, role } } as const;
    await recordChange(tx, caller, event, context.clock);
    return person;
  });
}

/**
 * Changes the role of a person and ends their sessions. The open invitations of a former administrator are revoked. Setting the current
 * role changes nothing.
 *
 * @throws ApiError `forbidden`, `not_found`, `precondition_failed`, `conflict` for the last administrator.
 */
export async function changeMember(
  context: Context,
  { org, userId, input: { role }, ifVersion: versions = null }: MutationUpdateMemberArgs,
): Promise<UserRow> {
  const caller = callerIn(context, org);
  const id = requireId(userId);
  if (role != null) requireRoleToGive(caller, role);
  return context.database.transaction(async (tx) => {
    await queueForMembers(tx, { org });
    // Checked before the change, since callers may demote themselves.
    const held = await holdRights(tx, caller);
    const before = await users.find(tx, org, id);
    if (!before || !isOfVersion(before, versions)) throw await refusalOf(tx, org, id, versions);
    if (role == null || role === before.role) return before;
    const now = context.clock();
    const changed = await setMemberRole(tx, { org, id, versions, role, now });
    if (!changed) throw await refusalOf(tx, org, id, versions);
    await revokeSessionsOfUser(tx, { org, userId: id, reason: 'role_changed', now });
    if (before.role === 'admin') {
      const revoked = await revokeInvitationsOf(tx, { org, invitedById: id, now });
      await recordRevocations(tx, held, org, revoked, context.clock);
    }
    const data = { name: changed.name, role, former_role: before.role };
    await recordChange(tx, held, { org, type: 'user.role_changed', subjectId: id, data }, context.clock);
    return changed;
  });
}

/**
 * Removes a person, their sessions, grants and shares, and revokes the open invitations that they have sent or could come back with.
 * Idempotent: a repetition writes no second event.
 *
 * @throws ApiError `not_found` for a person who never existed, `forbidden`, `precondition_failed`, `conflict` for the last
 *   administrator.
 */
export async function removeMember(
  context: Context,
  { org, userId, ifVersion: versions = null }: MutationDeleteMemberArgs,
): Promise<number> {
  const caller = callerIn(context, org);
  const id = requireId(userId);
  await context.database.transaction(async (tx) => {
    await queueForMembers(tx, { org });
    const held = await holdRights(tx, caller);
    const now = context.clock();
    const before = await users.find(tx, org, id);
    const left = await eraseMember(tx, { org, id, versions, now });
    if (!left) {
      if ((await users.orgOf(tx, id)) === org && !before) return;
      throw await refusalOf(tx, org, id, versions);
    }
    await revokeSessionsOfUser(tx, { org, userId: id, reason: 'removed', now });
    await endGrantsOfUser(tx, { org, id, reason: 'removed', now });
    await removeSharesOfUser(tx, { org, id });
    const sent = await revokeInvitationsOf(tx, { org, invitedById: id, now });
    await recordRevocations(tx, held, org, sent, context.clock);
    if (before) {
      const { email } = before;
      const received = await revokeInvitationsTo(tx, { org, email, now });
      await recordRevocations(tx, held, org, received, context.clock);
      await eraseInvitedAddress(tx, { org, email, now });
    }
    const event = { org, type: 'user.removed', subjectId: id, data: { name: left.name } } as const;
    await recordChange(tx, held, event, context.clock);
  });
  return id;
}

/** Records an event for each invitation that the change of a member has revoked. */
async function recordRevocations(
  tx: Transaction,
  held: HeldRights,
  org: string,
  revoked: readonly Pick<InvitationRow, 'id' | 'role'>[],
  clock: Clock,
): Promise<void> {
  for (const { id, role } of revoked) {
    const event = { org, type: 'invitation.revoked', subjectId: id, data: { role } } as const;
    await recordChange(tx, held, event, clock);
  }
}

/**
 * The error for an email address that already has an account. An address has one account in the whole service, since sign-ins do
 * not name an organisation. This error therefore reveals to an administrator that the address has an account somewhere, but
 * neither the organisation nor the name. That is acceptable: the caller is an authenticated administrator, probing a free address
 * creates an account that appears in the log, and without this error the administrator could not understand why the person cannot
 * be added. Only the transaction of the insert checks the address: an earlier check would let requests that fail or are aborted
 * afterwards probe it without a trace. Invitations by mail reveal nothing, since only the owner of the address gets a response.
 */
const hasAccount = () => addressTaken('already has an account');

/** The error for an email address that cannot be used here. */
export function addressTaken(message: string): ApiError {
  return new ApiError('conflict', {
    message: `This email address ${message}.`,
    details: [{ path: 'input.email', message }],
  });
}

/** The error for a change of the member of an app, which changes only with its installation. */
export const memberIsApp = (): ApiError =>
  new ApiError('conflict', { message: 'This member is an app. Uninstall it instead.' });

/** The error for a guarded change that matched no person. */
async function refusalOf(db: Runner, org: string, id: number, versions: Versions): Promise<ApiError> {
  const person = await users.find(db, org, id);
  if (!person) return absence(db, org, id, users);
  if (!isOfVersion(person, versions)) return new ApiError('precondition_failed');
  if (person.kind === 'app') return memberIsApp();
  return new ApiError('conflict', {
    message: 'This is the last administrator of the organisation. Promote another person first.',
  });
}
