/**
 * Adds a row to every table for an organisation, generated from the declarations of the tables, so that new tables are included
 * automatically. Ids are far apart, so that no two tables or organisations share an id.
 */
import { type Column, getTableColumns } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import type { Database } from '../../src/db/database.ts';
import { postgresTables } from '../../src/db/postgres/columns.ts';
import { loadRows } from '../../src/db/queries/shared/loading.ts';
import type { Tables } from '../../src/db/tables.ts';
import { factsOf } from './access-rules.ts';

export type TableName = keyof Tables;

export interface ForeignRows {
  /** The id of the row in each table with numeric ids, by the name in `Tables`. */
  readonly ids: ReadonlyMap<string, number>;
}

/** The distance between the ids of two tables in one organisation: more than the rows that a test creates. */
const TABLE_STEP = 10_000;

const names = Object.keys(postgresTables) as TableName[];

/**
 * @param org an existing organisation.
 * @param firstId an id far above those of other rows.
 * @param word a word that every unconstrained text contains, so that the row can be recognised in any response.
 */
export async function addRowOfEachTable(
  database: Database,
  { org, firstId, word }: { org: string; firstId: number; word: string },
): Promise<ForeignRows> {
  const ids = new Map<string, number>();
  await database.transaction(async (tx) => {
    for (const name of inOrderOfReference()) {
      if (name === 'organisations') continue;
      const id = firstId + names.indexOf(name) * TABLE_STEP;
      const row: Record<string, unknown> = {};
      for (const [member, column] of Object.entries(getTableColumns(postgresTables[name]))) {
        row[member] = member === 'id' ? id : valueFor(name, member, column, { org, word, ids });
      }
      // The row has the columns of this table; the compiler cannot relate them by name.
      await loadRows(tx, name, [row as Tables[typeof name]['$inferInsert']]);
      ids.set(name, id);
    }
  });
  return { ids };
}

interface Making {
  readonly org: string;
  readonly word: string;
  readonly ids: ReadonlyMap<string, number>;
}

const bound = factsOf('columns');

/** Returns a valid value for a column whose constraint is not visible in its type. */
export const boundValue = (table: TableName, member: string): unknown =>
  bound[`${table}.${member}`] ?? bound[member];

function valueFor(table: TableName, member: string, column: Column, { org, word, ids }: Making): unknown {
  if (member === 'org') return org;
  const target = referenceOf(table, column);
  if (target) return ids.get(target);
  const bound = boundValue(table, member);
  if (bound !== undefined) return bound;
  if (!column.notNull && column.dataType === 'date') return null;
  if (column.enumValues?.[0] !== undefined) return column.enumValues[0];
  switch (column.dataType) {
    case 'string':
      return `${word}-${table.toLowerCase()}-${member.toLowerCase()}`;
    case 'number':
      return 1;
    case 'date':
      return new Date('2026-08-01T00:00:00Z');
    case 'json':
      return { secret: `${word}-${table.toLowerCase()}-${member.toLowerCase()}` };
    default:
      throw new Error(`Add a value for the type ${column.dataType} of ${table}.${member} here.`);
  }
}

export function referenceOf(table: TableName, column: Column): TableName | undefined {
  for (const foreignKey of getTableConfig(postgresTables[table]).foreignKeys) {
    const { columns, foreignTable } = foreignKey.reference();
    // A reference within an organisation has `org` as its second column.
    if (columns[0]?.name === column.name) {
      return names.find((name) => postgresTables[name] === foreignTable);
    }
  }
  return undefined;
}

/** Returns all tables, each after those that it references. */
export function inOrderOfReference(): TableName[] {
  const sorted: TableName[] = [];
  const visit = (name: TableName): void => {
    if (sorted.includes(name)) return;
    for (const column of Object.values(getTableColumns(postgresTables[name]))) {
      const target = referenceOf(name, column);
      if (target && target !== name) visit(target);
    }
    sorted.push(name);
  };
  names.forEach(visit);
  return sorted;
}

/**
 * Returns the table that an id argument refers to: `userId`, `user_id`, `docId` and `delivery_id` refer to users, documents and
 * webhookDeliveries. Undefined for `id` alone, and if the name is ambiguous.
 */
export function tableNamed(argument: string): TableName | undefined {
  const word = argument.replaceAll('_', '').toLowerCase().replace(/id$/, '');
  if (word === '') return undefined;
  const plural = `${word.replace(/y$/, 'ie')}s`;
  const called = (test: (table: string) => boolean) => names.filter((name) => test(name.toLowerCase()));
  const [table, ...others] =
    [
      called((name) => name === plural),
      called((name) => name.endsWith(plural) || (name.startsWith(word) && name.endsWith('s'))),
    ].find((found) => found.length > 0) ?? [];
  return others.length === 0 ? table : undefined;
}
