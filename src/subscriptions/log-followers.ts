/** The followers of one organisation's log in this process. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sharedRun } from '../core/promises.ts';
import type { EventRow } from '../db/rows.ts';
import { isLost, type LogPosition, logEnd, logPosition, lostPosition } from '../events/log-position.ts';
import type { Rights } from '../events/rights.ts';
import { Tail, type TailOptions } from '../events/tail.ts';
import { Burst } from './burst.ts';
import { type CatchUpOptions, CatchUps } from './catch-up.ts';
import type { Follower } from './follower.ts';
import { freshRights } from './fresh-rights.ts';
import { Group, type GroupParts } from './group.ts';

interface LogFollowersOptions extends CatchUpOptions {
  readonly onFailure: (error: unknown) => void;
}

export class LogFollowers {
  readonly #options: LogFollowersOptions;
  readonly #groups = new Map<string, Group>();
  readonly #tail: Tail;
  readonly #catchUps: CatchUps;
  /** Whether a follower may join now. While an event is delivered, the followers whose rights were read are fixed. */
  #joinable = true;
  #waiting: (() => void)[] = [];
  /** Increases with every follower that joins: rights read before do not include them. */
  #joined = 0;
  /** Looks for a loss once for all followers that have caught up together. */
  readonly #verify = sharedRun(() => this.#tail.verify());
  /** Increases when the log has lost its newest events: a follower whose position was checked before may have one of them. */
  #losses = 0;

  private constructor(options: LogFollowersOptions, position: LogPosition) {
    const { org, services, onFailure } = options;
    this.#options = options;
    this.#catchUps = new CatchUps(options);
    const { database } = services;
    const deliver: TailOptions['deliver'] = (events, enter) => this.#deliver(events, enter);
    const onLost = (end: LogPosition) => this.#endLost(end);
    this.#tail = new Tail({ database, org, deliver, onLost, onFailure }, position);
  }

  static async open(options: LogFollowersOptions): Promise<LogFollowers> {
    return new LogFollowers(options, await logEnd(options.services.database, options.org));
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** Checks whether the log has grown. */
  wake(): void {
    if (!this.isEmpty) this.#tail.wake();
  }

  async close(): Promise<void> {
    await this.#tail.close();
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
    let hasReadAll = false;
    let losses = 0;
    while (follower.isOpen) {
      if (follower.isPaused) {
        await follower.pointsBack();
        continue;
      }
      // Without followers the live position does not move.
      const isAtEnd = follower.position.id >= this.#tail.position && (hasReadAll || !this.isEmpty);
      if (isAtEnd && losses === this.#losses) {
        if (this.#joinable) return this.#join(key, parts, follower);
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      // The live followers have read more meanwhile, or the log has lost its newest events.
      if (hasReadAll) await this.#verify();
      losses = this.#losses;
      // Not together with followers that may have read before a loss.
      hasReadAll = await this.#catchUps.next(`${losses} ${key}`, parts, follower);
    }
  }

  #join(key: string, parts: GroupParts, follower: Follower): void {
    if (this.isEmpty) this.#tail.moveTo(follower.position);
    const group = this.#groups.get(key) ?? new Group(parts);
    this.#groups.set(key, group);
    group.followers.add(follower);
    this.#joined += 1;
    // A follower that is ahead of the others may have read events whose wake is still to come.
    this.wake();
  }

  async #deliver(events: readonly EventRow[], enter: (event: EventRow) => void): Promise<void> {
    const { org, services } = this.#options;
    const rights = freshRights(services.database, org, events, () => this.#followers());
    const burst = new Burst();
    let joined = this.#joined;
    this.#joinable = false;
    try {
      for (const [index, event] of events.entries()) {
        if (index < events.length - 1) burst.begin(() => this.#followers());
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
      burst.end();
      this.#letJoin();
    }
  }

  /** A follower that is paused before an event leaves the group and catches up. The others do not wait for it. */
  async #passLive(key: string, group: Group, event: EventRow, rights: Rights): Promise<void> {
    for (const follower of await group.pass(event, rights)) {
      this.leave(key, follower);
      follower.fallBehind();
    }
  }

  /** Ends the streams of clients that have events which the log has lost. @param end the end of the log. */
  async #endLost(end: LogPosition): Promise<void> {
    this.#losses += 1;
    const { org, services } = this.#options;
    const error = lostPosition(services.cursors, org, end);
    const cursorOf = ({ position }: Follower) => logPosition.seal(services.cursors, org, position);
    // Nearly all of them are at the same position.
    for (const [first, ...others] of Map.groupBy(this.#followers(), cursorOf).values()) {
      if (!first || !(await isLost(services.database, org, first.position))) continue;
      for (const follower of [first, ...others]) follower.end(error);
    }
  }

  #followers(): readonly Follower[] {
    return [...this.#groups.values()].flatMap(({ followers }) => [...followers]);
  }

  #letJoin(): void {
    this.#joinable = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
