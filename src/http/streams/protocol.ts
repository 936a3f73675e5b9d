/** graphql-transport-ws: what a client may say on a WebSocket, and what comes of it. graphql-ws speaks the protocol. */
import { type ExecutionArgs, GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { CloseCode, makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import type { Principal } from '../../auth/policy.ts';
import type { AbortSignalLike, Deadlines } from '../../core/deadline.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { formatError } from '../../graphql/errors.ts';
import { createContext } from '../../pipeline/context.ts';
import type { Operation } from '../../pipeline/operation.ts';
import { resultOf } from '../../pipeline/response.ts';
import type { Streaming } from '../../subscriptions/streaming.ts';
import type { Identify } from '../hooks/authentication.ts';
import type { SocketConnection } from './connection.ts';
import { SocketSubscription } from './subscription.ts';

export interface ProtocolOptions {
  readonly schema: GraphQLSchema;
  readonly streaming: Streaming;
  readonly identify: Identify;
  /** Of operations. */
  readonly deadlines: Deadlines;
}

type Params = Record<string, unknown>;

/** The `execute` of graphql-ws: returns the existing outcome. */
interface Executed extends ExecutionArgs {
  readonly outcome: unknown;
}

export function createProtocol(options: ProtocolOptions): Server<SocketConnection> {
  const { schema, streaming, identify, deadlines } = options;
  const begin = async (
    connection: SocketConnection,
    id: string,
    payload: SubscribePayload,
    signal: AbortSignalLike,
  ): Promise<Executed | readonly GraphQLError[]> => {
    // The credentials may have expired or been revoked since.
    const caller = await identify(connection.authorization, connection.address);
    if (caller.refusal) {
      connection.end(caller.refusal);
      throw caller.refusal;
    }
    const context = createContext(streaming.services, caller, signal);
    const begun = await streaming.begin(payload, context, 'websocket', connection.session);
    if ('response' in begun) {
      const { outcome, response } = begun;
      if (!outcome.operation || outcome.refusal) {
        return (response.errors ?? []).map((error) => new RefusedOperation(error));
      }
      return { ...argumentsOf(schema, outcome.operation), outcome: resultOf(outcome, response) };
    }
    const opened = streaming.services.metrics.subscriptionOpened('websocket');
    const { operation, stream } = begun;
    return {
      ...argumentsOf(schema, operation),
      outcome: new SocketSubscription(connection, id, stream, opened),
    };
  };
  // graphql-ws passes on what `onSubscribe` gave.
  const outcomeOf = (args: ExecutionArgs) => (args as Executed).outcome as never;

  return makeServer<Params, SocketConnection>({
    jsonMessageReviver: refusePrototype,
    connectionInitWaitTimeout: LIMITS.connectionInitTimeout,
    onConnect: ({ connectionParams, extra }) => admit(extra, connectionParams, identify),
    onPing: ({ extra }, payload) => renew(extra, payload, identify),
    onSubscribe: async ({ extra }, id, payload) => {
      const { inProgress, followed } = extra;
      extra.operations += 1;
      // A client may say that it wants no more and use the id again, before the first operation of that id has begun.
      if (inProgress.has(id)) {
        extra.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
        return [refusalBy(new ApiError('conflict'))];
      }
      if (inProgress.size + followed.size >= LIMITS.subscriptionsPerSocket) {
        return [refusalBy(new ApiError('too_many_subscriptions'))];
      }
      const time = deadlines.begin();
      inProgress.set(id, time);
      try {
        return await begin(extra, id, payload, time);
      } catch (error) {
        if (error instanceof ApiError) return [refusalBy(error)];
        throw error;
      } finally {
        time.meet();
        inProgress.delete(id);
      }
    },
    execute: outcomeOf,
    subscribe: outcomeOf,
    // Results and errors have the form in which they leave.
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: (_context, _id, _payload, errors) => errors.map((error) => error.toJSON()),
  });
}

/** What graphql-ws looks at of an operation: it runs a subscription in another way than the others. */
const argumentsOf = (schema: GraphQLSchema, { document, name }: Operation) => ({
  schema,
  document,
  operationName: name ?? null,
});

/** Refuses messages with a member that would be the prototype of whatever they are copied into, as bodies with one are. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('A member is called __proto__.');
  return value;
}

/** An error in the form in which it leaves, for a library that takes no others. */
class RefusedOperation extends GraphQLError {
  readonly #formatted: GraphQLFormattedError;

  constructor(formatted: GraphQLFormattedError) {
    super(formatted.message);
    this.#formatted = formatted;
  }

  override toJSON(): GraphQLFormattedError {
    return this.#formatted;
  }
}

const refusalBy = (error: ApiError) => new RefusedOperation(formatError(error));

/**
 * Reads who is calling from `connection_init`, or else from the request that the socket was opened with. Without any
 * credentials the socket is good for what is public. Credentials that are of no use close it with 4403.
 */
async function admit(
  connection: SocketConnection,
  params: Readonly<Params> | undefined,
  identify: Identify,
): Promise<boolean> {
  const { address } = connection;
  connection.authorization = authorizationIn(params) ?? connection.authorization;
  const { principal, refusal } = await identify(connection.authorization, address);
  if (refusal) {
    connection.end(refusal);
    return false;
  }
  if (principal) connection.session = { principal, address, end: (reason) => connection.end(reason) };
  return true;
}

/** As in the header; `accessToken` stands for a Bearer token. */
function authorizationIn(params: Readonly<Params> | undefined): string | undefined {
  const { accessToken, authorization, Authorization } = params ?? {};
  if (accessToken != null) return `Bearer ${textIn(accessToken)}`;
  const header = authorization ?? Authorization;
  return header == null ? undefined : textIn(header);
}

/** Anything but a string counts as an unknown credential. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value : 'none');

/**
 * A ping may bring the next access token, and everything on the socket goes on with it. It must be of the same person: what is
 * followed here was opened by them.
 */
async function renew(connection: SocketConnection, payload: unknown, identify: Identify): Promise<void> {
  const authorization = authorizationIn(accessTokenOf(payload));
  if (authorization === undefined) return;
  const { principal, refusal } = await identify(authorization, connection.address);
  const present = connection.session?.principal;
  if (principal && present && isSamePerson(principal, present)) connection.renew(authorization, principal);
  else
    connection.end(refusal ?? new ApiError('forbidden', { message: 'The token belongs to another person.' }));
}

/** The payload of a ping. */
export function accessTokenOf(payload: unknown): Params | undefined {
  if (typeof payload !== 'object' || payload === null || !('accessToken' in payload)) return undefined;
  return { accessToken: payload.accessToken };
}

const isSamePerson = (one: Principal, other: Principal) =>
  one.kind === other.kind && one.userId === other.userId && one.org === other.org;
