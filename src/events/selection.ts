import type { EventRow } from '../db/rows.ts';

/**
 * The part of a log that a subscription follows, as its source. GraphQL requires an async iterable, but this one is never iterated:
 * events are read once for all followers of a log and passed to each (`src/subscriptions/`).
 */
export class Selection implements AsyncIterable<never> {
  readonly org: string;
  /** The event after which it begins; undefined for new events only. */
  readonly afterId: number | undefined;
  /** Whether an event belongs to the selection. Visibility is checked elsewhere. */
  readonly matches: (event: EventRow) => boolean;

  constructor({ org, afterId, matches }: Pick<Selection, 'org' | 'afterId' | 'matches'>) {
    this.org = org;
    this.afterId = afterId;
    this.matches = matches;
  }

  [Symbol.asyncIterator](): never {
    throw new Error('A selection of the log is read by src/subscriptions, not iterated.');
  }
}
