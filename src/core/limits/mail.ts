/** Mail, and the links in it. */
import { DAY, HOUR, MINUTE, SECOND } from './units.ts';

export const MAIL = {
  /** Milliseconds that a password reset link is valid: enough to read the mail, even when it arrives late. */
  passwordResetLifetime: 1 * HOUR,
  /** Milliseconds that an invitation is valid: a week of holidays. */
  invitationLifetime: 7 * DAY,
  /** Milliseconds between two polls for mail to send. A request notifies its own process at once, so only other processes wait. */
  mailPoll: 2 * SECOND,
  /** Milliseconds from the request for a message to its first attempt. The response to the request is sent in between. */
  mailWakePause: 50,
  /** Messages that one process sends at once. Mail servers accept about ten connections per client. */
  mailBatch: 5,
  /** Milliseconds for sending one message, from the connection to the mail server's last response. */
  mailTimeout: 30 * SECOND,
  /** Milliseconds of a process's lease on a message: longer than sending it may take. */
  mailLease: 1 * MINUTE,
  /** Milliseconds before the second attempt. Each further pause is twice as long, up to `mailRetryPauseMax`. */
  mailRetryPause: 5 * SECOND,
  mailRetryPauseMax: 15 * MINUTE,
  /** Milliseconds that links are kept after they have expired, so that the janitor's timing is not critical. */
  linkRetention: 1 * DAY,
} as const;
