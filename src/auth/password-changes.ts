/** Sets passwords without the current one: by an operator, or by a link that was mailed to the address of the account. */
import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import type { Database } from '../db/database.ts';
import { findPasswordReset, useLinksOfUser } from '../db/queries/link-tokens.ts';
import { revokeSessionsOfUser } from '../db/queries/sessions.ts';
import { setPasswordOfUser } from '../db/queries/users.ts';
import type { UserRow } from '../db/rows.ts';
import { record } from '../events/record.ts';
import { holdRights, recordChange } from './changes.ts';
import { withoutCredentials } from './origins.ts';
import { type HashingFor, hashNewPassword } from './passwords.ts';
import type { Principal } from './policy.ts';
import { hashSecret, LINK_TOKEN } from './random-secrets.ts';

/**
 * Sets a person's password on behalf of an operator, and ends all sessions of the person.
 *
 * @throws ApiError `validation_failed` for an unacceptable password, `not_found` for a removed person.
 */
export async function setPassword(
  database: Database,
  clock: Clock,
  operator: Principal & { readonly kind: 'operator' },
  person: UserRow,
  password: string,
): Promise<void> {
  const { org, id, name } = person;
  const passwordHash = await hashNewPassword(password, person, 'password');
  await database.transaction(async (tx) => {
    const held = await holdRights(tx, operator);
    if (!(await setPasswordOfUser(tx, { org, id, passwordHash }))) throw new ApiError('not_found');
    await useLinksOfUser(tx, { org, userId: id, now: clock() });
    await revokeSessionsOfUser(tx, { org, userId: id, reason: 'password_changed', now: clock() });
    const data = { name, means: 'operator' } as const;
    await recordChange(tx, held, { org, type: 'user.password_changed', subjectId: id, data }, clock);
  });
}

/**
 * Sets a password, once per link, and ends all sessions of the person. It also invalidates the person's other links.
 *
 * @throws ApiError `not_found` for a link that is unknown, used or expired, `validation_failed` for an unacceptable password,
 *   `unavailable` when too many passwords are being hashed.
 */
export async function resetPassword(
  database: Database,
  clock: Clock,
  { token, password }: { readonly token: string; readonly password: string },
  whose: HashingFor,
): Promise<void> {
  const found = LINK_TOKEN.accepts(token)
    ? await findPasswordReset(database, { tokenHash: hashSecret(token), now: clock() })
    : undefined;
  if (!found) throw linkNotFound();
  const { org, id, name } = found.person;
  const passwordHash = await hashNewPassword(password, found.person, 'password', whose);
  await database.transaction(async (tx) => {
    const now = clock();
    const unused = await useLinksOfUser(tx, { org, userId: id, now });
    if (!unused.some((link) => link.id === found.token.id)) throw linkNotFound();
    if (!(await setPasswordOfUser(tx, { org, id, passwordHash }))) throw linkNotFound();
    await revokeSessionsOfUser(tx, { org, userId: id, reason: 'password_changed', now });
    const data = { name, means: 'reset_link' } as const;
    // The link identifies the person: it was mailed to the address of the account.
    const event = { org, type: 'user.password_changed', actorId: id, subjectId: id, data } as const;
    await record(tx, event, clock, withoutCredentials(tx.origin));
  });
}

/** The error for a link of any kind. It does not reveal whether the link never existed, was used, or has expired. */
export const linkNotFound = (): ApiError =>
  new ApiError('not_found', { message: 'The link is no longer valid. Request another one.' });
