/** Hints that a log has grown. They reduce latency only: readers poll the log, so they miss nothing if a hint is lost. */

import { LIMITS } from '../core/limits.ts';
import type { OpenDatabase } from '../db/database.ts';
import { noteRefusal, type Redis } from './redis.ts';

/** Called with the organisation whose log may have grown; undefined if it may be any. */
type WakeListener = (org: string | undefined) => void;

export type Wakes = ReturnType<typeof createWakes>;

/** The channel on which instances publish whose log has grown. */
export const CHANNEL = 'portico:log';

/**
 * Notifies listeners of commits in this process at once, of commits in other instances through Redis, and at intervals, for all
 * other changes and while Redis is unavailable.
 *
 * @param parts.redis connects to other instances; without it this is the only one.
 */
export function createWakes({ database, redis }: { database: OpenDatabase; redis?: Redis | undefined }) {
  const listeners = new Set<WakeListener>();
  const notify: WakeListener = (org) => {
    for (const listener of listeners) listener(org);
  };
  const others = redis && joinOthers(redis, notify);
  const unsubscribe = database.onGrowth((orgs) => {
    for (const org of orgs) {
      notify(org);
      others?.notify(org);
    }
  });
  const poll = setInterval(notify, LIMITS.logPollInterval, undefined);
  poll.unref();
  return {
    /** @returns a function that removes the listener. */
    onWake(listener: WakeListener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Releases everything except the Redis connection, which its opener closes. */
    close(): void {
      clearInterval(poll);
      unsubscribe();
      others?.leave();
      listeners.clear();
    },
  };
}

/** Publishes to other instances and subscribes to them. A subscribed connection cannot be used for commands, so it is separate. */
function joinOthers(redis: Redis, notify: WakeListener): { notify(org: string): void; leave(): void } {
  const listening = redis.duplicate({ autoResubscribe: false });
  // The original connection reports outages, which affect this one as well.
  listening.on('error', () => undefined);
  listening.on('message', (_channel, org) => notify(org));
  let retry: NodeJS.Timeout | undefined;
  const subscribe = () => {
    clearTimeout(retry);
    listening.subscribe(CHANNEL).then(
      // Messages published while this connection was not subscribed are lost.
      () => notify(undefined),
      (error: unknown) => {
        noteRefusal(redis, error);
        // A lost connection subscribes when it is restored. Until then, listeners are notified at intervals.
        if (listening.status === 'ready') retry = setTimeout(subscribe, LIMITS.redisRetryPause).unref();
      },
    );
  };
  listening.on('ready', subscribe);
  const leave = () => {
    clearTimeout(retry);
    listening.disconnect();
  };
  return { notify: sender(redis), leave };
}

/**
 * Returns a function that sends one message per organisation at a time. If the log grows meanwhile, one more message follows, however
 * often it grew.
 */
function sender(redis: Redis): (org: string) => void {
  /** The organisations with a message on the way, and whether another one must follow. */
  const publishing = new Map<string, boolean>();
  const send = (org: string): void => {
    const isBusy = publishing.has(org);
    publishing.set(org, isBusy);
    if (isBusy) return;
    const done = () => {
      const again = publishing.get(org);
      publishing.delete(org);
      if (again) send(org);
    };
    // Without Redis the other instances find the change at their next poll. The opener of the connection logs the outage.
    redis.publish(CHANNEL, org).then(done, (error: unknown) => {
      publishing.delete(org);
      noteRefusal(redis, error);
    });
  };
  return send;
}
