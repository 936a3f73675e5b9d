/** Who may see events, by the visibility rules that resources declare. */
import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { Role } from '../core/roles.ts';
import { VISIBILITY } from '../generated/visibility.ts';
import { and, or, sql } from './drizzle/index.ts';
import { oneText } from './literals.ts';
import type { Builder, Placeholders } from './statement.ts';
import type { Tables } from './tables.ts';

/** For whom rows are read. */
export interface Reader {
  readonly org: string;
  readonly readerId: number;
  readonly role: Role;
}

/** The reader of a query: its parameters, or columns where it asks for many readers. */
export type ReaderTerms = Readonly<Record<keyof Reader, Placeholder | Column>>;

type SubjectTable = {
  [Name in keyof Tables]: Tables[Name]['$inferSelect'] extends { id: number; org: string } ? Name : never;
}[keyof Tables];

/**
 * Which events of its subjects a reader may see, beside the scope that each type takes. A resource declares one
 * (`visibility.ts` of its folder) when not everyone in an organisation may know of each of its rows.
 */
export interface VisibilityRule {
  /** The kind of subject: `document` of `document.created`. */
  readonly subjectType: string;
  /** Where the subjects are. A deleted one has to stay there, since its events do. */
  readonly table: SubjectTable;
  /** The role that may know of every subject of its organisation: no subject is looked up for it. */
  readonly seesAll: Role;
  /** Whether a reader may know of a row of the table. */
  readonly mayKnow: (builder: Builder, reader: ReaderTerms) => SQL | undefined;
}

/** The log under its own name or another. */
type Events = Readonly<Record<'subjectType' | 'subjectId', Column>>;

/**
 * Who may see an event of their organisation: everyone, and where its subject has a visibility rule those who may know of the subject.
 * Null for one of a subject that is not there.
 *
 * @param events the log, or an alias of it.
 */
export function maySee(builder: Builder, events: Events, p: Placeholders<Reader>): SQL<boolean | null> {
  const rules = VISIBILITY.map((rule) => {
    const table = builder.tables[rule.table];
    return or(
      // First, so that nothing is looked up for those who see all.
      sql`${p.role} = ${oneText(rule.seesAll)}`,
      sql`${events.subjectType} <> ${oneText(rule.subjectType)}`,
      // Not `exists`, which may hash every subject: that takes long, however few the events are.
      sql`(select ${rule.mayKnow(builder, p)} from ${table} where ${table.id} = ${events.subjectId} and ${table.org} = ${p.org})`,
    );
  });
  return sql<boolean | null>`(${and(...rules) ?? sql`true`})`.mapWith(Boolean);
}
