/** Events sent to a program on this machine, as a webhook would be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { signMessage } from '../core/signatures.ts';
import type { FollowedEvent } from './following.ts';

export interface ForwardOptions {
  readonly target: string;
  /** The secret that the messages are signed with. */
  readonly secret: string;
  readonly clock: () => Date;
  /** Is called for each attempt that did not succeed. */
  readonly onFailure: (reason: string) => void;
}

/** Milliseconds before another attempt, the first and the longest: a program that is restarted is back within seconds. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5000;

/** Milliseconds that a receiver may take. */
const TIMEOUT = 15_000;

/** Sends one event, again and again until it is taken: the ones after it wait, so that all come in order. */
export async function forwardEvent(event: FollowedEvent, options: ForwardOptions): Promise<void> {
  const body = `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.createdAt)},"data":${event.item}}`;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const problem = await attempt(event, body, options);
    if (problem === undefined) return;
    options.onFailure(problem);
    await sleep(pause);
  }
}

/** @returns why it was not taken; undefined when it was. */
async function attempt(
  { id }: FollowedEvent,
  body: string,
  { target, secret, clock }: ForwardOptions,
): Promise<string | undefined> {
  try {
    const response = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
      headers: {
        'content-type': 'application/json',
        // The same for each attempt, so that a receiver knows an event that it has.
        ...signMessage([secret], `msg_listen_${id}`, clock(), body),
      },
      body,
    });
    await response.body?.cancel();
    return response.ok ? undefined : `${target} answered ${response.status}.`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${target} is not there: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`;
  }
}
