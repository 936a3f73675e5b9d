/**
 * What the server counts. Each application has its own metrics. No label contains client input: a route is its template, an operation one of
 * the known names, a client the kind of its credentials. Individual callers are in the log.
 */

/** The door through which an operation was requested. */
export type Door = 'rest' | 'graphql' | 'websocket' | 'sse' | 'mcp' | 'command';

/** `none` if no operation was found in the document. */
type OperationType = 'query' | 'mutation' | 'subscription' | 'none';

/** The kind of a caller's credentials. */
type ClientKind = 'user' | 'api_key' | 'certificate' | 'app' | 'browser' | 'operator' | 'anonymous';

/** The limits that refuse an operation before it runs. */
export const REFUSALS = ['points', 'cost', 'depth', 'tokens', 'fields'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Why an operation was shed under overload: too many operations waited, or it had waited too long. */
export const SHED_CAUSES = ['queue_full', 'queue_time'] as const;
export type ShedCause = (typeof SHED_CAUSES)[number];

export const WEBHOOK_OUTCOMES = ['delivered', 'failed', 'refused', 'gone', 'given_up'] as const;
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/** The outcomes of an attempt to send mail. `failed` is retried; `refused` and `expired` are not. */
export const MAIL_OUTCOMES = ['sent', 'failed', 'refused', 'expired'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/** `complete` if the client got the whole list. */
export const EXPORT_OUTCOMES = ['complete', 'cut'] as const;
type ExportOutcome = (typeof EXPORT_OUTCOMES)[number];

interface Request {
  readonly method: string;
  /** The template, such as `/v1/orders/:order_id`, or `none` if no route was found. */
  readonly route: string;
  /** The operation of a REST route; `none` for other routes. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

interface GraphQLOperation {
  readonly door: Door;
  readonly type: OperationType;
  /** The name in the client's document. Unknown names count as `other`. */
  readonly name: string | null | undefined;
  /** `ok`, or the code of the first error. */
  readonly code: string;
  readonly seconds: number;
}

/** The current state of the database connections. */
export interface PoolLoad {
  readonly inUse: number;
  readonly idle: number;
  /** The number of callers that wait for a connection. */
  readonly waiting: number;
}

/** The current state of what the server depends on. */
export interface Dependencies {
  /** Whether the database refused a change, and none has succeeded a minute or more later. */
  readonly refusesChanges: boolean;
  /** Whether requests do without Redis, although it is configured. */
  readonly lacksRedis: boolean;
  /** When the TLS files expire, by kind of file. */
  readonly expiries: readonly { readonly kind: string; readonly at: Date }[];
}

export interface Metrics {
  /** All metrics, in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
  /** Adds names of operations that are counted separately. All others are counted together as `other`. */
  knowOperations(names: Iterable<string>): void;
  request(request: Request): void;
  operation(operation: GraphQLOperation): void;
  /** Records the maximum cost of an operation in points, as computed before it ran. */
  cost(door: Door, points: number): void;
  refused(refusal: Refusal): void;
  /** Counts an operation that was shed under overload. It also counts as the refusal `overload`. */
  shed(cause: ShedCause): void;
  /** Sets the function that returns the number of waiting operations when metrics are read. */
  watchQueue(look: () => number): void;
  /** Counts a use of a deprecated route such as `POST /v1/charges`, or of a schema coordinate such as `Charge.cents`. */
  deprecatedUse(what: string, client: ClientKind): void;
  /** Counts a stream that was opened. Call the returned function when the stream ends. */
  subscriptionOpened(door: Door): () => void;
  /** Counts an export that began. Call the returned function once, when the export ends. */
  exportOpened(): (outcome: ExportOutcome) => void;
  /** Records the seconds between the recording of an event and its arrival at a reader. */
  readerLag(reader: 'streams' | 'webhooks', seconds: number): void;
  webhookAttempt(outcome: WebhookOutcome, seconds: number): void;
  /** Counts an attempt to send a message. */
  mail(outcome: MailOutcome): void;
  /** Records how long a statement ran. It is passed on as a function. */
  readonly statement: (name: string, seconds: number) => void;
  /** Sets the function that returns the state of the database connections when metrics are read. */
  watchPool(look: () => PoolLoad): void;
  /** Sets the function that returns the state of the dependencies when metrics are read. */
  watchDependencies(look: () => Dependencies): void;
}

/** The label of operations whose names are not known. */
export const UNKNOWN_OPERATION = 'other';
