/** The doors through which documents of GraphQL come, and what each says of one. */
import type { TestApp } from './app.ts';
import type { GraphQLBody, Person } from './client.ts';
import { eventsIn } from './event-stream-client.ts';
import { SocketClient } from './socket-client.ts';

/** An operation as clients send it, whatever the door. */
export interface DocumentRequest {
  readonly query?: string | undefined;
  readonly documentId?: unknown;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly extensions?: unknown;
}

/** What became of it. */
export interface DoorReply {
  /** Of the answer; a WebSocket has none. */
  readonly status?: number;
  /** What the WebSocket was closed with, where there was no answer on it. */
  readonly closed?: number;
  readonly body: GraphQLBody<unknown> | undefined;
}

export interface DocumentDoor {
  readonly name: string;
  /** The status of a document that is refused before it runs. */
  readonly refusal: number | undefined;
  /** Opens the door for one person; everything that is sent goes the same way, one after the other. */
  open(app: TestApp, person: Person): Promise<DoorVisit>;
}

export interface DoorVisit {
  send(request: DocumentRequest): Promise<DoorReply>;
  close(): void;
}

export const DOCUMENT_DOORS: readonly DocumentDoor[] = [
  httpDoor('HTTP', 400),
  // The protocol of graphql-sse has errors within the stream, and a client that reads nothing else could not tell them otherwise.
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
          const answer = await app.post<GraphQLBody<unknown>>('/graphql', { as, headers, body });
          const { status, text } = answer;
          const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
          return { status, body: isStream ? resultIn(text) : answer.body };
        },
        close: () => undefined,
      };
    },
  };
}

/** The one result of a stream that is complete. */
function resultIn(text: string): GraphQLBody<unknown> {
  const events = eventsIn(text);
  const names = events.map(({ event }) => event);
  if (names.join() !== 'next,complete') throw new Error(`The stream has the events ${names}.`);
  return JSON.parse(events[0]?.data ?? '');
}

/** One socket for all that is sent, and another one only after a close. */
async function openSocket(app: TestApp, person: Person): Promise<DoorVisit> {
  const open = async () => new SocketClient(app.port).open({ accessToken: (await app.signIn(person)).token });
  let client = await open();
  let serial = 0;
  return {
    async send(request) {
      if (client.closed) client = await open();
      serial += 1;
      const id = String(serial);
      // The protocol has a text in any case.
      client.send({ id, type: 'subscribe', payload: { query: '', ...request } });
      const outcome = client.got((message) => message['id'] === id && message['type'] !== 'complete');
      const message = await outcome.catch((error: unknown) => {
        if (!client.closed) throw error;
      });
      if (!message) return { closed: await client.end(), body: undefined };
      const { type, payload } = message;
      // What the protocol has as the payloads of both.
      return { body: (type === 'error' ? { errors: payload } : payload) as GraphQLBody<unknown> };
    },
    close: () => client.socket.close(),
  };
}
