/** Reads pages of lists with rows that the reader may not see, and limits how many rows a page examines. */
import { LIMITS } from '../../../core/limits.ts';

/** A row of the list, whether or not the reader may see it. */
export interface LookedAt {
  readonly id: number;
  /** Null if a row that the visibility rule reads does not exist. */
  readonly visible: boolean | null;
}

/** A part of a list: up to `limit` rows that follow the row `fromId` in the direction of reading. */
export interface ListPart {
  readonly fromId: number;
  readonly limit: number;
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
 * If the reader may see everything, this is one statement for the wanted rows; it is never more than two.
 *
 * @param wanted the rows to find; one more than a page shows.
 * @param look reads a part of the list.
 */
export async function lookFor<Row extends LookedAt>(
  wanted: ListPart,
  look: (part: ListPart) => Promise<readonly Row[]>,
): Promise<Found<Row>> {
  const found: Row[] = [];
  let { fromId } = wanted;
  let left: number = LIMITS.rowsLookedAt;
  let skipped = 0;
  for (let limit = Math.min(wanted.limit, left); ; limit = left) {
    const rows = await look({ fromId, limit });
    for (const row of rows) {
      if (row.visible) found.push(row);
      else skipped += 1;
    }
    if (found.length >= wanted.limit)
      return { rows: found.slice(0, wanted.limit), stoppedAt: undefined, skipped };
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { rows: found, stoppedAt: undefined, skipped };
    left -= rows.length;
    if (left <= 0) return { rows: found, stoppedAt: last.id, skipped };
    fromId = last.id;
  }
}
