/** The log, its readers, and long-lived connections. */
import { KIB, SECOND } from './units.ts';

export const STREAMS = {
  /** Events that a log reader reads at once and holds in memory. */
  logBatch: 100,
  /** Milliseconds between two polls of a log without a notification: the maximum delay after a lost notification. */
  logPollInterval: 2 * SECOND,
  /** Milliseconds for which visibility is cached while a batch of events is delivered. */
  rightsAge: 100,
  /** Milliseconds between two checks for streams whose token or session has ended. Nothing is sent on such a stream in between either. */
  tokenSweepInterval: 1 * SECOND,
  /** Milliseconds between heartbeats. Proxies close silent connections after 30 s or more. */
  streamHeartbeat: 15 * SECOND,
  /** Milliseconds after which a client reconnects a lost stream. */
  streamRetry: 1 * SECOND,
  /** Bytes buffered for a client that does not read before it is disconnected: a few seconds of a busy log. */
  streamBacklogBytes: 1024 * KIB,
  /** Maximum messages buffered for such a client, however small. */
  streamBacklogMessages: 2000,
  /** Bytes buffered for a client that is catching up: the log is read at its speed. */
  streamCatchUpBytes: 64 * KIB,
  /** Milliseconds that a client may read nothing while it is catching up. */
  streamPatience: 30 * SECOND,
  /** Milliseconds between two checks whether a stream that waits for points has ended meanwhile. */
  streamPointsPoll: 1 * SECOND,
  /** Milliseconds that a WebSocket without credentials may be idle: it can sign in, but not subscribe. */
  anonymousSocketTimeout: 60 * SECOND,
  /** Milliseconds in which a reserved stream must be opened: the client has its token already. */
  streamReservationTimeout: 10 * SECOND,
  /** Milliseconds in which a WebSocket client must confirm a close before the connection is cut. */
  socketCloseTimeout: 2 * SECOND,
  /** The maximum number of unread events that is reported; it means this many or more. Shown as "99+". */
  unreadMost: 100,
  /** Unread events that are examined, newest first, to count those which the reader may see. */
  unreadLookedAt: 1000,
} as const;
