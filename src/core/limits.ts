/**
 * Every bound of the server, with its unit and its reason. Nothing else in the code carries a bare number
 * that a client could run into.
 */

import { availableParallelism } from 'node:os';

const KIB = 1024;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

export const LIMITS = {
  /** Bytes of a request body. An order of 100 items takes 4 KiB, a long document fits; a flood does not. */
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
  /** Milliseconds in which the whole request must have arrived. */
  requestTimeout: 30 * SECOND,
  /** Milliseconds without a byte in either direction: streams send something more often. */
  silenceTimeout: 60 * SECOND,
  /**
   * Milliseconds of one turn of the event loop in which operations start: some of the usual ones, or one of the most expensive.
   * Sockets are read in between, so this is what an operation waits for at least when others are busy.
   */
  turnTime: 2,
  /**
   * Milliseconds of such a turn at most, where reading what came took as long: in a flood of requests, of which most are turned away.
   * With less, reading would leave a small part of the time to serve; a machine that paused is not to serve for as long.
   */
  longestTurn: 500,
  /** Operations that may wait for their turn, each with its request in memory: some for each of a few hundred connections. */
  waitingOperations: 2000,
  /** Operations that wait without anybody being turned away, however long: those of a few people, on a machine that is slow. */
  calmQueue: 32,
  /** Points from which a query is expensive: a page of 20 orders with their items costs less. */
  expensiveCost: 100,
  /**
   * Expensive queries that run at once in one process. They share one thread, so that more of them would end no sooner; each holds
   * what it has read in memory, which the garbage collector copies while everybody waits, and connections to PostgreSQL.
   */
  expensiveQueries: 2,
  /** The share of a process's connections to PostgreSQL that expensive queries use. */
  expensiveShare: 0.2,
  /** Expensive queries that may wait for one of these to end, some 20 ms each. */
  waitingExpensiveQueries: 64,
  /** Points that an operation is taken to cost before its document was read, which takes as long as some objects. */
  unreadDocumentCost: 10,
  /** Milliseconds between two warnings that operations were turned away. */
  shedWarningInterval: 1 * SECOND,
  /** Callers that may wait for a connection to PostgreSQL, or for SQLite's writer: what waits holds its request in memory. */
  waitingForDatabase: 2000,
  /**
   * Connections that may wait to be accepted, as many as Linux allows by default: the clients of streams come back all at once
   * after a restart, and whoever finds the queue full tries again a second later.
   */
  backlog: 4096,
  /** Sockets that listen on the port: each gives one connection in a turn of the event loop, and a busy one turns ten times a second. */
  acceptors: 64,
  /** Milliseconds between accepting SIGTERM and leaving, whatever still runs. */
  shutdownTimeout: 10 * SECOND,
  /** Milliseconds after SIGTERM in which connections are let go one answer at a time, before idle ones are closed. */
  drainTime: 1 * SECOND,
  /**
   * Milliseconds that a server which closes waits for a client to send the rest of a request, or to take an answer. With the
   * time above and what webhooks under way may take, it is within `shutdownTimeout`.
   */
  closingPatience: 2 * SECOND,
  /** Milliseconds one database statement may take, whoever asked for it. */
  statementTimeout: 10 * SECOND,
  /** Milliseconds that a caller waits for a connection to PostgreSQL: half of the above, to leave time for its work. */
  acquireTimeout: 5 * SECOND,
  /** Milliseconds that a writer waits for another process to let go of SQLite's file: as for a connection. */
  busyTimeout: 5 * SECOND,
  /** Transactions that SQLite commits together at most, which bounds how long the first of them waits for the last. */
  groupCommit: 128,
  /** Milliseconds after which such a group commits, so that a transaction that waits for the next one does so briefly. */
  groupCommitTime: 50,
  /** Milliseconds to wait for a database server that takes a connection and stays silent, before a start gives up. */
  connectTimeout: 5 * SECOND,
  /** Milliseconds that a command may wait for Redis, which answers in one: who asks can do without the answer. */
  redisTimeout: 500,
  /** Milliseconds that a start waits for Redis: one to connect and one for its first answer. */
  redisFirstAttempt: 1000,
  /** Milliseconds that a collector of traces may take: no more than a stop has left after its requests were answered. */
  traceTimeout: 3 * SECOND,
  /** Milliseconds between two attempts to reach a Redis that is lost, at most. Each instance keeps trying. */
  redisRetryPause: 2 * SECOND,
  /** Characters of a GraphQL document. What is long belongs into variables; 5,000 tokens with white space take 50 KiB. */
  documentLength: 64 * KIB,
  /** Events that a reader of a log takes at once: what it has read waits in memory until it was passed on. */
  logBatch: 100,
  /** Milliseconds between two looks at a log that nobody has announced to have grown. It is how late a lost wake makes readers. */
  logPollInterval: 2 * SECOND,
  /** Milliseconds for which what people may see is taken to be unchanged, while events that were read before are passed on. */
  rightsAge: 100,
  /** Milliseconds between two looks for streams whose token has ended. Nothing is sent on them in between either. */
  tokenSweepInterval: 1 * SECOND,
  /** Milliseconds between signs of life on a stream. Proxies give up on silent connections after 30 s or more. */
  streamHeartbeat: 15 * SECOND,
  /** Milliseconds after which a client that lost its stream is to come back. */
  streamRetry: 1 * SECOND,
  /** Bytes that wait for a client that does not read, before it is told to come back later: some seconds of a busy log. */
  streamBacklogBytes: 1024 * KIB,
  /** Messages that wait for such a client, however small. */
  streamBacklogMessages: 2000,
  /** Bytes that may wait for a client that is catching up: the log is read no faster than it reads. */
  streamCatchUpBytes: 64 * KIB,
  /** Milliseconds that a client may take nothing at all while it is catching up. */
  streamPatience: 30 * SECOND,
  /** Milliseconds between two looks whether a stream that waits for points has ended meanwhile. */
  streamPointsPoll: 1 * SECOND,
  /** Milliseconds that a WebSocket without credentials may be open without an operation: it can only sign in, and follow nothing. */
  anonymousSocketTimeout: 60 * SECOND,
  /** Subscriptions on one WebSocket: a screen full of them, not a flood. */
  subscriptionsPerSocket: 50,
  /** Bytes of one frame from a client: a document of the greatest size with its variables. */
  socketFrameBytes: 64 * KIB,
  /** Milliseconds in which a WebSocket must have said who it is. */
  connectionInitTimeout: 3 * SECOND,
  /** Milliseconds that a WebSocket has to answer that it closes, before it is cut. */
  socketCloseTimeout: 2 * SECOND,
  /** Lexical tokens of a GraphQL document. The longest hand-written operation we know has under 1,000. */
  documentTokens: 5000,
  /** Braces, brackets and parentheses within each other. It is above what the depth admits, with input objects and inline
   * fragments, and far below what the parser's recursion could bear. */
  documentNesting: 40,
  /** Fragments of a document. Validation compares each with each. */
  documentFragments: 100,
  /**
   * Operations of a document. Each is validated with all fragments that it uses, so reading takes time by the product of both; a
   * screen sends one, and a file of a few related ones fits.
   */
  documentOperations: 10,
  /** Variables of an operation, more than any form has. */
  operationVariables: 100,
  /** Directives of a document: one `@include` for each field of a large screen. */
  documentDirectives: 100,
  /** Fields of an operation, fragments counted at each use. */
  operationFields: 1000,
  /** Fields that share one place in the answer. Validation compares each of them with each, and they are merged in the end. */
  fieldsInOnePlace: 30,
  /** Levels of fields of an operation, through fragments, the leaves included. */
  operationDepth: 10,
  /** Levels of introspection with `ofType`, which wraps one type at a time and is not counted above: what the usual query has. */
  introspectionDepth: 16,
  /** Aliases of an operation, fragments counted at each use. */
  operationAliases: 30,
  /** Fields of an operation's root, fragments counted at each use: each is a query of its own. */
  operationRootFields: 20,
  /** Points that a field of `Mutation` costs beside its objects: a write is worth some reads. */
  mutationWeight: 10,
  /** Points that reading the whole schema costs, however much of it is selected: milliseconds, like the page above. */
  schemaWeight: 100,
  /** Points that reading one type of the schema costs. */
  typeWeight: 10,
  /** The share of a budget that each instance gives by itself while Redis, where instances share it, does not answer. */
  budgetShareAlone: 0.5,
  /** Callers whose budgets are kept in memory. When more have spent something within seconds, some have a full one again. */
  budgets: 100_000,
  /**
   * Milliseconds before a caller without points gets its refusal. Clients that retry at once would otherwise keep a core busy:
   * sixteen connections sent 2,500 requests a second without the delay, and cannot send more than 320 with it.
   */
  refusalDelay: 50,
  /** Points that a refusal costs of an operation that was found. */
  refusalCost: 1,
  /** Points that a refused document costs beside its reading: a reason not to send another one. */
  refusedDocumentCost: 10,
  /**
   * Characters of a document that are read for a point. Parsing and validating take 0.5 to 1.7 microseconds for a character, and
   * what an operation does for a point takes 10 to 30.
   */
  documentCharactersPerPoint: 20,
  /** Fields of an operation whose compiling is paid for with its reading: some milliseconds, for a screen of fields. */
  fieldsCompiledFree: 100,
  /** Points for compiling each field of a larger operation, which takes up to 80 microseconds. */
  compiledFieldCost: 2,
  /**
   * Characters of a body that are read for a point; the first ones are part of what is asked for. Reading JSON takes up to 75
   * microseconds for so many.
   */
  bodyCharactersPerPoint: KIB,
  /** Mistakes named of one document: enough to go on, and hardly work for a document that has nothing but mistakes. */
  documentErrors: 20,

  /** Things named as wrong in one answer: more help nobody, and an answer must not grow with what was sent. */
  errorDetails: 100,
  /** Characters of the path that says where something is wrong in a body. Names in a body may be as long as the body. */
  errorPathLength: 200,
  /** Characters of what GraphQL says is wrong. It quotes values, which may be as long as a body, and each once for each mistake. */
  errorMessageLength: 500,

  /** Rows of a page when the client names no size. */
  pageDefault: 20,
  /** Rows of a page at most. A larger size is capped to this, so that no request asks for unbounded rows. */
  pageMax: 100,
  /**
   * Rows that a page by number may skip. Each is passed in an index, some 0.1 us on SQLite and 0.2 us on PostgreSQL; a page
   * deeper than this is refused with `page_too_deep`.
   */
  pageDepth: 10_000,
  /**
   * Rows that one page by cursor looks at, where the reader may not see all of them. A page that has looked at as many ends
   * there, however few of them it shows, and its cursor goes on: 1 ms on SQLite, where a feed has to look for the document of each.
   */
  rowsLookedAt: 250,
  /**
   * Documents of one author that a list within another list looks at. It has no cursor, and a page may have such a list for each
   * of its rows: with 100 of them one statement passes 10,000 entries of an index, some 7 ms on SQLite.
   */
  rowsLookedAtPerParent: 100,
  /** Texts of documents that one statement reads: some 2 ms on SQLite, where each of them is as long as it may be. */
  bodiesReadAtOnce: 20,
  /** The greatest number of unread events that is told; it stands for as many or more. Screens show it as "99+". */
  unreadMost: 100,
  /** Unread events that are looked at to count those which the reader may see, the newest first. */
  unreadLookedAt: 1000,
  /** Charges of an order that are added up to see whether it is paid, the largest first. Few orders are paid in two parts. */
  chargesAddedUp: 100,
  /**
   * Milliseconds that statements on SQLite take of one turn of the event loop, before further ones wait for the next turn. They
   * run on the thread that serves all requests.
   */
  readTurn: 3,
  /** Items of one order at most, so that an order and all its items fit one page. */
  orderItems: 100,
  /** Pieces of one item at most. With the two bounds above and below, a total stays within 15 digits. */
  itemQuantity: 10_000,
  /** Minor units of a unit price at most: 15 digits is what a JSON number carries exactly everywhere. */
  unitPrice: 999_999_999,

  /**
   * Minor units of one charge at most: what GraphQL's Int holds of nine digits. Gateways draw their own line below, by
   * currency and account.
   */
  chargeAmount: 999_999_999,
  /** Characters of a payment source. Gateways' tokens have some 30. */
  paymentSourceLength: 255,
  /** Milliseconds in which the payment gateway must answer: below a request's deadline, and above a slow bank. */
  gatewayTimeout: 8 * SECOND,
  /** Milliseconds for one request to Stripe: what it answers to the first is heard before a client is told 503. */
  stripeTimeout: 7 * SECOND,
  /**
   * Milliseconds after which the gateway is asked what became of a charge or refund that is still open: by then the request that
   * began it has ended, and its lease as well.
   */
  reconcileAfter: 30 * SECOND,
  /** Milliseconds between two questions about one charge, at most. They double, since an outage of hours is rare. */
  reconcilePause: 60 * MINUTE,
  /** Milliseconds between two looks for open charges, which is one small index. */
  reconcileInterval: 5 * SECOND,
  /** Charges that are read in one look. */
  reconcileBatch: 100,
  /** Questions to the gateway at a time, in one process: a backlog after an outage must not become the next one. */
  reconcileConcurrency: 8,

  /** Characters of an idempotency key: what Stripe takes, and four times a UUID with a prefix. */
  idempotencyKeyLength: 255,
  /**
   * Milliseconds that a request has its idempotency key for itself. Longer than the gateway may take, so that nobody
   * goes on with a request that is alive; short, since a client of a server that died waits for it.
   */
  idempotencyLease: 20 * SECOND,
  /** Milliseconds that the outcome of a request is kept under its key: a day, as with Stripe. */
  idempotencyLifetime: 1 * DAY,
  /**
   * Milliseconds that a key is kept whose request has come to no outcome, from the last attempt on: without it a retry would
   * move the money again. In a month the payment provider's word has come, or somebody has looked into its books.
   */
  unfinishedRecordLifetime: 30 * DAY,
  /** Milliseconds that the id of a payment event is kept. Providers give up on sending it again after some days. */
  paymentEventLifetime: 7 * DAY,

  /** Rows that are removed in one transaction: on a slow disk it is still over in some milliseconds. */
  purgeBatch: 200,
  /** Milliseconds at least between two such transactions, for everybody else's. */
  purgePause: 10,
  /** How many times as long as it worked the janitor rests: it takes a fifth of the writer's time at most. */
  purgeRestFactor: 4,
  /** Milliseconds between two rounds. What is removed is a day old and older, so nobody waits for it. */
  purgeInterval: 10 * MINUTE,

  /** Characters of a document's title: a line. Like every bound on text it counts UTF-16 units, as JavaScript does. */
  documentTitleLength: 200,
  /**
   * Characters of a document's text, some 40 pages. One of them takes 1 byte of a request in English and up to 3 in
   * scripts such as Chinese, so there `bodyBytes` comes first, with 413 after some 87,000 characters; JSON's escapes,
   * such as the 2 bytes of a line break, come on top.
   */
  documentBodyLength: 100_000,
  /** People a document is shared with at most, so that they fit one page. Beyond, `internal` is what is meant. */
  documentShares: 100,

  /** Webhooks of one organisation at most: each costs a delivery for every event that it asks for. */
  webhooks: 20,
  /** Characters of a webhook's URL at most, as much as common servers take. */
  webhookUrlLength: 2000,
  /** Types and patterns that one webhook names at most; with `order.*` and the like a few are enough. */
  webhookTypes: 50,
  /** Milliseconds in which a receiver must have been found, reached and have answered (Standard Webhooks: 15 to 30 s). */
  webhookTimeout: 15 * SECOND,
  /** Bytes that are read of a receiver's answer. What it says beyond its status is for people, who read less than that. */
  webhookAnswerBytes: 64 * KIB,
  /** Bytes of an answer that are kept with its attempt: the first lines of an error message. */
  webhookAnswerKept: 1 * KIB,
  /**
   * Milliseconds after which an attempt that nobody has told the end of is taken up again: its process has died. Well above
   * `webhookTimeout`, with room for a database that is slow and for clocks of instances that differ.
   */
  webhookLease: 60 * SECOND,
  /** Times that one attempt is taken up: a message that takes the process down with it must not do so for ever. */
  webhookClaims: 3,
  /** Attempts at one webhook at a time, in one process: a slow receiver holds up itself and nobody else. */
  webhookConcurrency: 4,
  /** Attempts at a time in one process: sockets, and at most 64 KiB of answer for each. */
  webhooksConcurrency: 256,
  /** Events that are turned into deliveries in one transaction. */
  webhookBatch: 100,
  /** Milliseconds between two looks for what is due. What this instance writes itself is sent at once. */
  webhookPoll: 1 * SECOND,
  /** Milliseconds in which everything that wakes the deliveries wakes them once, so that many writes cost few looks. */
  webhookWakePause: 10,
  /**
   * How many times as long as it searched the dispatcher rests, so that searching takes a fifth of the time at most: with
   * 10,000 webhooks it takes 10 to 40 ms, and every commit wakes it.
   */
  webhookRestFactor: 4,
  /** Milliseconds that attempts under way have to end when the server stops, within `shutdownTimeout`. */
  webhookStopPatience: 5 * SECOND,
  /** Milliseconds that a webhook's former secret goes on signing after it was replaced: a day to change receivers over. */
  webhookSecretOverlap: 1 * DAY,
  /** Milliseconds between two writes of when a webhook was last well: a busy one shall not cost a write per message. */
  webhookGoodInterval: 1 * MINUTE,
  /** Attempts at one delivery, with those that were asked for by hand: the log of a delivery is one answer. */
  webhookAttempts: 50,
  /** Milliseconds that what became of a delivery can be read. */
  webhookDeliveryRetention: 30 * DAY,
  /** Milliseconds between two looks for deliveries whose time is over. */
  webhookPurgeInterval: 1 * MINUTE,
  /** Deliveries that are removed in one transaction, during which others wait on SQLite. */
  webhookPurgeBatch: 200,
  /** Milliseconds to wait for a name server; it is asked twice. */
  nameTimeout: 2 * SECOND,

  /** Milliseconds an access token lives: short, since it cannot be called back. */
  accessTokenLifetime: 15 * MINUTE,
  /** Milliseconds for which people are taken to have the rights that they had: it is how long a demotion takes to reach every instance. */
  presenceAge: 1 * SECOND,
  /** Milliseconds that a change of somebody's rights is remembered: as long as tokens from before it live, and clocks may differ. */
  presenceMemory: 20 * MINUTE,
  /** Milliseconds of changes that are read again each time: a transaction may take that long to commit, and clocks may differ. */
  presenceOverlap: 30 * SECOND,
  /** Milliseconds from sign-in to the end of a session, however often it is refreshed: a month, then a password. */
  sessionLifetime: 30 * DAY,
  /**
   * Milliseconds after its use in which a refresh token gives the same successor again, for a client whose response was
   * lost. Later, and once the successor was used, it counts as stolen.
   */
  refreshReplayWindow: 10 * SECOND,
  /** Characters of an email address at most (RFC 5321, section 4.5.3.1.3). */
  emailLength: 254,
  /** Milliseconds that an account knows a network after it signed in there: two weeks of holidays. */
  knownNetworkLifetime: 14 * DAY,
  /** Milliseconds that a device token is good for: half a year without a sign-in or a refresh. */
  deviceTokenLifetime: 180 * DAY,
  /** Sign-ins that may wait behind as many as may be wrong, for one account from one place: a program that starts its workers. */
  waitingSignIns: 20,
  /**
   * Passwords hashed at once. Each takes a core for some 25 ms, and one core is left for everything else: with two hashings
   * on two cores, reads took forty times as long. libuv has 4 threads, of which file reads and DNS need some.
   */
  concurrentHashes: Math.max(1, Math.min(2, availableParallelism() - 1)),
  /** Passwords that may wait to be hashed. At some 25 ms each the last one waits under two seconds. */
  waitingHashes: 64,
  /** Verified tokens kept in memory, so that a signature is checked once per token and not per request. */
  verifiedTokens: 10_000,
  /** Characters of an Authorization header. Our tokens have about 600; the rest is slack for many scopes. */
  authorizationLength: 4096,
  /** Milliseconds between two writes of when a key was last used: a busy key shall not cost a write per request. */
  keyUseInterval: 1 * MINUTE,
  /**
   * Milliseconds that the timestamp of a signed message may be off. A message that was overheard is of no use later; the
   * 5 minutes of Standard Webhooks leave room for clocks that differ.
   */
  signatureTolerance: 5 * MINUTE,
  /** Characters of a password at most, since each one costs time to hash. */
  passwordLength: 256,
  /** GraphQL documents kept in memory, parsed and validated, least recently used first out. */
  documentCache: 1000,
  /** Tokens of all of them together, each of which takes some 500 bytes; their texts count by the memory that they take, too. */
  documentCacheTokens: 100_000,
} as const;
