/**
 * A row of every table for an organisation, made from what the tables declare, so that a table that is added tomorrow has
 * one as well. Ids are far apart: the id of a row of one table is none of another's, nor of another organisation's.
 */
import { type Column, getTableColumns } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import type { Database } from '../../src/db/database.ts';
import { postgresTables } from '../../src/db/postgres/tables.ts';
import { loadRows } from '../../src/db/queries/loading.ts';
import type { Tables } from '../../src/db/tables.ts';
import { factsOf } from './access-rules.ts';

export type TableName = keyof Tables;

export interface ForeignRows {
  /** The id of the row of each table that has numbers for ids, by the member of `Tables`. */
  readonly ids: ReadonlyMap<string, number>;
}

/** Ids between two tables of one organisation, more than a test makes rows. */
const TABLE_STEP = 10_000;

const names = Object.keys(postgresTables) as TableName[];

/**
 * @param org an organisation that is there already.
 * @param firstId far above the ids of other rows.
 * @param word stands in every text that is free, so that the row is known wherever it turns up.
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
      // It was made from this very table's columns; the compiler cannot follow the name.
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

/** The value of a column that a constraint binds to values which its type does not tell. */
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
      throw new Error(`Teach this file to make a ${column.dataType} for ${table}.${member}.`);
  }
}

export function referenceOf(table: TableName, column: Column): TableName | undefined {
  for (const foreignKey of getTableConfig(postgresTables[table]).foreignKeys) {
    const { columns, foreignTable } = foreignKey.reference();
    // A reference within an organisation has that as its second column.
    if (columns[0]?.name === column.name) {
      return names.find((name) => postgresTables[name] === foreignTable);
    }
  }
  return undefined;
}

/** Every table after those that it refers to. */
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
 * The table whose rows an argument names: `userId`, `user_id`, `docId` and `delivery_id` are of users, documents and
 * webhookDeliveries. Undefined for `id` alone, and where several tables could be meant.
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
