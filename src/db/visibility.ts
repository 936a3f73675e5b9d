/** Which readers may see an event, by the visibility rules that resources declare. */
import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { Role } from '../core/roles.ts';
import { VISIBILITY } from '../generated/visibility.ts';
import { and, or, sql } from './drizzle/index.ts';
import { oneText } from './literals.ts';
import type { Builder, Placeholders } from './statement.ts';
import type { Tables } from './tables.ts';

/** The person or app that rows are read for. */
export interface Reader {
  readonly org: string;
  readonly readerId: number;
  readonly role: Role;
}

/** The reader in a query: parameters, or columns of a query for many readers. */
export type ReaderTerms = Readonly<Record<keyof Reader, Placeholder | Column>>;

/** The same without the role. */
export type PersonTerms = Omit<ReaderTerms, 'role'>;

type SubjectTable = {
  [Name in keyof Tables]: Tables[Name]['$inferSelect'] extends { id: number; org: string } ? Name : never;
}[keyof Tables];

/**
 * Which events of a resource a reader may see, in addition to the scope that each event type requires. A resource declares a rule
 * (`visibility.ts` of its folder) if some of its rows must be hidden from some members of the organisation.
 */
export interface VisibilityRule {
  /** The kind of subject: `document` of `document.created`. */
  readonly subjectType: string;
  /** The table of the subjects. Deleted subjects must stay in it, since their events stay. */
  readonly table: SubjectTable;
  /** The role that may see every subject of its organisation: no subject is looked up for it. */
  readonly seesAll: Role;
  /**
   * The condition under which a person with a lower role may know that a row of the table exists. It has no role: that of a reader is the
   * caller's, which may be lower than that in the person's row.
   */
  readonly mayKnow: (builder: Builder, person: PersonTerms) => SQL | undefined;
}

/** The columns of the log, under its own name or an alias. */
type Events = Readonly<Record<'subjectType' | 'subjectId', Column>>;

/**
 * An expression that is true if the reader may see an event of the reader's organisation: always, unless the subject has a visibility rule
 * that hides it from the reader. It is null for an event whose subject does not exist.
 *
 * @param events the log, or an alias of it.
 */
export function maySee(builder: Builder, events: Events, p: Placeholders<Reader>): SQL<boolean | null> {
  const rules = VISIBILITY.map((rule) => {
    const table = builder.tables[rule.table];
    return or(
      // First, so that no subject is looked up for readers who may see all.
      sql`${p.role} = ${oneText(rule.seesAll)}`,
      sql`${events.subjectType} <> ${oneText(rule.subjectType)}`,
      // Not `exists`, for which the planner may hash every subject: that takes long even for a few events.
      sql`(select ${rule.mayKnow(builder, p)} from ${table} where ${table.id} = ${events.subjectId} and ${table.org} = ${p.org})`,
    );
  });
  return sql<boolean | null>`(${and(...rules) ?? sql`true`})`.mapWith(Boolean);
}
