/** Changes of rows that have a version. */
import type { Column, SQL } from 'drizzle-orm';
import { and, eq } from '../drizzle/index.ts';
import type { Builder, Placeholders } from '../statement.ts';

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
  { id, org, version }: Readonly<Record<'id' | 'org' | 'version', Column>>,
  p: Placeholders<VersionGuard>,
  ...conditions: readonly (SQL | undefined)[]
) => and(eq(id, p.id), eq(org, p.org), ...conditions, dialect.anyOfUnlessNull(version, p.versions));
