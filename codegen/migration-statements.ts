/** What drizzle-kit's statements need to run on a database with rows, beside servers that use it. */

/** The first line of a migration that changes existing tables (`src/db/postgres/apply-migrations.ts`). */
const STEP_BY_STEP = '-- step by step: apply-migrations.ts says what that means\n';

/** What locks a table: altering it, referring to it, and removing an index, whose table the statement does not name. */
const LOCKING = /^ALTER TABLE "(\w+)"|REFERENCES "public"\."(\w+)"|^DROP INDEX/g;

/** Marks statements for PostgreSQL that lock tables which servers may be using, and reads their rows without locking them. */
export function besideServers(statements: readonly string[]): readonly string[] {
  const isNew = (table: string | undefined) =>
    table !== undefined && statements.some((text) => text.startsWith(`CREATE TABLE "${table}"`));
  const written = statements.flatMap((text) => {
    const [, table, constraint] =
      /^ALTER TABLE "(\w+)" ADD CONSTRAINT "(\w+)" (?:CHECK|FOREIGN KEY)/.exec(text) ?? [];
    if (constraint && !isNew(table)) {
      const validated = `ALTER TABLE "${table}" VALIDATE CONSTRAINT "${constraint}";`;
      return [text.replace(/;$/, ' NOT VALID;'), validated];
    }
    const [, indexed] = /^CREATE (?:UNIQUE )?INDEX .*? ON "(\w+)"/.exec(text) ?? [];
    if (indexed && !isNew(indexed)) return [text.replace('INDEX', 'INDEX CONCURRENTLY IF NOT EXISTS')];
    return [text.replace(/^DROP INDEX(?! CONCURRENTLY)/, 'DROP INDEX CONCURRENTLY IF EXISTS')];
  });
  const locked = statements.flatMap((text) =>
    [...text.matchAll(LOCKING)].map((found) => found[1] ?? found[2]),
  );
  const concurrent = written.some((text) => text.includes(' CONCURRENTLY '));
  const [first, ...others] = written;
  return first === undefined || (locked.every(isNew) && !concurrent)
    ? written
    : [`${STEP_BY_STEP}${first}`, ...others];
}

/** The parts of a snapshot of drizzle-kit that are read here. */
interface Snapshot {
  readonly tables: Readonly<
    Record<string, { readonly columns: object; readonly compositePrimaryKeys: object } | undefined>
  >;
}

/** The table that a statement for SQLite fills when it is built again, if it is an existing one. @param former the tables before the migration. */
function rebuiltBy(statement: string, { tables }: Snapshot) {
  const { table = '', columns = '' } =
    /^INSERT INTO `__new_(?<table>\w+)`\((?<columns>.*?)\) SELECT \k<columns> FROM `\k<table>`;$/.exec(
      statement,
    )?.groups ?? {};
  const former = tables[table]?.columns;
  if (!former) return undefined;
  const names = columns.split(', ').map((column) => column.slice(1, -1));
  return {
    table,
    columns,
    kept: names.filter((name) => name in former),
    added: names.filter((name) => !(name in former)),
    removed: Object.keys(former).filter((name) => !names.includes(name)),
  };
}

/**
 * Returns a sentence for each reference by id alone to rows whose key on PostgreSQL has their organisation, and for each table that SQLite would
 * build again without the values of a column that may have been renamed.
 *
 * @param former the tables before the migration.
 * @param next the tables after it.
 */
export const problemsWith = (
  statements: readonly string[],
  former: Snapshot,
  next: Snapshot,
): readonly string[] =>
  statements.flatMap((text) => {
    const [, table, column, target] =
      /^ALTER TABLE "(\w+)" ADD .* FOREIGN KEY \("(\w+)"\) REFERENCES "public"\."(\w+)"\("id"\)/.exec(text) ??
      [];
    if (Object.keys(next.tables[`public.${target}`]?.compositePrimaryKeys ?? {}).length > 0) {
      return [
        `${table}.${column} refers to the id of ${target} alone. Declare it with v.tenantReference, whose columns are the id and org.`,
      ];
    }
    const rebuilt = rebuiltBy(text, former);
    if (!rebuilt?.added.length || rebuilt.removed.length === 0) return [];
    const removed = rebuilt.removed.join(', ');
    return [
      `SQLite builds ${rebuilt.table} again with ${rebuilt.added.join(', ')} and without ${removed}: the values are lost, also after a renaming. Rename or remove ${removed} in a migration of its own.`,
    ];
  });

/**
 * Copies only the columns that a table had, where statements for SQLite build the table again: drizzle-kit also names the added ones, which the
 * former table does not have.
 *
 * @param former the tables before the migration.
 */
export const copyingFormerColumns = (statements: readonly string[], former: Snapshot): readonly string[] =>
  statements.map((text) => {
    const rebuilt = rebuiltBy(text, former);
    if (!rebuilt) return text;
    return text.replaceAll(rebuilt.columns, rebuilt.kept.map((name) => `"${name}"`).join(', '));
  });
