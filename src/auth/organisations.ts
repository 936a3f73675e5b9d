/** Creates organisations. Only operators can do so, not clients. */
import { isLongerThan } from '../core/characters.ts';
import type { Clock } from '../core/clock.ts';
import { ApiError, type ErrorDetail } from '../core/errors.ts';
import { problemWithLine } from '../core/text-line.ts';
import type { Database } from '../db/database.ts';
import { insertOrganisation } from '../db/queries/organisations.ts';
import type { OrganisationRow } from '../db/rows.ts';

/** An id that is safe in paths, tokens and file names, with the length of a DNS label. */
const ID = /^[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const NAME_LENGTH = 100;

/** Adds an organisation. @throws ApiError `validation_failed` naming each invalid value, `conflict` if the id is taken. */
export function addOrganisation(
  database: Database,
  clock: Clock,
  { id, name }: Pick<OrganisationRow, 'id' | 'name'>,
): Promise<OrganisationRow> {
  const details: ErrorDetail[] = [];
  if (!ID.test(id)) {
    details.push({
      path: 'id',
      message: 'must be 2 to 63 lower-case letters, digits and hyphens, and begin with a letter',
    });
  }
  const problem = isLongerThan(name, NAME_LENGTH)
    ? `must have at most ${NAME_LENGTH} characters`
    : problemWithLine(name);
  if (problem) details.push({ path: 'name', message: problem });
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return database.transaction(async (tx) => {
    const made = await insertOrganisation(tx, { id, name, createdAt: clock() });
    if (!made) throw new ApiError('conflict', { message: `The organisation "${id}" already exists.` });
    return made;
  });
}
