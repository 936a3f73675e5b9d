/** The doors that accept GraphQL documents, and the outcome of a document at each. */
import type { TestApp } from './app.ts';
import type { GraphQLBody, Person } from './client.ts';
import { eventsIn, openSocketAs } from './raw-clients.ts';

/** An operation as clients send it to any door. */
export interface DocumentRequest {
  readonly query?: string | undefined;
  readonly documentId?: unknown;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly extensions?: unknown;
}

/** The outcome of an operation. */
interface DoorReply {
  /** The HTTP status; a WebSocket has none. */
  readonly status?: number;
  /** The close code of the WebSocket, if it was closed without a response. */
  readonly closed?: number;
  readonly body: GraphQLBody<unknown> | undefined;
}

interface DocumentDoor {
  readonly name: string;
  /** The status of the response to a document that is refused before it runs. */
  readonly refusal: number | undefined;
  /** Opens the door for one user. Operations are sent one after another. */
  open(app: TestApp, person: Person): Promise<DoorVisit>;
}

export interface DoorVisit {
  send(request: DocumentRequest): Promise<DoorReply>;
  close(): void;
}

export const DOCUMENT_DOORS: readonly DocumentDoor[] = [
  httpDoor('HTTP', 400),
  // In the graphql-sse protocol, errors are part of the stream: a client that only reads the stream could not see them otherwise.
  httpDoor('server-sent events', 200, 'text/event-stream'),
  httpDoor('server-sent events, or else JSON', 400, 'text/event-stream, application/json;q=0.9'),
  { name: 'WebSocket', refusal: undefined, open: openSocket },
];

function httpDoor(name: string, refusal: number, accept?: string): DocumentDoor {
  const headers = { ...(accept !== undefined && { accept }) };
  return {
    name,
    refusal,
    open: async (app, as) => {
      await app.signIn(as);
      return {
        async send(body) {
          const response = await app.post<GraphQLBody<unknown>>('/graphql', { as, headers, body });
          const { status, text } = response;
          const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
          return { status, body: isStream ? resultIn(text) : response.body };
        },
        close: () => undefined,
      };
    },
  };
}

/** Returns the only result of a complete stream. */
function resultIn(text: string): GraphQLBody<unknown> {
  const events = eventsIn(text);
  const names = events.map(({ event }) => event);
  if (names.join() !== 'next,complete') throw new Error(`The stream has the events ${names}.`);
  return JSON.parse(events[0]?.data ?? '');
}

/** Uses one socket for all operations, and a new one only if it was closed. */
async function openSocket(app: TestApp, person: Person): Promise<DoorVisit> {
  let client = await openSocketAs(app, person);
  let serial = 0;
  return {
    async send(request) {
      if (client.closed) client = await openSocketAs(app, person);
      serial += 1;
      const id = String(serial);
      // The protocol always requires a query.
      client.send({ id, type: 'subscribe', payload: { query: '', ...request } });
      const outcome = client.got((message) => message['id'] === id && message['type'] !== 'complete');
      const message = await outcome.catch((error: unknown) => {
        if (!client.closed) throw error;
      });
      if (!message) return { closed: await client.end(), body: undefined };
      const { type, payload } = message;
      // The payloads of `next` and `error` in the protocol.
      return { body: (type === 'error' ? { errors: payload } : payload) as GraphQLBody<unknown> };
    },
    close: () => client.socket.close(),
  };
}
