/** Organisations come from outside: no client makes one, an operator does. */
import type { Clock } from '../core/clock.ts';
import { ApiError, type ErrorDetail } from '../core/errors.ts';
import { problemWithLine } from '../core/text-line.ts';
import type { Database } from '../db/database.ts';
import { insertOrganisation } from '../db/queries/organisations.ts';
import type { OrganisationRow } from '../db/rows.ts';

/** Safe in paths, tokens and file names, with the length of a DNS label. */
const ID = /^[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const NAME_LENGTH = 100;

/** @throws ApiError `validation_failed` naming each value that is not allowed, `conflict` for an id that is taken. */
export function addOrganisation(
  database: Database,
  clock: Clock,
  { id, name }: Pick<OrganisationRow, 'id' | 'name'>,
): Promise<OrganisationRow> {
  const details: ErrorDetail[] = [];
  if (!ID.test(id)) {
    details.push({
      path: 'id',
      message: 'must be 2 to 63 small letters, digits and hyphens, from a letter on',
    });
  }
  const problem =
    name.length > NAME_LENGTH ? `must have at most ${NAME_LENGTH} characters` : problemWithLine(name);
  if (problem) details.push({ path: 'name', message: problem });
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return database.transaction(async (tx) => {
    const made = await insertOrganisation(tx, { id, name, createdAt: clock() });
    if (!made) throw new ApiError('conflict', { message: `There is an organisation "${id}" already.` });
    return made;
  });
}
