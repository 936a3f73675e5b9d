/** HTTP requests, responses and shutdown. */
import { KIB, MIB, MINUTE, SECOND } from './units.ts';

export const HTTP = {
  /** Maximum characters of a text field that costs no points. A field with longer texts, such as a document's body, has a price. */
  freeTextLength: 4 * KIB,
  /** Maximum bytes of all request headers together, Node's own default. */
  headerBytes: 16 * KIB,
  /** Maximum characters of one path parameter. The longest are names of organisations and pictures. */
  pathParameterLength: 200,
  /** Milliseconds in which a client must complete the TLS handshake: three round trips on a slow network. */
  handshakeTimeout: 5 * SECOND,
  /** Milliseconds between two checks whether the TLS files have changed. */
  tlsFilePoll: 1 * SECOND,
  /** Milliseconds between two checks whether their contents have expired: certificates are renewed within days. */
  tlsExpiryCheck: 1 * MINUTE,
  /** Milliseconds without a byte in either direction before a connection is closed. Streams send something more often. */
  silenceTimeout: 60 * SECOND,
  /**
   * Connections that may wait to be accepted, as many as Linux allows by default: after a restart all stream clients reconnect at
   * once, and clients that find the queue full retry a second later.
   */
  backlog: 4096,
  /** Maximum bytes of a form: an address, a password and some choices. */
  formBytes: 16 * KIB,
  /** Sockets listening on the port: each accepts one connection per turn of the event loop, ten a second when it is busy. */
  acceptors: 64,
  /** Maximum milliseconds from SIGTERM to exit, whatever still runs. */
  shutdownTimeout: 10 * SECOND,
  /** Milliseconds after SIGTERM during which connections close after their next response; then idle ones are closed. */
  drainTime: 1 * SECOND,
  /**
   * Milliseconds that a closing server waits for a client to send the rest of a request or to read a response. Together with
   * `drainTime` and `stopPatience` it stays below `shutdownTimeout`.
   */
  closingPatience: 2 * SECOND,
  /** Milliseconds that a closing server waits for other servers to respond to webhooks and mail: most do within two. */
  stopPatience: 5 * SECOND,
  /** Milliseconds that a worker has to report its metrics. A worker that is too busy is left out. */
  workerPatience: 1 * SECOND,
  /** Minimum bytes of a response that is compressed for clients that accept it: less fits in one packet uncompressed. */
  compressedFrom: 1024,
  /** Maximum bytes of a response that is compressed, which takes memory and time: by default the maximum size of any response. */
  compressedUpTo: 8 * MIB,
  /** Responses compressed at once, using half of Node's threads: passwords and files need the others. */
  compressionsAtOnce: 2,
  /** Bytes of compressed pages, files and descriptions that are cached. All of them together take half of that. */
  compressedCacheBytes: 4 * MIB,
  /** Maximum error details in one response, which must not grow with the request. */
  errorDetails: 100,
  /** Maximum characters of the path of an error in a body. Names in a body may be as long as the body. */
  errorPathLength: 200,
  /** Maximum characters of a GraphQL error message. Each quotes values, which may be as long as the body. */
  errorMessageLength: 500,
  /** Milliseconds for a request to the trace collector: no more than a shutdown has left after the last response. */
  traceTimeout: 3 * SECOND,
} as const;
