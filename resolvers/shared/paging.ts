/** Lists, part by part: from either end of one, or page by page with a cursor. */
import type { Position } from '../../src/core/cursors.ts';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Way } from '../../src/db/list-statement.ts';
import type { Found } from '../../src/db/queries/looking.ts';
import { Connection } from './connection.ts';
import type { Context } from './context.ts';

interface EndArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
}

/** Which end of a list is asked for, and how much of it. */
export interface ListEnd {
  readonly end: 'first' | 'last';
  readonly size: number;
}

/** The size of a page: as asked for, at most {@link LIMITS.pageMax}. */
export const pageSize = (asked: number | null | undefined): number =>
  Math.min(asked ?? LIMITS.pageDefault, LIMITS.pageMax);

/**
 * What `first` and `last` ask for; undefined with neither.
 *
 * @throws ApiError `validation_failed` with both, since they name two different ends.
 */
export function listEnd({ first, last }: EndArguments): ListEnd | undefined {
  if (first != null && last != null) {
    const message = 'cannot be combined with first: ask for one end of the list';
    throw new ApiError('validation_failed', {
      message: `last ${message}.`,
      details: [{ path: 'last', message }],
    });
  }
  if (first != null) return { end: 'first', size: pageSize(first) };
  if (last != null) return { end: 'last', size: pageSize(last) };
  return undefined;
}

/** The part of a list that `first` and `last` ask for, in the list's own order; all of it with neither. */
export function sliceOf<Row>(rows: readonly Row[], asked: EndArguments): readonly Row[] {
  const wanted = listEnd(asked);
  if (!wanted) return rows;
  return wanted.end === 'first' ? rows.slice(0, wanted.size) : rows.slice(-wanted.size);
}

/** Which page of a list by cursor is asked for. */
export interface PageArguments extends EndArguments {
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** Rows in the order in which they were read, and where reading stopped before the list ended. */
interface FoundFrom<Row> {
  readonly rows: readonly Row[];
  readonly stoppedAt?: Position | undefined;
}

/** How a list is read by position. */
export interface Walk<Row> {
  /** Everything that makes the list what it is, with its organisation: its cursors open no other list. */
  readonly list: Position;
  /** Lists with the same positions, whose cursors are valid for this list as well. */
  readonly others?: readonly Position[];
  readonly positionOf: (row: Row) => Position;
  /**
   * Reads up to `limit` rows that follow a position in the list, on the way that it is read; undefined for where that begins.
   */
  readonly read: (from: Position | undefined, limit: number, way: Way) => Promise<FoundFrom<Row>>;
}

/**
 * A page of a list: `first` rows after a cursor, or the `last` ones before one.
 *
 * @throws ApiError `invalid_cursor`, and `validation_failed` for both lengths, and for a cursor of the other direction.
 */
export async function connectionOf<Row>(
  { cursors }: Pick<Context, 'cursors'>,
  { after, before, ...asked }: PageArguments,
  { list, others = [], positionOf, read }: Walk<Row>,
): Promise<Connection<Row>> {
  const { end, size } = listEnd(asked) ?? { end: 'first', size: LIMITS.pageDefault };
  const backwards = end === 'last';
  const [cursor, other, name] = backwards ? [before, after, 'after'] : [after, before, 'before'];
  if (other != null) {
    const message = backwards ? 'is combined with first, not with last' : 'is combined with last';
    throw new ApiError('validation_failed', { details: [{ path: name, message }] });
  }
  const from = cursor == null ? undefined : cursors.open(list, cursor, ...others);
  const { rows, stoppedAt } = await read(from, size + 1, backwards ? 'backwards' : 'forwards');
  const inOrder = rows.slice(0, size);
  const nodes = backwards ? inOrder.toReversed() : inOrder;
  const hasMore = rows.length > size || stoppedAt !== undefined;
  const [start, stop] = [nodes.at(0), nodes.at(-1)];
  const ends = {
    // Towards where the page came from there is what the cursor was taken of.
    hasNextPage: backwards ? cursor != null : hasMore,
    hasPreviousPage: backwards ? hasMore : cursor != null,
    // Where the search for rows ended before the list did, the page goes on from there, however few rows it shows.
    start: (backwards && stoppedAt) || (start && positionOf(start)),
    end: (!backwards && stoppedAt) || (stop && positionOf(stop)),
  };
  return new Connection(nodes, ends, { positionOf, seal: (position) => cursors.seal(list, position) });
}

/**
 * Reads up to `limit` rows that follow an id in the list, in its order or against it: one row more than a page shows. A reader that may
 * pass rows over reports how far it has looked.
 */
export type Read<Row> = (fromId: number, limit: number, way: Way) => Promise<readonly Row[] | Found<Row>>;

/** A row by its place in a list in order of id. */
interface Placed {
  readonly id: number;
}

/**
 * The page of a list in order of id, the smallest first.
 *
 * @param list everything that makes the list what it is, with its organisation: its cursors open no other list.
 * @throws ApiError `invalid_cursor`.
 */
export const pageById = <Row extends Placed>(
  context: Context,
  list: Position,
  args: PageArguments,
  read: Read<Row>,
): Promise<Connection<Row>> => pageFrom({ forwards: LEAST, backwards: GREATEST }, context, list, args, read);

/**
 * The same for a list in order of id with the greatest, and so the newest, first.
 *
 * @param others lists with the same positions, whose cursors are valid for this list as well.
 */
export const pageFromNewest = <Row extends Placed>(
  context: Context,
  list: Position,
  args: PageArguments,
  read: Read<Row>,
  ...others: readonly Position[]
): Promise<Connection<Row>> =>
  pageFrom({ forwards: GREATEST, backwards: LEAST }, context, list, args, read, others);

/** Below and above the ids of all rows. */
const LEAST = 0;
const GREATEST = Number.MAX_SAFE_INTEGER;

/** @param starts the id that every id of the list follows, on each way. */
const pageFrom = <Row extends Placed>(
  starts: Readonly<Record<Way, number>>,
  context: Context,
  list: Position,
  args: PageArguments,
  read: Read<Row>,
  others: readonly Position[] = [],
): Promise<Connection<Row>> =>
  connectionOf(context, args, {
    list,
    others,
    positionOf: ({ id }: Placed) => [id],
    read: async (from, limit, way) => {
      const found = await read(Number(from?.[0] ?? starts[way]), limit, way);
      if (!('rows' in found)) return { rows: found };
      const { rows, stoppedAt } = found;
      return { rows, ...(stoppedAt !== undefined && { stoppedAt: [stoppedAt] }) };
    },
  });
