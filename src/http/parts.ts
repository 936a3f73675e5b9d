/** What hooks and routes share: the parts that the application passes to the server, and those that the server creates once. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ApiKeys } from '../auth/api-keys.ts';
import type { OpaqueTokens } from '../auth/apps/opaque-tokens.ts';
import type { ClientCertificates } from '../auth/client-certificates.ts';
import type { Evidence, Proofs } from '../auth/confirmation.ts';
import type { Keys } from '../auth/keys.ts';
import type { Presence } from '../auth/presence.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Redis } from '../cluster/redis.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../core/clock.ts';
import type { Deadlines } from '../core/deadline.ts';
import type { ServerUrls } from '../core/public-url.ts';
import type { OpenDatabase } from '../db/database.ts';
import type { Caller, Context, Services } from '../pipeline/context.ts';
import type { Operations } from '../pipeline/operations.ts';
import type { Api } from '../rest/api.ts';
import type { OperationRunner } from '../subscriptions/operation-runner.ts';
import type { TlsFiles } from './tls/files.ts';

/** The parts that the application passes. */
export interface HttpServerParts {
  readonly config: Pick<
    Config,
    'production' | 'http' | 'timeouts' | 'operations' | 'connections' | 'telemetry'
  >;
  readonly api: Api;
  readonly services: Services;
  readonly database: OpenDatabase;
  readonly operations: Operations;
  readonly operationRunner: OperationRunner;
  readonly tokens: Tokens;
  readonly presence: Presence;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly redis?: Redis | undefined;
  /** The files of TLS; left out for plain HTTP without a proxy that forwards client certificates. */
  readonly tls?: TlsFiles | undefined;
  /** Whether the pages offer the demo account, because the database has it; false when left out. */
  readonly offerDemo?: boolean;
  /** Functions to call after the last response, in this order. */
  readonly onClose: readonly (() => unknown)[];
}

/** Whether a proxy's address is trusted for the hop before it. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** Those and the state of the connections. */
export interface ConnectionParts extends HttpServerParts {
  readonly offerDemo: boolean;
  readonly trust: TrustProxy;
  /** Whether this process is stopping. */
  readonly isLeaving: () => boolean;
  /** Whether clients are asked to reconnect elsewhere. */
  readonly isDraining: () => boolean;
  /** Whether the client of a connection must reconnect, to this server or another one. */
  readonly mustReconnect: (connection: Socket) => boolean;
}

/** Those and what identifies callers, and reads their requests. */
export interface HttpParts extends ConnectionParts {
  readonly serverUrls: ServerUrls;
  readonly verifiers: Verifiers;
  readonly identify: Identify;
  readonly authenticate: Authenticate;
  /** Reads the client certificate that a proxy forwards; undefined if no proxy does. */
  readonly readForwarded: ReadForwarded | undefined;
  /** Deadlines of operations. */
  readonly deadlines: Deadlines;
  readonly openContext: OpenContext;
  readonly readBody: BodyReader;
}

/** The verifiers of all kinds of credentials. */
export interface Verifiers {
  readonly tokens: Tokens;
  readonly opaqueTokens: OpaqueTokens;
  readonly apiKeys: ApiKeys;
  readonly clientCertificates: ClientCertificates;
  readonly proofs: Proofs;
  readonly presence: Presence;
  readonly clock: Clock;
}

/**
 * Identifies a caller by credentials from a header or from elsewhere, such as `connection_init`.
 *
 * @param evidenceOf returns the evidence that the sender holds a key. It is called for a token that is bound to a key, and
 *   without Authorization.
 */
export type Identify = (
  authorization: string | undefined,
  address: string,
  evidenceOf: () => Evidence,
) => Caller | Promise<Caller>;

/** Identifies the caller of a request by its headers. */
export type Authenticate = (request: FastifyRequest) => Caller | Promise<Caller>;

/** Reads the certificate of a request from a proxy. */
export type ReadForwarded = (request: IncomingMessage) => void;

/** Opens the context of a request once. Returns no promise for a known caller, the usual case. */
export type OpenContext = (reply: FastifyReply) => Context | Promise<Context>;

/** Charges the caller for a body, then parses it. */
export type BodyReader = (reply: FastifyReply, bytes: Buffer, done: (error?: Error) => void) => void;

/** Handles a request in another way than with a single response. */
export type RequestHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
