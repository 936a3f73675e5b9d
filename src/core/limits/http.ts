/** HTTP requests, responses and shutdown. */
import { KIB, MIB, MINUTE, SECOND } from './units.ts';

export const HTTP = {
  /** Bytes of a request body: an order of 100 items has 4 KiB, and a long document fits. */
  bodyBytes: 256 * KIB,
  /**
   * Bytes of a response, and of a message on a stream. A page of 100 long documents fits, with 80 KiB each; a response is in memory
   * for as long as its client takes to read it.
   */
  responseBytes: 8 * KIB * KIB,
  /** Characters of a text that a field gives for no points. A longer one, such as the text of a document, has a price. */
  freeTextLength: 4 * KIB,
  /** Bytes of all request headers together, Node's own default. */
  headerBytes: 16 * KIB,
  /** Characters of one variable of a path. The longest are names of organisations and pictures. */
  pathParameterLength: 200,
  /** Milliseconds in which a client must have sent its headers, so that slow ones do not hold sockets. */
  headersTimeout: 10 * SECOND,
  /** Milliseconds in which a client must have completed the handshake of TLS: three round trips on a slow network. */
  handshakeTimeout: 5 * SECOND,
  /** Milliseconds between two looks whether the files of TLS have changed. */
  tlsFilePoll: 1 * SECOND,
  /** Milliseconds between two looks at whether they have expired: certificates are renewed within days. */
  tlsExpiryCheck: 1 * MINUTE,
  /** Milliseconds in which the whole request must have arrived. */
  requestTimeout: 30 * SECOND,
  /** Milliseconds without a byte in either direction: streams send something more often. */
  silenceTimeout: 60 * SECOND,
  /**
   * Connections that may wait to be accepted, as many as Linux allows by default: the clients of streams come back all at once
   * after a restart, and clients that find the queue full try again a second later.
   */
  backlog: 4096,
  /** Bytes of a form: an address, a password and some choices. */
  formBytes: 16 * KIB,
  /** Sockets that listen on the port: each gives one connection in a turn of the event loop, and a busy one turns ten times a second. */
  acceptors: 64,
  /** Milliseconds from SIGTERM to exit, whatever still runs. */
  shutdownTimeout: 10 * SECOND,
  /** Milliseconds after SIGTERM in which connections close after their next response, before idle ones are closed. */
  drainTime: 1 * SECOND,
  /**
   * Milliseconds that a server which closes waits for a client to send the rest of a request, or to take a response. With the
   * time above and what webhooks under way may take, it is within `shutdownTimeout`.
   */
  closingPatience: 2 * SECOND,
  /** Milliseconds that a worker may take to report its metrics: one that is too busy is left out. */
  workerPatience: 1 * SECOND,
  /** Bytes from which a response is compressed for a client that asks: less fits in one packet as it is. */
  compressedFrom: 1024,
  /** Bytes up to which it is: as many as a response may have. */
  compressedUpTo: 8 * MIB,
  /** Responses that are compressed at once, half of Node's threads: passwords and files need the others. */
  compressionsAtOnce: 2,
  /** Bytes of compressed pages, files and descriptions that are kept: all of them have half as many. */
  compressedCacheBytes: 4 * MIB,
  /** Error details in one response, which must not grow with the request. */
  errorDetails: 100,
  /** Characters of the path that says where something is wrong in a body. Names in a body may be as long as the body. */
  errorPathLength: 200,
  /** Characters of what GraphQL says is wrong. It quotes values, which may be as long as a body, and each once for each mistake. */
  errorMessageLength: 500,
  /** Milliseconds that a collector of traces may take: no more than a stop has left after its requests were answered. */
  traceTimeout: 3 * SECOND,
} as const;
