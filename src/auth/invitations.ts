/** Invitations that people accept by a link that was mailed to their address. */
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { storedAddress } from '../core/stored-address.ts';
import type { Database } from '../db/database.ts';
import { newestEventId } from '../db/queries/events.ts';
import { acceptInvitation, findOpenInvitation, type OpenInvitation } from '../db/queries/invitations.ts';
import { findInvitationOfLink } from '../db/queries/link-tokens.ts';
import { insertMember, queueForMembers } from '../db/queries/members.ts';
import { findUserByEmail } from '../db/queries/users.ts';
import type { UserRow } from '../db/rows.ts';
import { record } from '../events/record.ts';
import { withoutCredentials } from './origins.ts';
import { linkNotFound } from './password-changes.ts';
import { type HashingFor, hashNewPassword } from './passwords.ts';
import { hashSecret, LINK_TOKEN } from './random-secrets.ts';

/**
 * Reads the invitation that a link belongs to.
 *
 * @throws ApiError `not_found` for a link that is unknown, used or expired, and if the invitation was revoked or its inviter is no
 *   longer an administrator.
 */
export async function readInvitation(
  database: Database,
  clock: Clock,
  token: string,
): Promise<OpenInvitation> {
  const now = clock();
  const id = LINK_TOKEN.accepts(token)
    ? await findInvitationOfLink(database, hashSecret(token), now)
    : undefined;
  const found = id === undefined ? undefined : await findOpenInvitation(database, { id, now });
  if (!found) throw linkNotFound();
  return found;
}

interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/**
 * Creates the account of an invited person.
 *
 * @throws ApiError like {@link readInvitation}, `validation_failed` for an unacceptable password, `conflict` if the address
 *   already has an account, `unavailable` when too many passwords are being hashed.
 */
export async function joinByInvitation(
  database: Database,
  clock: Clock,
  { token, name, password }: Acceptance,
  whose: HashingFor,
): Promise<UserRow> {
  const { org, id, email: entered, role } = (await readInvitation(database, clock, token)).invitation;
  if (await findUserByEmail(database, entered)) throw hasAccount();
  // An invitation from before addresses had one spelling has its address as it was entered.
  const email = storedAddress(entered);
  const passwordHash = await hashNewPassword(password, { email, name }, 'password', whose);
  return database.transaction(async (tx) => {
    await queueForMembers(tx, { org });
    const now = clock();
    // Checked again, now that no member can change: the inviter may have been removed in the meantime.
    if (!(await findOpenInvitation(tx, { id, now }))) throw linkNotFound();
    if (!(await acceptInvitation(tx, { org, id, now }))) throw linkNotFound();
    const lastReadEventId = await newestEventId(tx, org);
    const person = await insertMember(tx, { org, email, name, role, passwordHash, lastReadEventId, now });
    if (!person) throw hasAccount();
    const actorId = person.id;
    const origin = withoutCredentials(tx.origin);
    const accepted = { org, type: 'invitation.accepted', actorId, subjectId: id } as const;
    await record(tx, { ...accepted, data: { user_id: person.id, role } }, clock, origin);
    const added = { org, type: 'user.added', actorId, subjectId: person.id, data: { name, role } } as const;
    await record(tx, added, clock, origin);
    return person;
  });
}

/** The error if the address has an account. Only a person who can read the mail of the address gets it. */
const hasAccount = () =>
  new ApiError('conflict', { message: 'Your address already has an account. Sign in with it.' });
