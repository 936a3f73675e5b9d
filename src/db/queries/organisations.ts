import { asc } from 'drizzle-orm';
import { type Runner, statement } from '../database.ts';
import type { OrganisationRow } from '../rows.ts';

const all = statement<object, readonly OrganisationRow[]>(
  'organisations.all',
  ({ orm, tables: { organisations } }) => orm.select().from(organisations).orderBy(asc(organisations.id)),
);

/** Every organisation, in order of id. */
export function listOrganisations(db: Runner): Promise<readonly OrganisationRow[]> {
  return db.run(all, {});
}
