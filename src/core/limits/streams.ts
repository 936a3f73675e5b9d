/** The log, its readers, and what stays open. */
import { KIB, SECOND } from './units.ts';

export const STREAMS = {
  /** Events that a log reader reads at once and holds in memory. */
  logBatch: 100,
  /** Milliseconds between two polls of a log without a wake: the maximum delay after a lost wake. */
  logPollInterval: 2 * SECOND,
  /** Milliseconds for which visibility is cached while a batch of events is delivered. */
  rightsAge: 100,
  /** Milliseconds between two looks for streams whose token has ended. Nothing is sent on them in between either. */
  tokenSweepInterval: 1 * SECOND,
  /** Milliseconds between heartbeats. Proxies close silent connections after 30 s or more. */
  streamHeartbeat: 15 * SECOND,
  /** Milliseconds after which a client reconnects a lost stream. */
  streamRetry: 1 * SECOND,
  /** Bytes buffered for a client that does not read, before it is disconnected: some seconds of a busy log. */
  streamBacklogBytes: 1024 * KIB,
  /** Messages that wait for such a client, however small. */
  streamBacklogMessages: 2000,
  /** Bytes buffered for a client that is catching up: the log is read at its speed. */
  streamCatchUpBytes: 64 * KIB,
  /** Milliseconds that a client may take nothing at all while it is catching up. */
  streamPatience: 30 * SECOND,
  /** Milliseconds between two looks whether a stream that waits for points has ended meanwhile. */
  streamPointsPoll: 1 * SECOND,
  /** Milliseconds that a WebSocket without credentials may be open without an operation: it can only sign in, and follow nothing. */
  anonymousSocketTimeout: 60 * SECOND,
  /** Subscriptions on one WebSocket, or on one stream of several operations: a screen full of them, not a flood. */
  subscriptionsPerSocket: 50,
  /** Bytes of one frame from a client: a document of the greatest size with its variables. */
  socketFrameBytes: 64 * KIB,
  /** Milliseconds in which a WebSocket must have said who it is. */
  connectionInitTimeout: 3 * SECOND,
  /** Milliseconds in which a stream that was reserved must be opened: the client has its token already. */
  streamReservationTimeout: 10 * SECOND,
  /** Milliseconds for a WebSocket to confirm its close, before it is cut. */
  socketCloseTimeout: 2 * SECOND,
  /** The greatest number of unread events that is reported, meaning as many or more. Shown as "99+". */
  unreadMost: 100,
  /** Unread events that are looked at to count those which the reader may see, the newest first. */
  unreadLookedAt: 1000,
} as const;
