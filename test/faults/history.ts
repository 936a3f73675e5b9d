/**
 * What clients of several instances observed while machines failed: acknowledged, refused and repeated
 * requests, and reads.
 */

/** The reasons for a missing response: the connection was refused or cut, or the client stopped waiting. */
export type Silence = 'closed' | 'abandoned';

export class History {
  /** The time of each acknowledged write, by `performance.now()`. */
  readonly acknowledged: number[] = [];
  /** Contradictions, each with the requests before it. */
  readonly violations: string[] = [];
  readonly silences: Record<Silence, number> = { closed: 0, abandoned: 0 };
  /** The last fault, and its start by `performance.now()`. */
  fault = 'before all faults';
  faultAt = performance.now();
  /** Responses with 503. */
  refused = 0;
  /** Reads of a client's own writes. */
  ownReads = 0;
  /** Those that did not include the write. */
  stale = 0;
  /** Writes with an unknown outcome. */
  unresolved = 0;

  /** The longest time without a successful write that ended after `since`, in milliseconds. */
  longestGap(since: number): number {
    const times = this.acknowledged.toSorted((a, b) => a - b);
    const gaps = times.slice(1).map((time, index) => (time >= since ? time - (times[index] ?? time) : 0));
    return Math.round(Math.max(0, ...gaps));
  }

  summary(): string {
    const { closed, abandoned } = this.silences;
    return (
      `${this.acknowledged.length} writes, ${this.ownReads} reads of own writes, ${this.stale} stale; ` +
      `${this.refused} times 503, ${closed} connections closed, ${abandoned} requests abandoned, ${this.unresolved} unresolved`
    );
  }
}
