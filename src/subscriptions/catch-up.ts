/** Reading past events for followers that are behind, until they have reached the end of the log. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FairSlots } from '../core/fair-slots.ts';
import { KeyedCounts } from '../core/keyed-counts.ts';
import { LIMITS } from '../core/limits.ts';
import { eventsAfter, eventsOfSubjectAfter, eventsOfTypesAfter, newestEvent } from '../db/queries/events.ts';
import type { EventRow } from '../db/rows.ts';
import { type LogPosition, requireInLog } from '../events/log-position.ts';
import type { Selection } from '../events/selection.ts';
import type { Services } from '../pipeline/context.ts';
import { Burst } from './burst.ts';
import type { Follower } from './follower.ts';
import { freshRights } from './fresh-rights.ts';
import { Group, type GroupParts } from './group.ts';

export interface CatchUpOptions {
  readonly org: string;
  readonly services: Services;
  /** Limits how many cohorts of this process are passed past events at once. */
  readonly catchUps: FairSlots;
}

/** The followers of one subscription that are at the same position. */
interface Cohort {
  readonly from: LogPosition;
  readonly parts: GroupParts;
  readonly members: Follower[];
  /** Resolves when the members have received a batch of events, except for those in {@link late}. */
  readonly passed: Promise<Passed>;
  /** What members continue alone: they lack points, or their clients read slowly. */
  readonly late: Map<Follower, Promise<void>>;
}

/** What was read of the log. */
interface Passed {
  /** The newest event of the log, before the others were read. */
  readonly end: LogPosition | undefined;
  /** Whether there may be more events. */
  readonly isFull: boolean;
}

export class CatchUps {
  readonly #options: CatchUpOptions;
  /** The cohorts that have not read yet, by subscription and position. */
  readonly #gathering = new Map<string, Cohort>();
  /** How many turns each caller waits for or has. */
  readonly #turns = new KeyedCounts<string>();

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /**
   * Reads the next events of a follower's selection and passes them to it, together with all followers of the same subscription that wait
   * at the same position. After a restart, thousands reconnect at once: if each was passed each event alone, the log could grow faster than
   * they catch up.
   *
   * @param key of the subscription, and of what the log had lost: a cohort may have read before it lost more.
   * @returns whether it has received everything up to the end of the log.
   */
  async next(key: string, parts: GroupParts, follower: Follower): Promise<boolean> {
    await follower.drained();
    const { id, createdAt } = follower.position;
    const place = `${id} ${createdAt?.getTime()} ${key}`;
    const cohort = this.#gathering.get(place) ?? this.#gather(place, parts, follower);
    cohort.members.push(follower);
    if (cohort.members.length === LIMITS.catchUpTogether) this.#gathering.delete(place);
    const { end, isFull } = await cohort.passed;
    await cohort.late.get(follower);
    if (!follower.isOpen || follower.isPaused || isFull) return false;
    if (end && end.id > follower.position.id) follower.position = end;
    return true;
  }

  #gather(place: string, parts: GroupParts, first: Follower): Cohort {
    const cohort: Cohort = {
      from: first.position,
      parts,
      members: [],
      late: new Map(),
      // Not before the next turn of the event loop, in which the others of the former cohort arrive here as well.
      passed: nextTurn().then(() => this.#pass(place, cohort)),
    };
    this.#gathering.set(place, cohort);
    return cohort;
  }

  async #pass(place: string, cohort: Cohort): Promise<Passed> {
    const { org, services } = this.#options;
    const { from, parts, members } = cohort;
    const { end, events } = await this.#inTurn(members, async () => ({
      // Read before the events, so that none is passed over.
      end: await newestEvent(services.database, { org }),
      events: await this.#read(from.id, parts.selection),
    })).finally(() => {
      if (this.#gathering.get(place) === cohort) this.#gathering.delete(place);
    });
    // Events that were deleted or lost while the followers were catching up are missing from the batch.
    await requireInLog(services.database, services.cursors, org, from);
    const paid = await Promise.all(members.map((follower) => this.#payForReading(follower, events.length)));
    for (const [index, follower] of members.entries()) {
      if (!paid[index])
        this.#passLate(cohort, follower, events, () => this.#payLater(follower, events.length));
    }
    const together = members.filter((_, index) => paid[index]);
    await this.#passTo(cohort, together, events);
    return { end, isFull: events.length === LIMITS.logBatch };
  }

  /** Reads the next events after a position, as far as an index allows only those of a selection. */
  #read(fromId: number, { filter: { types, subject } }: Selection): Promise<readonly EventRow[]> {
    const { org, services } = this.#options;
    const range = { org, fromId, limit: LIMITS.logBatch };
    if (subject)
      return eventsOfSubjectAfter(services.database, {
        ...range,
        subjectType: subject.type,
        subjectId: subject.id,
      });
    return types && types.length <= LIMITS.typesLookedUp
      ? eventsOfTypesAfter(services.database, { ...range, types })
      : eventsAfter(services.database, range);
  }

  /**
   * Takes points for past events that were read for one follower, whether or not it gets them. Without points it is paused.
   *
   * @returns whether it has paid.
   */
  async #payForReading(follower: Follower, events: number): Promise<boolean> {
    const { budget, clock } = this.#options.services;
    // A full bucket may hold less.
    const points = Math.min(Math.floor(events / LIMITS.eventsReadPerPoint), budget.points);
    if (points === 0) return true;
    const { granted, retryAfter } = await budget.take(follower.flow.caller, points, clock());
    if (!granted) follower.pauseFor(retryAfter);
    return granted;
  }

  async #payLater(follower: Follower, events: number): Promise<void> {
    do await follower.pointsBack();
    while (follower.isOpen && !(await this.#payForReading(follower, events)));
  }

  /** Passes events to a follower alone, once it is ready. They are kept for it, so that it pays for no event twice. */
  #passLate(
    cohort: Cohort,
    follower: Follower,
    events: readonly EventRow[],
    ready: () => Promise<void>,
  ): void {
    const passed = ready().then(() => this.#passTo(cohort, [follower], events));
    // The follower gets a failure in `next`, which may not wait for it yet.
    passed.catch(() => undefined);
    cohort.late.set(follower, passed);
  }

  /** Passes past events to followers. One whose client has not read enough continues alone, and the others do not wait for it. */
  #passTo(cohort: Cohort, followers: readonly Follower[], events: readonly EventRow[]): Promise<void> {
    const burst = new Burst();
    return this.#passEach(cohort, followers, events, burst).finally(() => burst.end());
  }

  async #passEach(
    cohort: Cohort,
    followers: readonly Follower[],
    events: readonly EventRow[],
    burst: Burst,
  ): Promise<void> {
    const { org, services } = this.#options;
    const { parts } = cohort;
    const group = new Group(parts);
    let together = followers;
    const rights = freshRights(services.database, org, events, () => together);
    for (const [index, event] of events.entries()) {
      // The events after one that was not passed to a follower wait as well.
      together = together.filter(({ isOpen, isPaused }) => isOpen && !isPaused);
      if (!parts.selection.matches(event)) {
        for (const follower of together) follower.position = event;
        continue;
      }
      if (followers.length === 1) await followers[0]?.drained();
      else
        for (const follower of together.filter(({ isDrained }) => !isDrained))
          this.#passLate(cohort, follower, events.slice(index), () => follower.drained());
      together = together.filter(({ isOpen, isDrained }) => isOpen && isDrained);
      if (together.length === 0) return;
      if (index < events.length - 1) burst.begin(() => together);
      await this.#inTurn(together, async () => group.pass(event, await rights.now(), together));
    }
  }

  /**
   * Waits until few others catch up, and runs a part of the work. It yields to the event loop afterwards: SQLite returns within one
   * turn, and the log may be long.
   *
   * @param followers at least one. It is the turn of the caller among them with the fewest other turns, so that no caller is delayed by the
   *   other streams of one whose position it shares.
   */
  async #inTurn<T>(followers: readonly Follower[], work: () => Promise<T>): Promise<T> {
    const { catchUps } = this.#options;
    const turns = this.#turns;
    const { flow } = followers.reduce((least, each) =>
      turns.of(each.flow.caller) < turns.of(least.flow.caller) ? each : least,
    );
    turns.increment(flow.caller);
    try {
      return await catchUps.use(() => work().finally(() => nextTurn()), flow);
    } finally {
      turns.decrement(flow.caller);
    }
  }
}
