/** Positions in an organisation's log, as sealed cursors. */
import type { Cursors, Position } from '../core/cursors.ts';

interface Line {
  readonly org: string;
  readonly id: number;
}

const listOf = (org: string): Position => ['log', org];

/**
 * The cursor of a line of the log. It depends on no filter: a filter leaves lines out and changes nothing of their order, so
 * who has read up to a line goes on after it with any filter.
 */
export const logPosition = {
  listOf,

  seal: (cursors: Cursors, { org, id }: Line): string => cursors.seal(listOf(org), [id]),

  /**
   * The id of the line that a cursor names.
   *
   * @throws ApiError `invalid_cursor`, also for one of another organisation.
   */
  open: (cursors: Cursors, org: string, cursor: string): number =>
    Number(cursors.open(listOf(org), cursor)[0]),
};
