/** Parts of lists: the first or last rows, or a page after or before a cursor. */
import type { Position } from '../../src/core/cursors.ts';
import { invalidValue } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Runner } from '../../src/db/database.ts';
import type { Way } from '../../src/db/dialect.ts';
import type { Found, ListPart } from '../../src/db/queries/shared/looking.ts';
import type { Page } from '../../src/db/queries/shared/owned.ts';
import { Connection } from './connection.ts';
import { type Context, callerOf } from './context.ts';

interface EndArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
}

/** The requested end of a list, and the number of rows. */
interface ListEnd {
  readonly end: 'first' | 'last';
  readonly size: number;
}

/** What the size of a page depends on besides the request. */
type Sizing = Pick<Context, 'pageMax'>;

/** The page size: as requested or the default, at most `pageMax`. */
export const pageSize = ({ pageMax }: Sizing, asked: number | null | undefined): number =>
  Math.min(asked ?? LIMITS.pageDefault, pageMax);

/** Reads `first` and `last`. With neither it is the first page. @throws ApiError `validation_failed` if both are given. */
export const listEnd = (sizing: Sizing, asked: EndArguments): ListEnd =>
  requestedEnd(sizing, asked) ?? { end: 'first', size: pageSize(sizing, undefined) };

/** The same, but undefined with neither. */
function requestedEnd(sizing: Sizing, { first, last }: EndArguments): ListEnd | undefined {
  if (first != null && last != null) throw invalidValue('last', 'cannot be combined with first');
  if (first != null) return { end: 'first', size: pageSize(sizing, first) };
  if (last != null) return { end: 'last', size: pageSize(sizing, last) };
  return undefined;
}

/** The rows selected by `first` or `last`, in list order; all rows if neither is given. */
export function sliceOf<Row>(sizing: Sizing, rows: readonly Row[], asked: EndArguments): readonly Row[] {
  const wanted = requestedEnd(sizing, asked);
  if (!wanted) return rows;
  return wanted.end === 'first' ? rows.slice(0, wanted.size) : rows.slice(-wanted.size);
}

/** The page arguments of a cursor list. */
export interface PageArguments extends EndArguments {
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** Rows in reading order, and what is known of rows that were omitted. */
type FoundFrom<Row> = Pick<Found<Row>, 'rows'> & Partial<Found<Row, Position>>;

/** How to read a list by position. */
interface Walk<Row> {
  /** Everything that identifies the list, including its organisation: its cursors are valid for no other list. */
  readonly list: Position;
  /** Lists with the same positions, whose cursors are also valid for this list. */
  readonly others?: readonly Position[];
  readonly positionOf: (row: Row) => Position;
  /** Reads up to `limit` rows after a position, in the given direction; undefined starts at the beginning of that direction. */
  readonly read: (from: Position | undefined, limit: number, way: Way) => Promise<FoundFrom<Row>>;
  /** How many rows that were examined and omitted cost one point. */
  readonly skippedPerPoint?: number;
}

/**
 * Reads a page of a list: the `first` rows after a cursor, or the `last` rows before one.
 *
 * @throws ApiError `invalid_cursor`, and `validation_failed` for both `first` and `last`, or for the cursor of the other
 *   direction.
 */
export async function connectionOf<Row>(
  { cursors, pageMax, requestCost }: Pick<Context, 'cursors' | 'pageMax' | 'requestCost'>,
  { after, before, ...asked }: PageArguments,
  { list, others = [], positionOf, read, skippedPerPoint = LIMITS.rowsSkippedPerPoint }: Walk<Row>,
): Promise<Connection<Row>> {
  const { end, size } = listEnd({ pageMax }, asked);
  const backwards = end === 'last';
  const [cursor, other, name] = backwards ? [before, after, 'after'] : [after, before, 'before'];
  if (other != null) throw invalidValue(name, `can only be combined with ${backwards ? 'first' : 'last'}`);
  const from = cursor == null ? undefined : cursors.open(list, cursor, ...others);
  const { rows, stoppedAt, skipped = 0 } = await read(from, size + 1, backwards ? 'backwards' : 'forwards');
  requestCost.spend(Math.floor(skipped / skippedPerPoint));
  const inOrder = rows.slice(0, size);
  const nodes = backwards ? inOrder.toReversed() : inOrder;
  const hasMore = rows.length > size || stoppedAt !== undefined;
  const [start, stop] = [nodes.at(0), nodes.at(-1)];
  const ends = {
    // In the direction that the cursor came from there is at least the row of the cursor.
    hasNextPage: backwards ? cursor != null : hasMore,
    hasPreviousPage: backwards ? hasMore : cursor != null,
    // If reading stopped before the end of the list, the next page continues there, however few rows this page has.
    start: (backwards && stoppedAt) || (start && positionOf(start)),
    end: (!backwards && stoppedAt) || (stop && positionOf(stop)),
  };
  return new Connection(nodes, ends, { positionOf, seal: (position) => cursors.seal(list, position) });
}

/**
 * Loads the rows of a page that another statement has found. The page ends where it was found to end, also if rows were changed or
 * deleted in between: these are shown as they are now, or omitted, and no other row is skipped.
 *
 * @param load loads the rows with these ids, in any order.
 */
export async function withRows<Place extends Placed, Row extends Placed>(
  found: Connection<Place>,
  load: (ids: readonly number[]) => Promise<readonly Row[]>,
): Promise<Connection<Row & Place>> {
  const ids = found.nodes.map(({ id }) => id);
  const rows = new Map((ids.length === 0 ? [] : await load(ids)).map((row) => [row.id, row]));
  return found.withNodes(
    found.nodes.flatMap((place) => {
      const row = rows.get(place.id);
      return row ? [{ ...row, ...place }] : [];
    }),
  );
}

/**
 * Reads a part of a list, in list order or in reverse, with one row more than the page. A reader that skips rows also returns the position
 * up to which it has searched.
 */
export type Read<Row> = (part: ListPart, way: Way) => Promise<readonly Row[] | Found<Row>>;

/** A row of a list that is ordered by id. */
interface Placed {
  readonly id: number;
}

/** Less and greater than the id of any row. */
const LEAST = 0;
const GREATEST = Number.MAX_SAFE_INTEGER;

/** @param starts the id before the first one, for each direction. */
const pageFrom =
  (starts: Readonly<Record<Way, number>>) =>
  <Row extends Placed>(
    context: Context,
    list: Position,
    args: PageArguments,
    read: Read<Row>,
    ...others: readonly Position[]
  ): Promise<Connection<Row>> =>
    connectionOf(context, args, {
      list,
      others,
      positionOf: ({ id }: Placed) => [id],
      read: async (from, limit, way) => {
        const found = await read({ fromId: Number(from?.[0] ?? starts[way]), limit }, way);
        if (!('rows' in found)) return { rows: found };
        const { stoppedAt, ...rest } = found;
        return { ...rest, ...(stoppedAt !== undefined && { stoppedAt: [stoppedAt] }) };
      },
    });

/**
 * Reads a page of a list that is ordered by id, ascending.
 *
 * @param list everything that identifies the list, including its organisation: its cursors are valid for no other list.
 * @param others lists with the same positions, whose cursors are also valid for this list.
 * @throws ApiError `invalid_cursor`.
 */
export const pageById = pageFrom({ forwards: LEAST, backwards: GREATEST });

/** Like {@link pageById}, but descending: the newest row first. */
export const pageFromNewest = pageFrom({ forwards: GREATEST, backwards: LEAST });

/** Reads rows of an organisation, like the queries of `rowsIn`. */
type ReadOfOrganisation<Row> = (db: Runner, page: Page, way: Way) => Promise<readonly Row[]>;

const ownPage =
  (page: typeof pageById) =>
  <Row extends Placed>(
    context: Context,
    name: string,
    args: PageArguments,
    read: ReadOfOrganisation<Row>,
  ): Promise<Connection<Row>> => {
    const { org } = callerOf(context);
    return page(context, [name, org], args, (part, way) => read(context.database, { org, ...part }, way));
  };

/** {@link pageById} for the rows of the caller's organisation. */
export const ownPageById = ownPage(pageById);

/** {@link pageFromNewest} for the rows of the caller's organisation. */
export const ownPageFromNewest = ownPage(pageFromNewest);
