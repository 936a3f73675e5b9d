/** Hints that a log has grown. They make readers quick; that nothing is missed is for the readers' own looks to see to. */

import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import type { Redis } from './redis.ts';

/** Called with the organisation whose log may have grown; without one when it may be any. */
export type WakeListener = (org: string | undefined) => void;

export interface Wakes {
  /** @returns what ends it. */
  onWake(listener: WakeListener): () => void;
  /** Releases everything except the Redis connection, which its opener closes. */
  close(): void;
}

export interface WakesOptions {
  readonly database: Database;
  /** Where other instances are heard. */
  readonly redis?: Redis | undefined;
}

/** The channel on which instances tell each other whose log has grown. */
const CHANNEL = 'portico:log';

/**
 * Hears of commits in this process at once, of those in other instances through Redis, and of whatever else, or while Redis
 * is away, at intervals.
 */
export function createWakes({ database, redis }: WakesOptions): Wakes {
  const listeners = new Set<WakeListener>();
  const tell: WakeListener = (org) => {
    for (const listener of listeners) listener(org);
  };
  const others = redis && joinOthers(redis, tell);
  const stopHearing = database.onGrowth((orgs) => {
    for (const org of orgs) {
      tell(org);
      others?.tell(org);
    }
  });
  const poll = setInterval(tell, LIMITS.logPollInterval, undefined);
  poll.unref();
  return {
    onWake(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      clearInterval(poll);
      stopHearing();
      others?.leave();
      listeners.clear();
    },
  };
}

/** Publishes to other instances and subscribes to them. A subscribed connection can do nothing else, so it has its own. */
function joinOthers(redis: Redis, hear: WakeListener): { tell(org: string): void; leave(): void } {
  const listening = redis.duplicate({ autoResubscribe: false });
  // The connection it was duplicated from reports outages; this one has the same.
  listening.on('error', () => undefined);
  listening.on('message', (_channel, org) => hear(org));
  listening.on('ready', () => {
    listening.subscribe(CHANNEL).then(
      // Messages published while no subscriber was connected are lost.
      () => hear(undefined),
      // The connection is gone again: it subscribes when it is back, and until then there is the poll.
      () => undefined,
    );
  });
  const sender = new Sender(redis);
  return { tell: (org) => sender.send(org), leave: () => listening.disconnect() };
}

/** One message of an organisation under way at a time: what grows meanwhile is said once more, however often it grew. */
class Sender {
  readonly #redis: Redis;
  /** Whether it has to be said again. */
  readonly #publishing = new Map<string, boolean>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  send(org: string): void {
    if (this.#publishing.has(org)) {
      this.#publishing.set(org, true);
      return;
    }
    this.#publishing.set(org, false);
    const done = () => {
      const again = this.#publishing.get(org);
      this.#publishing.delete(org);
      if (again) this.send(org);
    };
    // Without Redis the others find out at their next look, and its absence is logged where the connection was opened.
    this.#redis.publish(CHANNEL, org).then(done, () => this.#publishing.delete(org));
  }
}
