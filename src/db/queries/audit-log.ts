/**
 * The audit log: the events of an organisation, with their origins, and the entries that are not events. Both are read from an
 * index in order of time, and merged.
 */
import { EARLIEST_TIME, LATEST_TIME, timeAfter, timeBefore } from '../../core/time-range.ts';
import type { Runner } from '../database.ts';
import type { Prefix } from '../dialect.ts';
import { and, asc, desc, getTableColumns, sql } from '../drizzle/index.ts';
import type { AuditEntryRow } from '../rows.ts';
import { asStored, type Builder, combinationsOf, type Placeholders, statementPerForm } from '../statement.ts';
import { selectFirst } from './shared/first-rows.ts';

/** Filters of the audit log. Members that are null match everything. */
export interface AuditFilters {
  readonly actorId: number | null;
  /** The types of events and of other entries, distinct. */
  readonly types: { readonly events: readonly string[]; readonly entries: readonly string[] } | null;
  /** Only lines created after this time. */
  readonly createdAfter: Date | null;
  /** Only lines created before this time. */
  readonly createdBefore: Date | null;
}

/** A position in the list: milliseconds since the epoch, and the id of a line. */
export type AuditPosition = readonly [time: number, id: number];

interface AuditQuery {
  readonly org: string;
  readonly filters: AuditFilters;
  /** All existing types, since a person's lines are looked up type by type. */
  readonly allTypes: NonNullable<AuditFilters['types']>;
  /** Newest first. */
  readonly descending: boolean;
  /** The position after which to read; undefined for the start. */
  readonly from: AuditPosition | undefined;
  readonly limit: number;
}

/** A line of the audit log: an event, or another entry. */
export interface AuditLine extends Omit<AuditEntryRow, 'groupKey' | 'likeness'> {
  /** The id of the event; null for another entry. */
  readonly eventId: number | null;
}

interface LookParams {
  readonly org: string;
  readonly actorId: number | null;
  readonly types: readonly string[];
  readonly at: Date;
  readonly id: number;
  /** The last time to read, in the order of the list. */
  readonly end: Date;
  readonly limit: number;
}

type Source = 'events' | 'auditEntries';
/** The index that lines are read from: by time, by type and time, or by actor, type and time. */
type Form = 'all' | 'types' | 'actor';

interface LookForm {
  readonly source: Source;
  readonly form: Form;
  readonly descending: boolean;
}

const lookOf = statementPerForm<LookForm, LookParams, readonly Omit<AuditLine, 'eventId'>[]>(
  combinationsOf({
    source: ['events', 'auditEntries'] as const,
    form: ['all', 'types', 'actor'] as const,
    descending: [true, false],
  }),
  ({ source, form, descending }) => `auditLog.${source}.${form}.${descending ? 'desc' : 'asc'}`,
  ({ source, form, descending }, builder, p) =>
    form === 'all'
      ? lookAtAll(builder, p, source, descending)
      : lookAtTypes(builder, p, source, form, descending),
);

type Params = Placeholders<LookParams>;

function tableOf({ tables }: Builder, source: Source) {
  const table = tables[source];
  // Both tables have the members that are used here.
  return table as typeof tables.auditEntries;
}

function columnsOf(table: ReturnType<typeof tableOf>, source: Source) {
  const { groupKey: _, likeness: __, ...columns } = getTableColumns(table);
  const occurrences = source === 'events' ? sql<number>`1`.mapWith(Number) : table.occurrences;
  return { ...columns, occurrences };
}

/** A condition for lines after a position and up to a time, in the order of the list. */
function range(table: ReturnType<typeof tableOf>, p: Params, descending: boolean) {
  const { createdAt, id } = table;
  const [follows, within] = descending ? ['<', '>='] : ['>', '<='];
  return and(
    sql`(${createdAt}, ${id}) ${sql.raw(follows)} (${asStored(p.at, createdAt)}, ${p.id})`,
    sql`${createdAt} ${sql.raw(within)} ${asStored(p.end, createdAt)}`,
  );
}

function lookAtAll(builder: Builder, p: Params, source: Source, descending: boolean) {
  const { orm, dialect } = builder;
  const table = tableOf(builder, source);
  const prefix: Prefix = [[table.org, p.org]];
  return orm
    .select(columnsOf(table, source))
    .from(table)
    .where(and(dialect.inIndex(prefix, table.id), range(table, p, descending)))
    .orderBy(...dialect.orderInIndex(prefix, descending ? desc : asc, table.createdAt, table.id))
    .limit(p.limit);
}

/** Reads a page of each type by an index lookup per type, and returns the first of these lines. No line of another type is read. */
function lookAtTypes(builder: Builder, p: Params, source: Source, form: Form, descending: boolean) {
  const table = tableOf(builder, source);
  const direction = descending ? desc : asc;
  const first = selectFirst(builder, columnsOf(table, source), table, {
    parents: builder.dialect.eachText(p.types),
    org: p.org,
    prefix: (few) => [
      [few.org, p.org],
      ...(form === 'actor' ? [[few.actorId, p.actorId] as const] : []),
      [few.type, sql`wanted.text`],
    ],
    only: (few) => range(few, p, descending),
    direction,
    order: ({ createdAt, id }) => [createdAt, id],
    limit: p.limit,
  });
  return first.orderBy(direction(table.createdAt), direction(table.id)).limit(p.limit);
}

/**
 * Maps the ids of the two tables to ids of one list: even for events, odd for other entries. Lines of the same millisecond are sorted by them.
 *
 * @param id the id of the row.
 */
const lineIdOf = (source: Source, id: number): number => (source === 'events' ? 2 * id : 2 * id + 1);

/** The row id of a table such that the rows with smaller ids (ascending: greater ids) are those that follow a line in the list. */
function rowIdAt(source: Source, lineId: number, descending: boolean): number {
  const exact = (source === 'events' ? lineId : lineId - 1) / 2;
  return descending ? Math.ceil(exact) : Math.floor(exact);
}

/** Up to `limit` lines that follow a position, in the order of the list. */
export async function auditLinesAfter(db: Runner, query: AuditQuery): Promise<readonly AuditLine[]> {
  const [events, entries] = await Promise.all([look(db, query, 'events'), look(db, query, 'auditEntries')]);
  const sign = query.descending ? -1 : 1;
  return [...events, ...entries]
    .sort((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id))
    .slice(0, query.limit);
}

async function look(db: Runner, query: AuditQuery, source: Source): Promise<readonly AuditLine[]> {
  const { org, filters, allTypes, descending, limit } = query;
  const { actorId, createdAfter, createdBefore } = filters;
  const wanted = filters.types ?? allTypes;
  const types = source === 'events' ? wanted.events : wanted.entries;
  const isOfAll = filters.types === null && actorId === null;
  if (types.length === 0) return [];
  const form: Form = actorId !== null ? 'actor' : isOfAll ? 'all' : 'types';
  const earliest = createdAfter ? timeAfter(createdAfter) : EARLIEST_TIME;
  const latest = createdBefore ? timeBefore(createdBefore) : LATEST_TIME;
  const start: AuditPosition = descending ? [latest, Number.MAX_SAFE_INTEGER] : [earliest, 0];
  const [time, lineId] = query.from ?? start;
  const rows = await db.run(lookOf({ source, form, descending }), {
    org,
    actorId,
    types,
    at: new Date(time),
    id: rowIdAt(source, lineId, descending),
    end: new Date(descending ? earliest : latest),
    limit,
  });
  return rows.map((row) => ({
    ...row,
    id: lineIdOf(source, row.id),
    eventId: source === 'events' ? row.id : null,
  }));
}
