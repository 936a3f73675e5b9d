import { type Runner, statement, type Transaction } from '../database.ts';
import { asc } from '../drizzle/index.ts';
import type { OrganisationRow } from '../rows.ts';

const all = statement<object, readonly OrganisationRow[]>(
  'organisations.all',
  ({ orm, tables: { organisations } }) => orm.select().from(organisations).orderBy(asc(organisations.id)),
);

const insert = statement<OrganisationRow, readonly OrganisationRow[]>(
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

/** Inserts an organisation. Undefined if the id is taken. */
export async function insertOrganisation(
  tx: Transaction,
  organisation: OrganisationRow,
): Promise<OrganisationRow | undefined> {
  return (await tx.run(insert, organisation))[0];
}
