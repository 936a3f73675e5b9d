/** Mail, and the links in it. */
import { DAY, HOUR, MINUTE, SECOND } from './units.ts';

export const MAIL = {
  /** Milliseconds that the link of a password reset is valid: as long as it takes to read a mail, even when it is late. */
  passwordResetLifetime: 1 * HOUR,
  /** Milliseconds that an invitation is valid: a week of holidays. */
  invitationLifetime: 7 * DAY,
  /** Milliseconds between two looks for mail to send. A request wakes the process that it came to, so only others wait as long. */
  mailPoll: 2 * SECOND,
  /** Milliseconds from the request for a message to its first attempt, in which the response to the request is sent. */
  mailWakePause: 50,
  /** Messages that one process sends at once. Mail servers accept some ten connections of a client. */
  mailBatch: 5,
  /** Milliseconds that the mail server has for one message, from the connection to its last response. */
  mailTimeout: 30 * SECOND,
  /** Milliseconds that a message is left to the process that took it up: longer than sending it may take. */
  mailLease: 1 * MINUTE,
  /** Milliseconds before the second attempt. Each further pause is twice as long, up to `mailRetryPauseMax`. */
  mailRetryPause: 5 * SECOND,
  mailRetryPauseMax: 15 * MINUTE,
  /** Milliseconds that links are kept after they have expired, so that the janitor has no exact time to meet. */
  linkRetention: 1 * DAY,
} as const;
