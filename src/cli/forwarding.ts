/** Sends events to a program on this machine, in the format of webhooks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { signMessage } from '../core/signatures.ts';
import type { FollowedEvent } from './following.ts';
import { reasonOfFetch } from './remote.ts';

export interface ForwardOptions {
  readonly target: string;
  /** The secret that the messages are signed with. */
  readonly secret: string;
  readonly clock: () => Date;
  /** Called for each failed attempt. */
  readonly onFailure: (reason: string) => void;
}

/** Milliseconds before the second attempt, and the longest pause: a program that restarts is back within seconds. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5000;

/** Milliseconds to wait for a receiver. */
const TIMEOUT = 15_000;

/** Sends one event, and retries until it is accepted. Later events wait, so that all arrive in order. */
export async function forwardEvent(event: FollowedEvent, options: ForwardOptions): Promise<void> {
  const body = `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.createdAt)},"data":${event.item}}`;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const problem = await attempt(event, body, options);
    if (problem === undefined) return;
    options.onFailure(problem);
    await sleep(pause);
  }
}

/** @returns why the event was not accepted; undefined if it was. */
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
        // The same id for each attempt, so that a receiver recognises an event that it already has.
        ...signMessage([secret], `msg_listen_${id}`, clock(), body),
      },
      body,
    });
    await response.body?.cancel();
    return response.ok ? undefined : `${target} responded with ${response.status}.`;
  } catch (error) {
    return `${target} is not reachable: ${reasonOfFetch(error)}`;
  }
}
