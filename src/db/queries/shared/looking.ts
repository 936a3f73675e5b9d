/** Reads pages of lists with rows that the reader may not see or has not asked for, and limits how many rows a page examines. */
import { LIMITS } from '../../../core/limits.ts';

/** A row of the list, whether or not it is shown. */
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

export interface Found<Row, Position = number> {
  /** Rows that are shown, in the order of the list. */
  readonly rows: readonly Row[];
  /** The position of the last row examined, if the limit of examined rows was reached; otherwise undefined. */
  readonly stoppedAt: Position | undefined;
  /** The number of rows that were examined and omitted. */
  readonly skipped: number;
}

/** How to read a list by position. */
interface Looking<Row, Position> {
  readonly from: Position;
  /** The rows to find; one more than a page shows. */
  readonly wanted: number;
  /** The limit of examined rows. */
  readonly most: number;
  /** How many times as many rows each read examines as the one before. */
  readonly growth: number;
  readonly positionOf: (row: Row) => Position;
  /** Reads up to `limit` rows after a position. */
  readonly look: (from: Position, limit: number) => Promise<readonly Row[]>;
}

/** Examines rows after a position until it has found as many as wanted that are shown, the list ends, or the limit is reached. */
export async function lookThrough<Row extends LookedAt, Position>({
  from,
  wanted,
  most,
  growth,
  positionOf,
  look,
}: Looking<Row, Position>): Promise<Found<Row, Position>> {
  const found: Row[] = [];
  let position = from;
  let left = most;
  let skipped = 0;
  for (let limit = Math.min(wanted, left); ; limit = Math.min(left, limit * growth)) {
    const rows = await look(position, limit);
    for (const row of rows) {
      if (row.visible) found.push(row);
      else skipped += 1;
    }
    if (found.length >= wanted) return { rows: found.slice(0, wanted), stoppedAt: undefined, skipped };
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { rows: found, stoppedAt: undefined, skipped };
    left -= rows.length;
    position = positionOf(last);
    if (left <= 0) return { rows: found, stoppedAt: position, skipped };
  }
}

/**
 * {@link lookThrough} for a list that is ordered by id, with the limit `LIMITS.rowsLookedAt`.
 *
 * If the reader may see everything, this is one statement for the wanted rows; it is never more than two.
 *
 * @param look reads a part of the list.
 */
export const lookFor = <Row extends LookedAt>(
  { fromId: from, limit: wanted }: ListPart,
  look: (part: ListPart) => Promise<readonly Row[]>,
): Promise<Found<Row>> =>
  lookThrough({
    from,
    wanted,
    most: LIMITS.rowsLookedAt,
    growth: Number.POSITIVE_INFINITY,
    positionOf: ({ id }) => id,
    look: (fromId, limit) => look({ fromId, limit }),
  });
