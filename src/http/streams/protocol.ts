/** graphql-transport-ws: what a client may say on a WebSocket, and what comes of it. graphql-ws reads the messages. */
import {
  CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  MessageType,
  parseMessage,
  type SubscribePayload,
} from 'graphql-ws';
import type { Principal } from '../../auth/policy.ts';
import type { Deadlines } from '../../core/deadline.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { formatError } from '../../graphql/errors.ts';
import { createContext } from '../../pipeline/context.ts';
import { resultOf } from '../../pipeline/response.ts';
import type { Streaming } from '../../subscriptions/streaming.ts';
import type { Identify } from '../hooks/authentication.ts';
import { type SocketConnection, SocketSink } from './connection.ts';
import type { RunningOperation } from './operations.ts';

export interface ProtocolOptions {
  readonly streaming: Streaming;
  readonly identify: Identify;
  /** Of operations. */
  readonly deadlines: Deadlines;
}

/** The server's side of the protocol. */
export interface Protocol {
  /** A socket was opened. Call what it gives when the socket is closed. */
  open(connection: SocketConnection): () => void;
  /**
   * Handles a message, and closes the socket for what is none.
   *
   * @returns resolves when everything is sent that the message asks for, streams apart.
   */
  receive(connection: SocketConnection, text: string): Promise<void>;
}

type Params = Readonly<Record<string, unknown>>;

export function createProtocol({ streaming, identify, deadlines }: ProtocolOptions): Protocol {
  return {
    open(connection) {
      if (connection.socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
        connection.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable');
        return () => {};
      }
      const patience = setTimeout(() => {
        if (connection.progress === 'opened') {
          connection.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
        }
      }, LIMITS.connectionInitTimeout);
      return () => clearTimeout(patience);
    },
    async receive(connection, text) {
      const message = messageIn(text);
      switch (message?.type) {
        case MessageType.ConnectionInit:
          return initialise(connection, message.payload);
        case MessageType.Ping:
          await renew(connection, message.payload, identify);
          return sendTo(connection, pongTo(message.payload));
        case MessageType.Pong:
          return;
        case MessageType.Subscribe:
          return subscribe(connection, message.id, message.payload);
        case MessageType.Complete:
          return connection.operations.stop(message.id);
        default:
          // What is no message, and what the server sends and no client.
          connection.close(
            CloseCode.BadRequest,
            message ? `Unexpected message of type ${message.type} received` : 'Invalid message received',
          );
      }
    },
  };

  async function initialise(connection: SocketConnection, params: Params | undefined): Promise<void> {
    if (connection.progress !== 'opened') {
      connection.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
      return;
    }
    connection.progress = 'initialising';
    if (!(await admit(connection, params, identify))) return;
    connection.progress = 'acknowledged';
    sendTo(connection, { type: MessageType.ConnectionAck });
  }

  async function subscribe(
    connection: SocketConnection,
    id: string,
    payload: SubscribePayload,
  ): Promise<void> {
    const { operations, progress } = connection;
    if (progress !== 'acknowledged') return connection.close(CloseCode.Unauthorized, 'Unauthorized');
    if (operations.has(id)) {
      return connection.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
    }
    connection.requests += 1;
    if (operations.size >= LIMITS.subscriptionsPerSocket) {
      return sendErrors(connection, id, [formatError(new ApiError('too_many_subscriptions'))]);
    }
    const operation = operations.begin(id, deadlines.begin());
    try {
      await run(connection, operation, payload);
    } catch (error) {
      if (!operations.finish(operation)) return;
      if (!(error instanceof ApiError)) throw error;
      sendErrors(connection, id, [formatError(error)]);
    }
  }

  async function run(
    connection: SocketConnection,
    operation: RunningOperation,
    payload: SubscribePayload,
  ): Promise<void> {
    const { operations, address, session } = connection;
    const { id, deadline } = operation;
    // The credentials may have expired or been revoked since.
    const caller = await identify(connection.authorization, address, () => connection.evidence);
    if (caller.refusal) {
      operations.finish(operation);
      return connection.end(caller.refusal);
    }
    const context = createContext(streaming.services, caller, deadline);
    const begun = await streaming.begin(payload, context, 'websocket', session);
    if ('stream' in begun) {
      const sink = new SocketSink(connection, id, () => {
        if (operations.finish(operation)) sendTo(connection, { id, type: MessageType.Complete });
      });
      const closed = streaming.services.metrics.subscriptionOpened('websocket');
      return operations.follow(operation, begun.stream, sink, closed);
    }
    const { outcome, response } = begun;
    if (!operations.finish(operation)) return;
    if (!outcome.operation || outcome.refusal) return sendErrors(connection, id, response.errors ?? []);
    sendTo(connection, { id, type: MessageType.Next, payload: resultOf(outcome, response) });
    sendTo(connection, { id, type: MessageType.Complete });
  }
}

const sendTo = (connection: SocketConnection, message: object): void =>
  connection.send(JSON.stringify(message));

const sendErrors = (connection: SocketConnection, id: string, errors: readonly object[]): void =>
  sendTo(connection, { id, type: MessageType.Error, payload: errors });

/** Undefined for what is no message of the protocol. */
function messageIn(text: string) {
  try {
    return parseMessage(text, refusePrototype);
  } catch {
    return undefined;
  }
}

/** Refuses messages with a member that would be the prototype of whatever they are copied into, as bodies with one are. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('A member is called __proto__.');
  return value;
}

/**
 * Reads who is calling from `connection_init`, or else from the request that the socket was opened with. Without any
 * credentials the socket is good for what is public. Credentials that are of no use close it with 4403.
 */
async function admit(
  connection: SocketConnection,
  params: Params | undefined,
  identify: Identify,
): Promise<boolean> {
  const { address } = connection;
  connection.authorization = authorizationIn(params) ?? connection.authorization;
  const proof = params?.['dpop'] ?? params?.['DPoP'];
  if (typeof proof === 'string') connection.evidence = { ...connection.evidence, proof };
  const { principal, refusal } = await identify(connection.authorization, address, () => connection.evidence);
  if (refusal) {
    connection.end(refusal);
    return false;
  }
  if (principal) connection.session = { principal, address, end: (reason) => connection.end(reason) };
  return true;
}

/**
 * As in the header; `accessToken` stands for a Bearer token. Some clients, such as Apollo's and Hasura's, send the headers that they would
 * send with a request, as the member `headers`.
 */
function authorizationIn(params: Params | undefined): string | undefined {
  if (params?.['accessToken'] != null) return `Bearer ${textIn(params['accessToken'])}`;
  const headers = params?.['headers'];
  return (
    headerIn(params) ?? (typeof headers === 'object' && headers !== null ? headerIn(headers) : undefined)
  );
}

/** Names of headers are case-insensitive (RFC 9110, section 5.1). */
function headerIn(members: object | undefined): string | undefined {
  const entry = Object.entries(members ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  return entry?.[1] == null ? undefined : textIn(entry[1]);
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
  const { principal, refusal } = await identify(authorization, connection.address, () => connection.evidence);
  const present = connection.session?.principal;
  if (principal && present && isSamePerson(principal, present)) connection.renew(authorization, principal);
  else
    connection.end(refusal ?? new ApiError('forbidden', { message: 'The token belongs to another person.' }));
}

/** A token is not sent back. */
const pongTo = (payload: unknown) => ({
  type: MessageType.Pong,
  ...(payload !== undefined && !accessTokenOf(payload) && { payload }),
});

/** The payload of a ping. */
function accessTokenOf(payload: unknown): Params | undefined {
  if (typeof payload !== 'object' || payload === null || !('accessToken' in payload)) return undefined;
  return { accessToken: payload.accessToken };
}

export const isSamePerson = (one: Principal, other: Principal) =>
  one.kind === other.kind &&
  one.userId === other.userId &&
  one.org === other.org &&
  one.grant?.clientId === other.grant?.clientId;
