/** The context of resolvers, their rules and the directives. The pipeline creates one per operation and adds its own members. */
import type { ApiKeys } from '../../src/auth/api-keys.ts';
import type { ClientCertificates } from '../../src/auth/client-certificates.ts';
import type { Principal } from '../../src/auth/policy.ts';
import type { Sessions } from '../../src/auth/sessions.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { Cursors } from '../../src/core/cursors.ts';
import type { AbortSignalLike } from '../../src/core/deadline.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { Flow } from '../../src/core/fair-queue.ts';
import type { PendingWork } from '../../src/core/pending-work.ts';
import type { SignedMessage } from '../../src/core/signatures.ts';
import type { Secrets, Vault } from '../../src/core/vault.ts';
import type { Database } from '../../src/db/database.ts';
import type { Work } from '../../src/idempotency/work.ts';
import type { Outbox } from '../../src/mail/outbox.ts';
import type { Gateway } from '../../src/payments/gateway.ts';
import type { PaymentConflict } from '../../src/payments/settling.ts';
import type { MailLimit } from '../../src/rate-limit/mail-limit.ts';
import type { Targets } from '../../src/webhooks/targets.ts';
import type { Loaders } from './loaders.ts';

/** Sends the messages that mutations have put into the outbox, and limits their number. */
interface Mail {
  readonly limit: MailLimit;
  readonly outbox: Pick<Outbox, 'wake'>;
}

/** Services that live as long as the process and are shared by all requests. */
export interface Services {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly clientCertificates: ClientCertificates;
  readonly cursors: Cursors;
  readonly targets: Targets;
  readonly mail: Mail;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Keys that seal the arguments of a request under its idempotency key. */
  readonly idempotencySecrets: () => Secrets;
  /** Changes whose outcome must be stored: a server waits for them before it stops. */
  readonly pendingWork: PendingWork;
  readonly gateway: Gateway;
  /** Milliseconds that a caller waits for the gateway. A later response is still processed. */
  readonly gatewayTimeout: number;
  /** Reports a message from the payment provider that contradicts the state of a charge. */
  readonly notePaymentConflict: (conflict: PaymentConflict) => void;
  /** Reports a late gateway response that could not be stored; the reconciler queries the gateway again. */
  readonly noteLateFailure: (error: unknown) => void;
  /** Maximum rows per page. */
  readonly pageMax: number;
  /** The public URL of this server, without a trailing slash. */
  readonly publicUrl: string;
}

/** The caller, as authenticated by the door. */
export interface Caller {
  /** Null for an anonymous caller. */
  readonly principal: Principal | null;
  /** The IP address of the client, as reported by trusted proxies. */
  readonly address: string;
  /** Why the credentials were rejected. It is an error only if the operation requires a caller. */
  readonly refusal?: ApiError | undefined;
  /** The message from the payment provider that this request carries. Its signature has been verified. */
  readonly message?: SignedMessage | undefined;
}

export interface Context extends Services, Caller {
  /** The database of this request. Its statements are cancelled when `signal` is aborted. */
  readonly database: Database;
  /** The loaders of this request. */
  readonly loaders: Loaders;
  /** The database for writes that must survive cancellation. */
  readonly lasting: Database;
  /**
   * The cursor to resume a stream from, as sent by the transport (`Last-Event-ID`). It takes precedence over the operation's
   * arguments.
   */
  readonly resumeAfter?: string;
  /** The flow that this request counts for. */
  readonly flow: Flow;
  /** The cost of the operation. `spend` adds points for work that neither its price nor its response shows. */
  readonly requestCost: { spend(points: number): void };
  /** Aborted at the deadline of the request or when its client disconnects; undefined for a request without a deadline. */
  readonly signal: AbortSignalLike | undefined;
  /** Runs the changes of a mutation. A field with an idempotency key gets its own instance. */
  readonly work: Work;
  /** Members of the response that are the outcome of an earlier request. The door indicates them in the response. */
  readonly replayed: string[];
  /** By member of the response: the idempotency keys that were generated for requests without one. The door returns them. */
  generatedKeys: Record<string, string> | undefined;
}

/**
 * Returns the caller of a field with `@auth`. The directive has already refused anonymous callers; this narrows the type.
 *
 * @throws ApiError `unauthenticated`.
 */
export function callerOf({ principal }: Pick<Context, 'principal'>): Principal {
  if (principal === null) throw new ApiError('unauthenticated');
  return principal;
}

/** The URL of an image (served by `src/http/routes/images.ts`). */
export const imageUrl = (publicUrl: string, kind: 'user' | 'product', id: number): string =>
  `${publicUrl}/images/${kind}-${id}.svg`;
