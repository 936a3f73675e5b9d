import type { EventRow } from '../db/rows.ts';

/** Which part of a log a subscription follows. */
export interface SelectionParts {
  readonly org: string;
  /** The event after which it begins; undefined for what happens from now on. */
  readonly afterId: number | undefined;
  /** Whether an event belongs to it. Who may see the event is another question. */
  readonly matches: (event: EventRow) => boolean;
}

/**
 * What a subscription gives as its source. GraphQL requires something that can be iterated, and this is never iterated: events
 * are read once for all who follow a log, and handed to each (`src/subscriptions/`).
 */
export class Selection implements AsyncIterable<never>, SelectionParts {
  readonly org: string;
  readonly afterId: number | undefined;
  readonly matches: (event: EventRow) => boolean;

  constructor({ org, afterId, matches }: SelectionParts) {
    this.org = org;
    this.afterId = afterId;
    this.matches = matches;
  }

  [Symbol.asyncIterator](): never {
    throw new Error('A selection of the log is read by src/subscriptions, not iterated.');
  }
}
