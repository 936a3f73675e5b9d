/** Limits the mail that callers can make the server send, so that they cannot flood mailboxes or the outbox. */
import type { Redis } from '../cluster/redis.ts';
import { countsOf, sealed, tooMany } from './counts.ts';

/** The window in which messages are counted, in seconds. */
const WINDOW = 3600;

export type MailLimit = ReturnType<typeof createMailLimit>;

interface MailLimitOptions {
  /** Messages per hour to one address: password resets, and the invitations of each organisation. */
  readonly perAddress: number;
  /** Messages that one caller may request per hour. */
  readonly perCaller: number;
}

/** Each organisation that invites has its own count, which others cannot use up; `anybody` for password resets. */
type Sender = 'anybody' | { readonly org: string };

const keyOf = (address: string, sender: Sender): string =>
  sealed(sender === 'anybody' ? address : `${sender.org} ${address}`);

/** @param redis as for {@link countsOf}. */
export function createMailLimit({ perAddress, perCaller }: MailLimitOptions, redis?: Redis) {
  const toAddress = countsOf('mail:address', perAddress, redis, WINDOW);
  const byCaller = countsOf('mail:caller', perCaller, redis, WINDOW);
  return {
    /** Counts a request of a caller: a person, a key, or a network. @throws ApiError `rate_limited` after too many requests. */
    async enter(caller: string): Promise<void> {
      const { consumedPoints, msBeforeNext } = await byCaller.penalty(sealed(caller), 1);
      if (consumedPoints <= perCaller) return;
      throw tooMany('Too much mail was requested. Wait before the next request.', msBeforeNext);
    },
    /** Counts a message to an address; false after too many, whether or not it has an account. */
    async mayReceive(address: string, sender: Sender): Promise<boolean> {
      const { consumedPoints } = await toAddress.penalty(keyOf(address, sender), 1);
      return consumedPoints <= perAddress;
    },
    /** Takes back the count of a message that was not put into the outbox after all. */
    async notSent(address: string, sender: Sender): Promise<void> {
      const key = keyOf(address, sender);
      const { consumedPoints } = await toAddress.reward(key, 1);
      // The window of that count has ended, or Redis has come or gone since: below zero, more messages than `perAddress` could follow.
      if (consumedPoints < 0) await toAddress.penalty(key, 1);
    },
  };
}
