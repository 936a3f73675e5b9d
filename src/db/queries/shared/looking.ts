/** Reads pages of lists with rows that the reader may not see, and limits how many rows a page examines. */
import { LIMITS } from '../../../core/limits.ts';

/** A row of the list, whether or not the reader may see it. */
export interface LookedAt {
  readonly id: number;
  /** Null if a row that the visibility rule reads does not exist. */
  readonly visible: boolean | null;
}

export interface Found<Row> {
  /** Rows that the reader may see, in the order of the list. */
  readonly rows: readonly Row[];
  /** The id of the last row examined, if the limit of examined rows was reached; otherwise undefined. */
  readonly stoppedAt: number | undefined;
  /** The number of rows that were examined and omitted. */
  readonly skipped: number;
}

/**
 * Examines rows after a position until it has found enough that the reader may see, the list ends, or
 * `LIMITS.rowsLookedAt` rows were examined.
 *
 * If the reader may see everything, this is one statement for `wanted` rows; it is never more than two.
 *
 * @param wanted maximum number of rows to find; one more than a page shows.
 * @param look reads up to `limit` rows that follow an id in the list.
 */
export async function lookFor<Row extends LookedAt>(
  start: number,
  wanted: number,
  look: (from: number, limit: number) => Promise<readonly Row[]>,
): Promise<Found<Row>> {
  const found: Row[] = [];
  let position = start;
  let left: number = LIMITS.rowsLookedAt;
  let skipped = 0;
  for (let limit = Math.min(wanted, left); ; limit = left) {
    const rows = await look(position, limit);
    for (const row of rows) {
      if (row.visible) found.push(row);
      else skipped += 1;
    }
    if (found.length >= wanted) return { rows: found.slice(0, wanted), stoppedAt: undefined, skipped };
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { rows: found, stoppedAt: undefined, skipped };
    left -= rows.length;
    if (left <= 0) return { rows: found, stoppedAt: last.id, skipped };
    position = last.id;
  }
}
