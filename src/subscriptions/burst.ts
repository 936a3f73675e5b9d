import { LIMITS } from '../core/limits.ts';
import type { Follower } from './follower.ts';

/**
 * Events that follow each other: their messages are written to each client at once, since a write takes longer than anything else of a
 * delivery. Bursts of ten events to 2,000 clients take half of the processor time. The one that begins it must end it.
 */
export class Burst {
  #followers: readonly Follower[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Keeps messages to these followers for `LIMITS.burst`, so that the first ones do not wait for all. Does nothing while it does. */
  begin(followers: () => readonly Follower[]): void {
    if (this.#timer) return;
    this.#followers = followers();
    for (const follower of this.#followers) follower.cork();
    this.#timer = setTimeout(() => this.end(), LIMITS.burst);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const follower of this.#followers) follower.uncork();
    this.#followers = [];
  }
}
