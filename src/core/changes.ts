import { isDeepStrictEqual } from 'node:util';

/**
 * Whether a row already has all values of a change, so that the change creates neither a version nor an event. Build the change once
 * and pass the same object on: a member that is only in one of both would be ignored.
 */
export const changesNothing = <Row extends object>(present: Row, change: Partial<Row>): boolean =>
  // The members of a change are members of the row.
  (Object.keys(change) as (keyof Row)[]).every((name) => isDeepStrictEqual(change[name], present[name]));
