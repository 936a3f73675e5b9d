/** Pages of lists of which their reader may not see every row: how far a page looks for rows that it may show. */
import { LIMITS } from '../../core/limits.ts';

/** A row of the list, whether or not the reader may see it. */
export interface LookedAt {
  readonly id: number;
  /** Null where what the rule asks for is not there. */
  readonly visible: boolean | null;
}

export interface Found<Row> {
  /** Rows that the reader may see, in the order of the list. */
  readonly rows: readonly Row[];
  /** Id of the last row examined, when the limit of rows was reached; else undefined. */
  readonly stoppedAt: number | undefined;
}

/**
 * Looks at rows from a position on until there are enough that the reader may see, the list ends, or
 * `LIMITS.rowsLookedAt` were looked at.
 *
 * Where the reader may see everything, that is one statement of `wanted` rows; it is never more than two.
 *
 * @param wanted rows at most; one more than a page shows.
 * @param look up to `limit` rows that follow an id in the list.
 */
export async function lookFor<Row extends LookedAt>(
  start: number,
  wanted: number,
  look: (from: number, limit: number) => Promise<readonly Row[]>,
): Promise<Found<Row>> {
  const found: Row[] = [];
  let position = start;
  let left: number = LIMITS.rowsLookedAt;
  for (let limit = Math.min(wanted, left); ; limit = left) {
    const rows = await look(position, limit);
    for (const row of rows) if (row.visible) found.push(row);
    if (found.length >= wanted) return { rows: found.slice(0, wanted), stoppedAt: undefined };
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { rows: found, stoppedAt: undefined };
    left -= rows.length;
    if (left <= 0) return { rows: found, stoppedAt: last.id };
    position = last.id;
  }
}
