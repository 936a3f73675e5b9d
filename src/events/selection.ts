import type { EventRow } from '../db/rows.ts';
import type { LogPosition } from './log-position.ts';

/** What limits a subscription to some events of the log. */
export interface Filter {
  /** Only events of these types, which are distinct; null for all. */
  readonly types: readonly string[] | null;
  /** Only events about this subject; null for all. */
  readonly subject: { readonly type: string; readonly id: number } | null;
}

/**
 * The part of a log that a subscription follows, as its source. GraphQL requires an async iterable, but this one is never iterated:
 * events are read once for all followers of a log and passed to each (`src/subscriptions/`).
 */
export class Selection implements AsyncIterable<never> {
  readonly org: string;
  /** The position after which it begins; undefined for new events only. */
  readonly after: LogPosition | undefined;
  readonly filter: Filter;
  readonly #types: ReadonlySet<string> | null;

  constructor({ org, after, filter }: Pick<Selection, 'org' | 'after' | 'filter'>) {
    this.org = org;
    this.after = after;
    this.filter = filter;
    this.#types = filter.types && new Set(filter.types);
  }

  /** Whether an event belongs to the selection. Visibility is checked elsewhere. */
  matches({ type, subjectType, subjectId }: Pick<EventRow, 'type' | 'subjectType' | 'subjectId'>): boolean {
    const { subject } = this.filter;
    if (subject && (subjectType !== subject.type || subjectId !== subject.id)) return false;
    return this.#types?.has(type) ?? true;
  }

  [Symbol.asyncIterator](): never {
    throw new Error('A selection of the log is read by src/subscriptions, not iterated.');
  }
}
