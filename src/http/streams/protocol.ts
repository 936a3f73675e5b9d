/** The server side of graphql-transport-ws: handles the messages of a WebSocket, which graphql-ws parses. */
import {
  CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  MessageType,
  parseMessage,
  type SubscribePayload,
} from 'graphql-ws';
import { isSameCaller } from '../../auth/policy.ts';
import { ApiError, type ErrorDetail } from '../../core/errors.ts';
import { ambiguitiesIn, isRecord, memberOf } from '../../core/json.ts';
import { formatError } from '../../graphql/errors.ts';
import { createContext } from '../../pipeline/context.ts';
import { resultOf } from '../../pipeline/response.ts';
import type { HttpParts } from '../parts.ts';
import { sharedSink } from './backlog.ts';
import type { RunningOperation } from './running-operations.ts';
import { framesOf, type SocketConnection } from './socket-connection.ts';

type Params = Readonly<Record<string, unknown>>;

/** Handles a new socket. @returns a function to call when the socket is closed. */
export function openProtocol(connection: SocketConnection, { config }: HttpParts): () => void {
  if (connection.socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
    connection.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable');
    return () => {};
  }
  const patience = setTimeout(() => {
    if (connection.progress === 'opened') {
      connection.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
    }
  }, config.connections.connectionInitTimeout);
  return () => clearTimeout(patience);
}

/**
 * Handles a message, and closes the socket if it is invalid.
 *
 * @returns resolves when the responses to the message have been sent, except those of streams.
 */
export async function receive(connection: SocketConnection, text: string, parts: HttpParts): Promise<void> {
  const message = messageIn(text);
  const { repeated, inexact } = message ? ambiguitiesIn(text) : UNAMBIGUOUS;
  // Only an operation has a response. Any other message, or one whose members are unclear, has no other refusal.
  if (repeated.length > 0 || (inexact.length > 0 && message?.type !== MessageType.Subscribe))
    return connection.close(CloseCode.BadRequest, 'The message is ambiguous');
  switch (message?.type) {
    case MessageType.ConnectionInit:
      return initialise(connection, message.payload, parts);
    case MessageType.Ping:
      await renew(connection, message.payload, parts);
      return sendTo(connection, pongTo(message.payload));
    case MessageType.Pong:
      return;
    case MessageType.Subscribe:
      return subscribe(connection, message.id, message.payload, inexact, parts);
    case MessageType.Complete:
      return connection.operations.stop(message.id);
    default:
      // Invalid messages, and messages that only servers send.
      connection.close(
        CloseCode.BadRequest,
        message ? `Unexpected message of type ${message.type} received` : 'Invalid message received',
      );
  }
}

/** Identifies the caller by `connection_init`, otherwise by the request that opened the socket. */
async function initialise(
  connection: SocketConnection,
  params: Params | undefined,
  { identify }: HttpParts,
): Promise<void> {
  if (connection.progress !== 'opened') {
    connection.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
    return;
  }
  connection.initialise({
    authorization: authorizationIn(params),
    proof: params?.['dpop'] ?? params?.['DPoP'],
  });
  // Without credentials only public operations are allowed.
  const { principal, refusal } = await connection.identify(identify);
  if (refusal) return connection.end(refusal);
  connection.acknowledge(principal);
  sendTo(connection, { type: MessageType.ConnectionAck });
}

const UNAMBIGUOUS = { repeated: [], inexact: [] };

/** @param inexact numbers in the message that parsing has changed, by the paths in it. */
async function subscribe(
  connection: SocketConnection,
  id: string,
  payload: SubscribePayload,
  inexact: readonly ErrorDetail[],
  parts: HttpParts,
): Promise<void> {
  const { operations, progress } = connection;
  if (progress !== 'acknowledged') return connection.close(CloseCode.Unauthorized, 'Unauthorized');
  if (operations.has(id)) {
    return connection.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
  }
  connection.requests += 1;
  if (operations.size >= parts.config.connections.subscriptionsPerSocket) {
    return sendErrors(connection, id, [formatError(new ApiError('too_many_subscriptions'))]);
  }
  if (inexact.length > 0) {
    // As in the body of a POST, which is the payload.
    const details = inexact.map(({ path, message }) => ({ path: path.replace(/^payload\./, ''), message }));
    return sendErrors(connection, id, [formatError(new ApiError('validation_failed', { details }))]);
  }
  const operation = operations.begin(id, parts.deadlines.begin());
  try {
    await run(connection, operation, payload, parts);
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
  { operationRunner, services, identify }: HttpParts,
): Promise<void> {
  const { operations, session } = connection;
  const { id, deadline } = operation;
  // The credentials may have expired or been revoked since the last operation.
  const caller = await connection.identify(identify);
  if (caller.refusal) {
    operations.finish(operation);
    return connection.end(caller.refusal);
  }
  const context = createContext(services, caller, deadline);
  const begun = await operationRunner.begin(payload, context, 'websocket', session);
  if ('stream' in begun) {
    const sink = sharedSink(connection, framesOf(id), () => {
      if (operations.finish(operation)) sendTo(connection, { id, type: MessageType.Complete });
    });
    return operations.follow(operation, begun.stream, sink, services.metrics.subscriptionOpened('websocket'));
  }
  const { outcome, response } = begun;
  if (!operations.finish(operation)) return;
  if (!outcome.operation || outcome.refusal) return sendErrors(connection, id, response.errors ?? []);
  sendTo(connection, { id, type: MessageType.Next, payload: resultOf(outcome, response) });
  sendTo(connection, { id, type: MessageType.Complete });
}

const sendTo = (connection: SocketConnection, message: object): void =>
  connection.send(JSON.stringify(message));

const sendErrors = (connection: SocketConnection, id: string, errors: readonly object[]): void =>
  sendTo(connection, { id, type: MessageType.Error, payload: errors });

/** Parses a message of the protocol; undefined if it is invalid. */
function messageIn(text: string) {
  try {
    return parseMessage(text, refusePrototype);
  } catch {
    return undefined;
  }
}

/** Refuses messages with a member `__proto__`, as bodies are refused: a copy of it could replace a prototype. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('A member is called __proto__.');
  return value;
}

/**
 * Returns the value of the Authorization header in the parameters; `accessToken` is sent as a Bearer token. Some clients, such as
 * Apollo's and Hasura's, send the headers of a request in the member `headers`.
 */
function authorizationIn(params: Params | undefined): string | undefined {
  if (params?.['accessToken'] != null) return `Bearer ${textIn(params['accessToken'])}`;
  const headers = params?.['headers'];
  return headerIn(params) ?? (isRecord(headers) ? headerIn(headers) : undefined);
}

/** Finds the Authorization header. Names of headers are case-insensitive (RFC 9110, section 5.1). */
function headerIn(members: object | undefined): string | undefined {
  const entry = Object.entries(members ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  return entry?.[1] == null ? undefined : textIn(entry[1]);
}

/** Anything but a string counts as an unknown credential. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value : 'none');

/**
 * Renews the caller if a ping has a new access token, with which all operations of the socket continue. The token must belong to the
 * same person, who opened the subscriptions of the socket.
 */
async function renew(connection: SocketConnection, payload: unknown, { identify }: HttpParts): Promise<void> {
  const authorization = authorizationIn(accessTokenOf(payload));
  if (authorization === undefined) return;
  const { principal, refusal } = await connection.identify(identify, authorization);
  const present = connection.session?.principal;
  if (principal && present && isSameCaller(principal, present)) connection.renew(authorization, principal);
  else
    connection.end(refusal ?? new ApiError('forbidden', { message: 'The token belongs to another person.' }));
}

/** Returns the pong for a ping, without the token of the payload. */
const pongTo = (payload: unknown) => ({
  type: MessageType.Pong,
  ...(payload !== undefined && !accessTokenOf(payload) && { payload }),
});

/** Returns the access token in the payload of a ping. */
function accessTokenOf(payload: unknown): Params | undefined {
  const accessToken = memberOf(payload, 'accessToken');
  return accessToken === undefined ? undefined : { accessToken };
}
