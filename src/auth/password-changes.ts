import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import type { Database } from '../db/database.ts';
import { useLinksOfUser } from '../db/queries/link-tokens.ts';
import { revokeSessionsOfUser } from '../db/queries/sessions.ts';
import { setPasswordOfUser } from '../db/queries/users.ts';
import type { UserRow } from '../db/rows.ts';
import { holdRights, recordChange } from './changes.ts';
import { hashNewPassword } from './new-passwords.ts';
import type { Principal } from './policy.ts';

/**
 * Sets a person's password on behalf of an operator, without the current password, and ends all sessions of the person.
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
