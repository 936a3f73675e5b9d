import type { Runner } from '../database.ts';
import { asc } from '../drizzle/index.ts';
import { write } from '../query.ts';
import type { OrganisationRow } from '../rows.ts';
import { statement } from '../statement.ts';

const all = statement<object, readonly OrganisationRow[]>(
  'organisations.all',
  ({ orm, tables: { organisations } }) => orm.select().from(organisations).orderBy(asc(organisations.id)),
);

/** Inserts an organisation. Undefined if the id is taken. */
export const insertOrganisation = write.first<OrganisationRow, OrganisationRow>(
  'organisations.insert',
  ({ orm, tables: { organisations } }, p) =>
    orm
      .insert(organisations)
      .values({ id: p.id, name: p.name, createdAt: p.createdAt })
      .onConflictDoNothing()
      .returning(),
);

/** Every organisation, in order of id. */
export function listOrganisations(db: Runner): Promise<readonly OrganisationRow[]> {
  return db.run(all, {});
}
