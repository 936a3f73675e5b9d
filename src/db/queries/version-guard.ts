/** Changes of rows that have a version. */
import type { Column, SQL } from 'drizzle-orm';
import type { Builder, Placeholders } from '../statement.ts';
import { isRow } from './owned.ts';

/** One row, and the versions of it that may be changed: null for any (If-Match). */
export interface VersionGuard {
  readonly org: string;
  readonly id: number;
  readonly versions: readonly number[] | null;
  readonly now: Date;
}

/** A condition for the row that a change applies to: of the organisation, at one of the versions, and with all of these conditions. */
export const isGuarded = (
  { dialect }: Builder,
  row: Readonly<Record<'id' | 'org' | 'version', Column>>,
  p: Placeholders<VersionGuard>,
  ...conditions: readonly (SQL | undefined)[]
) => isRow(row, p, ...conditions, dialect.anyOfUnlessNull(row.version, p.versions));
