/** What clients of several instances saw while machines failed: what was acknowledged, refused and read. */

/** Why a request had no response: its connection was refused or cut, or the client did not wait any longer. */
export type Silence = 'closed' | 'abandoned';

export class History {
  /** When each write was acknowledged, by `performance.now()`. */
  readonly acknowledged: number[] = [];
  /** Contradictions, each with what led to it. */
  readonly violations: string[] = [];
  readonly silences: Record<Silence, number> = { closed: 0, abandoned: 0 };
  /** The fault that came last, and when it began, by `performance.now()`. */
  fault = 'before all faults';
  faultAt = performance.now();
  /** Responses with 503. */
  refused = 0;
  /** Reads of what their client has written. */
  ownReads = 0;
  /** Those of them without the write. */
  stale = 0;
  /** Writes whose outcome no client has learned. */
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
