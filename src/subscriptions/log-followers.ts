/** The followers of one organisation's log in this process. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../core/limits.ts';
import { eventsAfter } from '../db/queries/events.ts';
import type { EventRow } from '../db/rows.ts';
import { requireKept } from '../events/log-position.ts';
import type { Rights } from '../events/rights.ts';
import { Tail } from '../events/tail.ts';
import type { Services } from '../pipeline/context.ts';
import type { Follower } from './follower.ts';
import { freshRights } from './fresh-rights.ts';
import { Group, type GroupParts } from './group.ts';

export interface LogFollowersOptions {
  readonly org: string;
  readonly services: Services;
  readonly onFailure: (error: unknown) => void;
}

export class LogFollowers {
  readonly #options: LogFollowersOptions;
  readonly #groups = new Map<string, Group>();
  #tail: Tail | undefined;
  /** Whether a follower may join now. While an event is delivered, the followers whose rights were read are fixed. */
  #joinable = true;
  #waiting: (() => void)[] = [];
  /** Increases with every follower that joins: rights read before do not include them. */
  #joined = 0;

  private constructor(options: LogFollowersOptions) {
    this.#options = options;
  }

  static async open(options: LogFollowersOptions): Promise<LogFollowers> {
    const made = new LogFollowers(options);
    made.#tail = await Tail.open({
      database: options.services.database,
      org: options.org,
      deliver: (events, enter) => made.#deliver(events, enter),
      onFailure: options.onFailure,
    });
    return made;
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** Checks whether the log has grown. */
  wake(): void {
    if (!this.isEmpty) this.#tail?.wake();
  }

  async close(): Promise<void> {
    await this.#tail?.close();
  }

  /** Removes a follower from its group, and the group with its last follower. */
  leave(key: string, follower: Follower): void {
    const group = this.#groups.get(key);
    group?.followers.delete(follower);
    if (group?.followers.size === 0) this.#groups.delete(key);
  }

  /**
   * Reads the log for a follower from its position to the end, where the follower joins the live followers. There is no gap:
   * it joins in the same turn of the event loop in which its position is found to have reached theirs, and events that it has
   * received are not repeated. It always gets there, since it reads to the end of the log, which live followers cannot pass.
   */
  async follow(key: string, parts: GroupParts, follower: Follower): Promise<void> {
    const { org, services } = this.#options;
    while (follower.isOpen) {
      if (follower.isPaused) {
        await follower.pointsBack();
        continue;
      }
      const end = this.#tail?.position ?? 0;
      if (follower.position >= end) {
        if (!this.#joinable) {
          await new Promise<void>((resolve) => this.#waiting.push(resolve));
          continue;
        }
        // Without followers the live position has not moved.
        if (this.isEmpty) this.#tail?.moveTo(follower.position);
        const group = this.#groups.get(key) ?? new Group(parts);
        this.#groups.set(key, group);
        group.followers.add(follower);
        this.#joined += 1;
        // A follower that is ahead of the others may have read events whose wake is still to come.
        this.wake();
        return;
      }
      const events = await eventsAfter(services.database, {
        org,
        afterId: follower.position,
        limit: LIMITS.logBatch,
      });
      // Events that were deleted while the follower was catching up are missing from the batch.
      await requireKept(services.database, services.cursors, org, follower.position);
      // The log has reached `end`. If none of its events after the position is left, there is nothing to catch up on.
      if (events.length === 0) follower.position = Math.max(follower.position, end);
      await this.#passTo(follower, parts, events);
    }
  }

  /** Passes past events to one follower: its rights are read and its messages made for it alone. */
  async #passTo(follower: Follower, parts: GroupParts, events: readonly EventRow[]): Promise<void> {
    const { org, services } = this.#options;
    const group = new Group(parts);
    const rights = freshRights(services.database, org, events, () => [follower]);
    for (const event of events) {
      // The events after an unpaid one wait as well.
      if (!follower.isOpen || follower.isPaused) return;
      await group.pass(event, await rights.now(), [follower]);
      await follower.drained();
      // Yields to the event loop between events: SQLite returns within one turn, and the log may be long.
      await nextTurn();
    }
  }

  async #deliver(events: readonly EventRow[], enter: (event: EventRow) => void): Promise<void> {
    const { org, services } = this.#options;
    const everybody = () => [...this.#groups.values()].flatMap(({ followers }) => [...followers]);
    const rights = freshRights(services.database, org, events, everybody);
    let joined = this.#joined;
    this.#joinable = false;
    try {
      for (const event of events) {
        if (joined !== this.#joined) rights.forget();
        joined = this.#joined;
        const now = await rights.now();
        enter(event);
        await Promise.all([...this.#groups].map(([key, group]) => this.#passLive(key, group, event, now)));
        // Measured for live events only: a follower that catches up reads old ones on purpose.
        services.metrics.readerLag(
          'streams',
          (services.clock().getTime() - event.createdAt.getTime()) / 1000,
        );
        // Lets waiting followers join and sockets send their buffers.
        this.#letJoin();
        await nextTurn();
        this.#joinable = false;
      }
    } finally {
      this.#letJoin();
    }
  }

  /** A follower without points for an event leaves the group and catches up once it has points. The others do not wait for it. */
  async #passLive(key: string, group: Group, event: EventRow, rights: Rights): Promise<void> {
    for (const follower of await group.pass(event, rights)) {
      this.leave(key, follower);
      follower.fallBehind();
    }
  }

  #letJoin(): void {
    this.#joinable = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
