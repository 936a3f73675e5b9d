/** Every fixed limit, with its unit and reason: no other code has a number that a client could run into. `src/config.ts` has settings. */
import { availableParallelism } from 'node:os';

/** Bytes. */
export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const LIMITS = {
  // HTTP requests, responses and shutdown.

  /** Maximum characters of a text field that costs no points. A field with longer texts, such as a document's body, has a price. */
  freeTextLength: 4 * KIB,
  /** Maximum bytes of all request headers together, Node's own default. */
  headerBytes: 16 * KIB,
  /** Maximum characters of one path parameter. The longest are names of organisations and pictures. */
  pathParameterLength: 200,
  /** Milliseconds in which a client must complete the TLS handshake: three round trips on a slow network. */
  handshakeTimeout: 5 * SECOND,
  /** Milliseconds over which connections with client certificates close after a change of the TLS files: not all reconnect at once. */
  outdatedConnection: 5 * SECOND,
  /** Milliseconds between two checks whether the TLS files have changed. */
  tlsFilePoll: 1 * SECOND,
  /** Milliseconds between two checks whether their contents have expired: certificates are renewed within days. */
  tlsExpiryCheck: 1 * MINUTE,
  /** Milliseconds without a byte in either direction before a connection is closed. Streams send something more often. */
  silenceTimeout: 60 * SECOND,
  /** Maximum bytes of responses that clients have not read, in one process: 16 of the maximum size, and as many as for streams. */
  unreadResponseBytes: 128 * MIB,
  /** Bytes from which a response counts. The system takes smaller ones at once. */
  unreadFrom: 64 * KIB,
  /** Milliseconds for which the server still reads from a client whose request is invalid, which may be sending the rest of it. */
  lingerTime: 2 * SECOND,
  /** Connections that may wait to be accepted, Linux's default maximum: after a restart all stream clients reconnect at once. */
  backlog: 4096,
  /** Maximum requests that wait behind the current one of their connection. Few clients pipeline, and send a handful; each takes 3 KB. */
  waitingRequests: 15,
  /** The share of the files that a process may open which is kept for other files than connections of clients. */
  descriptorReserve: 0.25,
  /** The share of these files for sockets that listen. */
  listeningShare: 0.125,
  /** Files that a process needs for itself: 30 of Node, the database and the log, and connections to PostgreSQL and Redis. */
  ownDescriptors: 48,
  /** The pause between two renderings of `/metrics`, in multiples of the time that the last one took, up to `metricsPause`. */
  metricsRestFactor: 4,
  /** Maximum milliseconds of this pause, which a request may have to wait: scrapes time out after ten seconds. */
  metricsPause: 1 * SECOND,
  /** Maximum bytes of a form: an address, a password and some choices. */
  formBytes: 16 * KIB,
  /** Maximum bytes of a URL that a form is redirected to: the browser sends it among its headers, of which most proxies accept 8 KiB. */
  redirectedBytes: 6 * KIB,
  /** Maximum sockets listening on the port: each accepts one connection per turn of the event loop, ten a second when it is busy. */
  acceptors: 64,
  /** Maximum milliseconds from SIGTERM, or the end of SHUTDOWN_DELAY, to exit, whatever still runs. */
  shutdownTimeout: 10 * SECOND,
  /** Milliseconds after SIGTERM during which connections close after their next response; then idle ones are closed. */
  drainTime: 1 * SECOND,
  /** Maximum milliseconds to accept the connections that wait for it while the port closes: a few turns, which are long on a busy machine. */
  emptyingTime: 1500,
  /** Milliseconds that a closing server waits for a slow client. With `drainTime`, `emptyingTime` and `stopPatience` it stays below `shutdownTimeout`. */
  closingPatience: 2 * SECOND,
  /** Milliseconds that a closing server waits for other servers to respond to webhooks and mail: most do within two. */
  stopPatience: 5 * SECOND,
  /** Milliseconds that a readiness probe waits for the database and Redis: less than the timeouts of the probes in `deploy/` and the image. */
  probeTime: 2 * SECOND,
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

  // Scheduling of operations.

  /** Milliseconds of a turn of the event loop in which operations start: a few usual ones. Sockets are read in between. */
  turnTime: 4,
  /** Maximum milliseconds of a turn, which lasts as long as reading the sockets took: a machine that was paused must not serve for as long. */
  longestTurn: 500,
  /** Maximum operations waiting to start, each with its request in memory: several for each of a few hundred connections. */
  waitingOperations: 2000,
  /** Operations that may wait, however long, without any being shed: those of a few people on a slow machine. */
  calmQueue: 32,
  /** Minimum points of an expensive query. A page of 20 orders with items costs 122: in a slot, reading it would take a fifth longer. */
  expensiveCost: 130,
  /** Expensive queries that run at once in one process: on its one thread more would not finish sooner, and each holds its rows in memory. */
  expensiveQueries: 2,
  /** The share of a process's connections to PostgreSQL that expensive queries use. */
  expensiveShare: 0.2,
  /** Maximum expensive queries that wait for a slot, at about 20 ms each. */
  waitingExpensiveQueries: 64,
  /** Points assumed for an operation whose document has not been read yet: reading takes as long as a few objects. */
  unreadDocumentCost: 10,
  /** Minimum milliseconds between two warnings that operations were shed. */
  shedWarningInterval: 1 * SECOND,

  // The database and Redis: waiting, connections, and how many rows a read examines.

  /** Rows that a command of an operator reads or shows at once. */
  commandPage: 100,
  /** Callers that may wait for a connection to PostgreSQL, or for SQLite's writer: each holds its request in memory. */
  waitingForDatabase: 2000,
  /** Statements of a caller that share a connection to PostgreSQL, one after the other. Each takes 0.1 ms, and more would save little. */
  readsTogether: 4,
  /** Maximum milliseconds of one database statement. */
  statementTimeout: 10 * SECOND,
  /** Maximum milliseconds of the transaction that imports `importedProducts`, on a busy machine. Other writers wait for it. */
  importTransaction: 120 * SECOND,
  /** Milliseconds that a caller waits for a connection to PostgreSQL: half of `statementTimeout`, to leave time for its work. */
  acquireTimeout: 5 * SECOND,
  /** Milliseconds after the last refused change until one that succeeds means that all do: on a full disk, some need no more space. */
  changeRefusal: MINUTE,
  /** Milliseconds until further connections are opened after PostgreSQL had none left. Each attempt costs it a process. */
  fullServerPause: 5 * SECOND,
  /** Milliseconds that a writer waits for another process to release SQLite's file lock, the same as for a connection. */
  busyTimeout: 5 * SECOND,
  /** Maximum transactions that SQLite commits together, which bounds how long the first of them waits for the last. */
  groupCommit: 128,
  /** Milliseconds after which such a group commits, so that a transaction waits only briefly for the next group. */
  groupCommitTime: 50,
  /** Milliseconds to wait for an unresponsive database server before startup fails. */
  connectTimeout: 5 * SECOND,
  /** Milliseconds that statements of an operation on SQLite may block the event loop before further ones wait for its next turn. */
  readTurn: 3,
  /** Milliseconds between two checks of the replicas' positions. */
  replicaPoll: 500,
  /** Maximum lag of a replica in milliseconds. Within it, a replica serves callers who have written nothing meanwhile. */
  replicaLag: 10 * SECOND,
  /** Milliseconds that a read waits for a replica to have its caller's last change before it uses the primary. */
  replicaPatience: 50,
  /** Milliseconds that a change waits for all replicas to have it when Redis could not record it: many times their usual lag. */
  replicaCatchUp: 1 * SECOND,
  /** Callers whose last change an instance remembers. Redis has the changes that an instance has forgotten. */
  rememberedWriters: 10_000,
  /** Milliseconds that a command may wait for Redis, which usually takes one millisecond. Callers can do without the result. */
  redisTimeout: 500,
  /** Milliseconds that startup waits for Redis: one `redisTimeout` to connect and one for its first response. */
  redisFirstAttempt: 1000,
  /** Milliseconds for which Redis counts as unusable after it has refused a command, and the least between two reports of that. */
  redisRefusal: MINUTE,
  /** Maximum milliseconds between two attempts to reconnect to Redis. Each instance keeps trying. */
  redisRetryPause: 2 * SECOND,
  /** Maximum rows that a page by cursor examines where rights hide some: 1 ms on SQLite. The page ends there, and its cursor continues. */
  rowsLookedAt: 250,
  /** Maximum orders that a page of an organisation's list examines, within an index, where filters hide some: 2 ms on either engine. */
  ordersLookedAt: 5000,
  /** Rows that a page examines and omits, per point: up to 4 us each. Otherwise an empty page could cost as much time as one of 100 rows. */
  rowsSkippedPerPoint: 5,
  /** The same for orders of an organisation's list, which take 0.4 microseconds each. */
  ordersSkippedPerPoint: 50,
  /** Maximum documents of an author that a nested list examines: for 100 rows, one statement scans 10,000 index entries in 7 ms on SQLite. */
  rowsLookedAtPerParent: 100,
  /** Document bodies that one statement reads: about 2 ms on SQLite if each has the maximum length. */
  bodiesReadAtOnce: 20,

  // GraphQL documents and operations.

  /** Maximum characters of a GraphQL document. Long values belong in variables; 5,000 tokens with white space take 50 KiB. */
  documentLength: 64 * KIB,
  /** Maximum nesting of braces, brackets and parentheses: more than operations need, and far below what the parser's recursion can handle. */
  documentNesting: 40,
  /** Maximum fragments of a document. Validation compares each with each. */
  documentFragments: 100,
  /** Maximum operations of a document: the time of validation grows with operations times fragments. A file of a few related ones fits. */
  documentOperations: 10,
  /** Maximum variables of an operation, more than any form has. */
  operationVariables: 100,
  /** Maximum directives of a document: one `@include` for each field of a large screen. */
  documentDirectives: 100,
  /** Maximum fields of an operation, fragments counted at each use. */
  operationFields: 1000,
  /** Maximum fields with the same response path. Validation compares each of them with each, and execution merges them. */
  fieldsInOnePlace: 30,
  /** Maximum levels of lists and objects in a value of any JSON: a set of keys has 4. */
  jsonDepth: 32,
  /** Levels of introspection within which `ofType`, which unwraps one type at a time, is not counted: as in the common query. */
  introspectionDepth: 16,
  /** Maximum errors reported for one document: enough to fix it, and little work for a document that consists of errors. */
  documentErrors: 20,
  /** GraphQL documents kept in memory, parsed and validated, least recently used first out. */
  documentCache: 1000,
  /** Maximum tokens of all cached documents, each about 500 bytes. Their texts count as well, by the memory that they take. */
  documentCacheTokens: 100_000,

  // Prices in points, and the budgets that pay for them.

  /** Points that a field of `Mutation` costs in addition to its objects: a write is worth a few reads. */
  mutationWeight: 10,
  /** Points that reading the whole schema costs, whatever is selected of it: it takes milliseconds, like a page of 100 orders. */
  schemaWeight: 100,
  /** Points that reading one type of the schema costs. */
  typeWeight: 10,
  /** Objects that a list without `@listSize` is priced at, and each list that contains a list. */
  unknownListLength: 100,
  /** The share of a budget that each instance grants on its own while Redis, which normally shares it, does not respond. */
  budgetShareAlone: 0.5,
  /** The share of its caller's budget that an export leaves for other requests: below it, the export waits for points. */
  exportReserve: 0.25,
  /** Callers whose budgets are kept in memory. If more callers come within seconds, some get a full budget again. */
  budgets: 100_000,
  /** Milliseconds before a caller without points is refused: 16 connections that retry at once then send 320 requests a second, not 2,500. */
  refusalDelay: 50,
  /** Points charged for a refused operation whose document was valid. */
  refusalCost: 1,
  /** Points charged for a refused document in addition to reading it, which discourages sending another one. */
  refusedDocumentCost: 10,
  /** Characters of a document that are read per point, in 0.5 to 1.7 us each; an operation runs for 10 to 30 us per point. */
  documentCharactersPerPoint: 20,
  /** Fields whose compilation is included in the reading cost: a few milliseconds. */
  fieldsCompiledFree: 100,
  /** Points for compiling each field of a larger operation, which takes up to 80 microseconds. */
  compiledFieldCost: 2,
  /** Characters of a body that are read per point, in up to 75 us; the price of the operation includes the first ones. */
  bodyCharactersPerPoint: KIB,

  /** Messages of a WebSocket, pings included, per point, in addition to their length: each takes 5 to 10 us. */
  socketMessagesPerPoint: 4,
  /** Bytes of a response per point, beginning with one, if no caller has paid for its request: pages, files and early refusals. */
  responseBytesPerPoint: 16 * KIB,

  /** Bytes of the server's own log that wait in memory while standard output cannot be written: some ten seconds of a busy server. */
  waitingLog: 16 * MIB,
  /** Milliseconds that the exit of the server waits for a slow reader of its log. */
  lastLog: 1 * SECOND,

  // The log, its readers, and long-lived connections.

  /** Events that a log reader reads at once and holds in memory. */
  logBatch: 100,
  /** Milliseconds for which messages of events that follow each other are kept to be written at once: not noticed by people. */
  burst: 50,
  /** Bytes of such messages to one client, beyond which they are written: a write of a long message costs little of it. */
  corkedBytes: 16 * KIB,
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
  /** Bytes buffered for a client, beyond which it gets events only as fast as it reads: a few seconds of a busy log. */
  streamBacklogBytes: 1024 * KIB,
  /** Maximum messages buffered for such a client, however small. */
  streamBacklogMessages: 2000,
  /** Bytes buffered for all clients of a process, beyond which those with more than `streamCatchUpBytes` get events only as they read. */
  streamBacklogsBytes: 128 * MIB,
  /** Milliseconds between two measurements of these bytes while they are too many. */
  backlogsAge: 100,
  /** Bytes buffered for a client that is catching up: the log is read at its speed. */
  streamCatchUpBytes: 64 * KIB,
  /** Milliseconds that a client may read nothing while events wait for it. Phones change networks in less. */
  streamPatience: 10 * SECOND,
  /** Past events that are passed to streams at once in one process. After each, the event loop runs, so that others do not notice. */
  catchUps: 4,
  /** Streams that are passed past events together, at 20 to 26 us per message instead of 107. A pass takes a few milliseconds. */
  catchUpTogether: 250,
  /** Past events that a stream reads for one point: reading one takes a tenth of the processor time of the smallest query. */
  eventsReadPerPoint: 10,
  /** Event types that are looked up in the index one by one. For more, the whole log is read. */
  typesLookedUp: 10,
  /** Milliseconds between two checks whether a stream that waits for points has ended meanwhile. */
  streamPointsPoll: 1 * SECOND,
  /** Milliseconds that a WebSocket without credentials may be idle: it can sign in, but not subscribe. */
  anonymousSocketTimeout: 60 * SECOND,
  /** Milliseconds in which a reserved stream must be opened: the client has its token already. */
  streamReservationTimeout: 10 * SECOND,
  /** Maximum fragments of a message on a WebSocket, which can be empty: clients split long messages every few KiB. */
  socketMessageFragments: 64,
  /** Milliseconds that a client may read nothing of the end of a stream before the connection is cut. */
  socketCloseTimeout: 2 * SECOND,
  /** Milliseconds in which a WebSocket client must confirm a close, however steadily it reads what was sent before. */
  socketCloseLimit: 60 * SECOND,
  /** The maximum number of unread events that is reported; it means this many or more. Shown as "99+". */
  unreadMost: 100,
  /** Unread events that are examined, newest first, to count those which the reader may see. */
  unreadLookedAt: 1000,

  // Exports: whole lists, streamed from one snapshot of the database.

  /** Exports that run at once in one process. Each holds a snapshot, and on PostgreSQL a connection outside of `DATABASE_POOL`. */
  exportsAtOnce: 4,
  /** Exports that one organisation may run at once, so that one organisation cannot occupy all slots. */
  exportsPerOrganisation: 2,
  /** Seconds after which a client that was refused may try again: a usual export is finished by then. */
  exportRetryAfter: 10,
  /** Maximum milliseconds of an export: a million rows take 17 minutes, in which SQLite's log grows and PostgreSQL cannot vacuum. */
  exportTime: 20 * MINUTE,
  /** Milliseconds in which a client must read a page of an export before the connection is cut. Must be below `silenceTimeout`. */
  exportPatience: 30 * SECOND,
  /** Milliseconds that PostgreSQL keeps an idle snapshot: longer than a client may pause. */
  snapshotIdleTimeout: 60 * SECOND,
  /** Rows that an export reads at once: they block the event loop for about 0.5 ms, like other small requests. */
  exportPage: 25,
  /** Milliseconds that an export pauses after each page, times the running exports: without it, garbage collections raise others' p99. */
  exportRest: 2,

  // Pages, orders, documents and apps.

  /** Rows per page when the client gives no size, as the schema says. A lower maximum of a page applies to it as well. */
  pageDefault: 20,
  /** Maximum rows that a page by number may skip, in an index at 0.1 us each on SQLite and 0.2 us on PostgreSQL; then `page_too_deep`. */
  pageDepth: 10_000,
  /** Maximum items of one order, so that an order and all its items fit one page. */
  orderItems: 100,
  /** Maximum quantity of one item. With `orderItems` and `unitPrice`, a total stays within 15 digits. */
  itemQuantity: 10_000,
  /** Maximum minor units of a unit price. Totals have up to 15 digits, which a JSON number represents exactly everywhere. */
  unitPrice: 999_999_999,
  /** Maximum lines of an imported file of products: one transaction of about 2 s, during which other writers wait on SQLite. */
  importedProducts: 100_000,
  /** Rows per statement of an import: few enough for SQLite's 32,766 parameters, many enough to save round trips. */
  importChunk: 500,
  /** Maximum bytes of such a file, which is read into memory. */
  importedBytes: 32 * 1024 * 1024,
  /** Maximum characters of a document's title: a line. Like every `@constraint` it counts code points (`core/characters.ts`). */
  documentTitleLength: 200,
  /** Maximum characters of a document's body, about 40 pages. With several bytes per character, `BODY_LIMIT` is reached first. */
  documentBodyLength: 100_000,
  /** Maximum apps of one organisation: many times what a company with an app for each of its products needs. */
  apps: 100,
  /** Maximum apps installed in one organisation, including its own: each is a member. */
  installations: 200,
  /** Maximum redirect URIs of an app: one for each of its stages and regions. */
  redirectUris: 20,
  /** Maximum characters of a redirect URI. */
  redirectUriLength: 500,
  /** Secrets of an app that are valid at the same time: the one in use and its replacement. */
  appSecrets: 2,
  /** Maximum public keys that verify an app's assertions: two during a rotation, on a few machines. */
  appKeys: 10,
  /** Maximum characters of all these keys together as JSON: ten RSA keys of 4096 bits. */
  appKeysLength: 10_000,
  /** Maximum grants of one person to apps, so that they fit a few pages. */
  grantsPerPerson: 500,
  /** Maximum people a document is shared with, so that they fit one page. For more people there is `internal`. */
  documentShares: 100,

  // Charges, the payment gateway, and idempotency keys.

  /** Maximum minor units of one charge: nine digits, which fit GraphQL's Int. Gateways have lower limits of their own. */
  chargeAmount: 999_999_999,
  /** Maximum charges of an order that are summed to check whether it is paid, largest first. Few orders are paid in two parts. */
  chargesAddedUp: 100,
  /** Milliseconds in which the payment gateway must respond: above a slow bank. */
  gatewayTimeout: 8 * SECOND,
  /** The maximum part of an operation's deadline for waiting for the gateway, so that the deadline holds for charges as well. */
  gatewayPart: 0.8,
  /** Milliseconds for one request to Stripe: a first attempt ends before the client gets 503, with the default deadline. */
  stripeTimeout: 7 * SECOND,
  /** Milliseconds until the gateway is asked for the outcome of an open charge: its request has ended by then, and its lease expired. */
  reconcileAfter: 30 * SECOND,
  /** Maximum milliseconds between two checks of one charge. The pauses double. */
  reconcilePause: 60 * MINUTE,
  /** Milliseconds between two polls for open charges, which read one small index. */
  reconcileInterval: 5 * SECOND,
  /** Charges that are read in one poll. */
  reconcileBatch: 100,
  /** Concurrent queries to the gateway, in one process: a backlog after an outage must not cause the next outage. */
  reconcileConcurrency: 8,
  /** Maximum characters of an idempotency key: what Stripe accepts, and four times a UUID with a prefix. */
  idempotencyKeyLength: 255,
  /** Milliseconds of a request's lease on its idempotency key: longer than the gateway takes, and short for clients of a server that died. */
  idempotencyLease: 20 * SECOND,
  /** Milliseconds that the outcome of a request is kept under its key: a day, like Stripe. */
  idempotencyLifetime: 1 * DAY,
  /** Milliseconds that a key without an outcome is kept after its last attempt: within a month, the provider's records were checked. */
  unfinishedRecordLifetime: 30 * DAY,
  /** Milliseconds that the id of a payment event is kept. Providers stop resending it after a few days. */
  paymentEventLifetime: 7 * DAY,
  /** Rows deleted in one transaction: even on a slow disk it takes only milliseconds. */
  purgeBatch: 200,
  /** Minimum milliseconds between two such transactions, so that others can run. */
  purgePause: 10,
  /** The janitor's pause in multiples of its work: it takes at most a fifth of the writer's time. */
  purgeRestFactor: 4,
  /** Milliseconds between two runs of the janitor, as long as the shortest records of the authorization server last. */
  purgeInterval: 1 * MINUTE,

  // Webhooks and their receivers.

  /** Maximum webhooks of one organisation: each costs a delivery for every event that it subscribes to. */
  webhooks: 20,
  /** Maximum characters of a webhook's URL, as many as common servers accept. */
  webhookUrlLength: 2000,
  /** Maximum types and patterns of one webhook; with patterns such as `order.*` a few are enough. */
  webhookTypes: 50,
  /** Milliseconds for a delivery attempt, from name resolution to the response (Standard Webhooks: 15 to 30 s). */
  webhookTimeout: 15 * SECOND,
  /** Maximum bytes read of a receiver's response. Only people read the body. */
  webhookAnswerBytes: 64 * KIB,
  /** Maximum interim responses (1xx) before a receiver's response. They have no body, so nothing else limits them; usually there is none. */
  webhookInterimResponses: 10,
  /** Bytes of a response that are stored with its attempt: the first lines of an error message. */
  webhookAnswerKept: 1 * KIB,
  /** Milliseconds until an attempt without an outcome is taken over: well above `webhookTimeout`, for slow databases and clock skew. */
  webhookLease: 60 * SECOND,
  /** Maximum times that one attempt is claimed: a message that crashes the process must not do so forever. */
  webhookClaims: 3,
  /** Concurrent attempts for one webhook, in one process: a slow receiver delays only itself. */
  webhookConcurrency: 4,
  /** Concurrent attempts in one process that are not slow yet: each is a socket and up to 64 KiB of response. */
  webhooksConcurrency: 256,
  /** Concurrent attempts in one process, slow ones included: at most 64 MiB of responses, and as many sockets. */
  webhooksTotal: 1024,
  /** Milliseconds after which an attempt is slow and gives its slot to another one: most receivers respond within one second. */
  webhookPrompt: 3 * SECOND,
  /** Concurrent attempts in one process for receivers whose last attempt was slow, so that silent receivers cannot keep all slots busy. */
  webhooksSlow: 128,
  /** Slow receivers that an instance remembers. */
  rememberedSlowWebhooks: 10_000,
  /** Events that are turned into deliveries in one transaction. */
  webhookBatch: 100,
  /** Milliseconds between two polls for due attempts. An instance sends its own events at once. */
  webhookPoll: 1 * SECOND,
  /** Milliseconds during which notifications of the dispatcher are merged. */
  webhookWakePause: 10,
  /** The dispatcher's pause in multiples of its last search, which takes 10 to 40 ms with 10,000 webhooks: at most a fifth of the time. */
  webhookRestFactor: 4,
  /** Milliseconds that a webhook's former secret continues to sign after it was replaced: a day to update receivers. */
  webhookSecretOverlap: 1 * DAY,
  /** Minimum milliseconds between two writes of a webhook's last success: a busy webhook must not cost a write per message. */
  webhookGoodInterval: 1 * MINUTE,
  /** Maximum attempts of one delivery, redeliveries included: one response lists all of them. */
  webhookAttempts: 50,
  /** Milliseconds that a delivery can be read. */
  webhookDeliveryRetention: 30 * DAY,
  /** Milliseconds between two checks for expired deliveries. */
  webhookPurgeInterval: 1 * MINUTE,
  /** Deliveries that are deleted in one transaction, during which others wait on SQLite. */
  webhookPurgeBatch: 200,
  /** Milliseconds to wait for a name server, which is tried twice. */
  nameTimeout: 2 * SECOND,

  // Passwords, tokens, keys and sessions.

  /** Lifetime of an access token in milliseconds. Short, since what revokes tokens is remembered that long (`presenceMemory`). */
  accessTokenLifetime: 15 * MINUTE,
  /** Milliseconds for which clients may cache the public keys: short compared with the hour for which a retired key still verifies. */
  publicKeysAge: 5 * MINUTE,
  /** Milliseconds for which rights are cached: how long a demotion takes to reach every instance. */
  presenceAge: 1 * SECOND,
  /** Milliseconds that a change of rights is remembered: the lifetime of earlier tokens, plus clock skew. */
  presenceMemory: 20 * MINUTE,
  /** Milliseconds by which reads of changes overlap: a transaction may take that long to commit, and clocks may differ. */
  presenceOverlap: 30 * SECOND,
  /** Milliseconds from sign-in to the end of a session, however often it is refreshed: a month, then a password. */
  sessionLifetime: 30 * DAY,
  /** Milliseconds in which a used refresh token returns its unused successor again, for lost responses. Later reuse counts as theft. */
  refreshReplayWindow: 10 * SECOND,
  /**
   * The same for a used device code: a device first waits for its lost response, often for a minute, and then longer than the interval
   * between its polls (RFC 8628, section 3.5).
   */
  deviceReplayWindow: 2 * MINUTE,
  /** Maximum characters of an email address (RFC 5321, section 4.5.3.1.3). */
  emailLength: 254,
  /** Milliseconds that a network is remembered for an account after a sign-in from it: two weeks of holidays. */
  knownNetworkLifetime: 14 * DAY,
  /** Milliseconds that a device token is valid: half a year without a sign-in or a refresh. */
  deviceTokenLifetime: 180 * DAY,
  /** Sign-ins under one limit that may wait while as many are checked as may be wrong: those of a program that starts its workers. */
  waitingSignIns: 20,
  /** Passwords hashed at once, for 25 ms each. One core stays free: with two hashes on two cores, reads took forty times as long. */
  concurrentHashes: Math.max(1, Math.min(2, availableParallelism() - 1)),
  /** Passwords that may wait to be hashed. At about 25 ms each, the last one waits less than two seconds. */
  waitingHashes: 64,
  /** Milliseconds until a wrong password is in the audit log: after the client's next requests, varying by more than the write takes. */
  failedSignInDelay: { least: 1 * SECOND, most: 4 * SECOND },
  /** Verified tokens kept in memory, so that each signature is checked once per token and not once per request. */
  verifiedTokens: 10_000,
  /** Milliseconds for which an app's opaque token is cached. Revoked grants take effect sooner (`presenceAge`). */
  opaqueTokenAge: 5 * SECOND,
  /** Maximum age of a proof of possession (DPoP) in milliseconds, and how far in the future it may be where clocks differ. */
  proofAge: 1 * MINUTE,
  /** Proofs that an instance remembers, so that none is accepted twice: a minute of them at a few hundred per second. */
  proofsRemembered: 20_000,
  /** Maximum characters of a proof's id: a UUID and some slack. */
  proofIdLength: 256,
  /** Maximum milliseconds until an app's assertion expires, for which its id must be remembered: apps sign one for each request. */
  assertionLifetime: 1 * HOUR,
  /** Milliseconds that an authorization code is valid: enough for a redirect and a request. */
  authorizationCodeLifetime: 1 * MINUTE,
  /** Milliseconds that a person has to sign in and to consent. */
  interactionLifetime: 10 * MINUTE,
  /** Milliseconds that a person has to enter a device code. */
  deviceCodeLifetime: 10 * MINUTE,
  /**
   * Milliseconds after their expiry for which device codes are still found, so that the device and the person learn that the code has
   * expired: a device polls every few seconds, and a person needs minutes. Short, since clients that are not signed in store them.
   */
  expiredCodeRetention: 10 * MINUTE,
  /** Milliseconds after which an app's refresh token expires if it is not used: a month. */
  appRefreshTokenLifetime: 30 * DAY,
  /** Milliseconds that a browser stays signed in at the authorization server: two weeks. */
  browserSessionLifetime: 14 * DAY,
  /** Points that a request to the authorization server costs: it reads and writes a few rows, and may sign. */
  oauthRequestCost: 20,
  /** Points of a wrong device code: a network can try one a second, and needs a year to find one of 1,000 (RFC 8628, section 5.1). */
  wrongCodeCost: 1000,
  /** Characters that the authorization server stores per point for clients that need not sign in: 5 MB a minute for one network. */
  oauthCharactersPerPoint: 64,
  /** Maximum characters of the parameters of an OAuth request as they are stored: as long as a URL that proxies accept. */
  oauthRecordLength: 8 * KIB,
  /** Maximum API keys of one organisation that can be used: several for each of its people and services. */
  apiKeys: 1000,
  /** Maximum client certificates of one organisation that can be used, one for each of its machines. */
  clientCertificates: 1000,
  /** Maximum characters of an Authorization header. Our tokens have about 600; the rest is slack for many scopes. */
  authorizationLength: 4096,
  /** Maximum names of a client certificate, all of which are looked up: a service has a few. */
  certificateNames: 50,
  /** Client certificates forwarded by a proxy that are cached in parsed form. */
  forwardedCertificates: 1000,
  /** Minimum milliseconds between two writes of a key's last use: a busy key must not cost a write per request. */
  keyUseInterval: 1 * MINUTE,
  /** Milliseconds by which the timestamp of a signed message may differ from our clock, as Standard Webhooks allows: later replays fail. */
  signatureTolerance: 5 * MINUTE,
  /** Maximum characters of a password, since each one costs time to hash. */
  passwordLength: 256,
  /** Minimum characters of a new password (NIST SP 800-63B, section 3.1.1.2). */
  shortestPassword: 8,
  /** The number of most common passwords that are refused: guessing one per second finds these within three hours. */
  refusedPasswords: 10_000,
  /** Minimum characters of an address or part of a name that a new password must not contain; shorter ones are allowed. */
  passwordOwnerWord: 4,

  // Mail, and the links in it.

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

  // The audit log.

  /** Maximum characters of a client's IP address: the longest form of IPv6, with a zone. Proxies could report anything. */
  clientAddressLength: 64,
  /** Milliseconds in which wrong passwords for one account are counted together. */
  auditPeriod: 1 * HOUR,
  /** Maximum entries for wrong passwords of an account in that time: one for each of the first addresses, and one for all others. */
  auditLikenesses: 10,

  // Full-text search.

  /** Maximum characters of a search: a sentence. `schema/` has the same limit. */
  searchLength: 200,
  /** Maximum distinct words of a search. Each is looked up, and most people type three. */
  searchWords: 16,
  /** Characters of a word that are significant. Longer words are keys and addresses, which hardly differ after that. */
  searchWordLength: 64,
  /** Minimum characters of a search's last word that also matches as a prefix: shorter prefixes match too many words. */
  searchPrefix: 3,
  /** Matches that PostgreSQL collects and sorts at once. With more, it reads one range of ids at a time: 500 take about 5 ms. */
  searchMatches: 500,

  // Usage statistics.

  /** Milliseconds between two writes of the counts: a killed process loses the counts of this time. */
  usageInterval: 5 * SECOND,
  /** Operation names of one organisation that are counted separately per day: each is a row, and clients choose them. */
  usageOperations: 100,
  /** Maximum characters of such a name. */
  usageNameLength: 100,
  /** Maximum counts that wait to be written, for each of the two kinds. While the database is unavailable, no more are kept. */
  usageWaiting: 20_000,
  /** Rows per statement: few enough for SQLite's 32,766 parameters. Prepared statements are cached by their number of rows. */
  usageBatch: 50,
  /** Milliseconds that a process is remembered after its last batch, so that a repeated batch counts once: longer than any outage. */
  countWriterLifetime: DAY,

  // The door for agents.

  /** Milliseconds for which a client may keep the list of tools. It changes with the caller's role and with a release. */
  toolListAge: 5 * MINUTE,
  /** Values in a message besides a tool's arguments, each of which the library may list as a mistake. Clients send fewer than fifty. */
  agentMessageValues: 200,
  /** Characters of the name of an unknown tool that an error repeats. */
  toolNameLength: 100,
} as const;
