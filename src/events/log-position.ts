/** Positions in an organisation's log, as sealed cursors. */
import type { Cursors, Position } from '../core/cursors.ts';

interface Line {
  readonly org: string;
  readonly id: number;
}

const listOf = (org: string): Position => ['log', org];

/**
 * Cursors for positions in the log. They do not depend on filters: a filter omits lines but keeps their order, so a reader can
 * continue from a cursor with another filter.
 */
export const logPosition = {
  listOf,

  seal: (cursors: Cursors, { org, id }: Line): string => cursors.seal(listOf(org), [id]),

  /**
   * Returns the id of a cursor's line.
   *
   * @param others lists with the same positions, whose cursors are also valid.
   * @throws ApiError `invalid_cursor`, also for a cursor of another organisation.
   */
  open: (cursors: Cursors, org: string, cursor: string, ...others: readonly Position[]): number =>
    Number(cursors.open(listOf(org), cursor, ...others)[0]),
};
