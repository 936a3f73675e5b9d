/** What resolvers, their rules and the directives are given. The pipeline makes it for each operation, and adds what it needs itself. */
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
import type { Secrets } from '../../src/core/secrets.ts';
import type { SignedMessage } from '../../src/core/signatures.ts';
import type { Vault } from '../../src/core/vault.ts';
import type { Database } from '../../src/db/database.ts';
import type { Work } from '../../src/idempotency/work.ts';
import type { Outbox } from '../../src/mail/outbox.ts';
import type { Gateway } from '../../src/payments/gateway.ts';
import type { PaymentConflict } from '../../src/payments/settling.ts';
import type { MailLimit } from '../../src/rate-limit/mail-limit.ts';
import type { Targets } from '../../src/webhooks/targets.ts';
import type { Loaders } from './loaders.ts';

/** Sends mail that mutations have put into the outbox, and bounds how much that is. */
export interface Mail {
  readonly limit: MailLimit;
  readonly outbox: Pick<Outbox, 'wake'>;
}

/** What lives as long as the process and is shared by all requests. */
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
  /** Changes whose outcome has to be kept: a server that stops waits for them. */
  readonly pendingWork: PendingWork;
  readonly gateway: Gateway;
  /** Milliseconds that a caller waits for the gateway. A later response counts all the same. */
  readonly gatewayTimeout: number;
  /** Reports a statement of the payment provider that contradicts what is known of a charge. */
  readonly notePaymentConflict: (conflict: PaymentConflict) => void;
  /** Reports a late response of the gateway that could not be written; the reconciler asks again. */
  readonly noteLateFailure: (error: unknown) => void;
  /** Where clients reach this server, without a slash at its end. */
  readonly publicUrl: string;
}

/** The caller, as authenticated by the door. */
export interface Caller {
  /** Null for an anonymous caller. */
  readonly principal: Principal | null;
  /** The IP address that the request comes from, as far as proxies are trusted to report it. */
  readonly address: string;
  /** Why the credentials that were sent are of no use. It counts only where a caller is required at all. */
  readonly refusal?: ApiError | undefined;
  /** The message of the payment provider that the request is, with a signature that was verified. */
  readonly message?: SignedMessage | undefined;
}

export interface Context extends Services, Caller {
  /** The database of this request: it ends when the request's time is up. */
  readonly database: Database;
  /** Loaders that live as long as this request. */
  readonly loaders: Loaders;
  /** The database for writes that must survive cancellation. */
  readonly lasting: Database;
  /** Where a stream goes on, as its transport remembered it for the client. It takes precedence over the operation's arguments. */
  readonly resumeAfter?: string;
  /** The caller in queues. */
  readonly flow: Flow;
  /** Aborted when the request's time is up, or its client has gone; undefined for a request without a deadline. */
  readonly signal: AbortSignalLike | undefined;
  /** How a mutation changes rows. Under an idempotency key its field is given another one. */
  readonly work: Work;
  /** Members of the response that are the outcome of an earlier request; the door says so in the response. */
  readonly replayed: string[];
}

/**
 * The caller of a field with `@auth`, which has already refused callers without credentials: here the type system learns of it.
 *
 * @throws ApiError `unauthenticated`.
 */
export function callerOf({ principal }: Pick<Context, 'principal'>): Principal {
  if (principal === null) throw new ApiError('unauthenticated');
  return principal;
}
