/** The events of a server by its API, for commands that run beside it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { CommandError } from './errors.ts';
import { ConnectionError, reasonOf, send } from './remote.ts';

/** Where a server is, and what it lets in with. */
export interface RemoteServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** The Authorization header of the next request. It throws as requests do. */
  readonly authorization: () => Promise<string>;
}

export interface FollowedEvent {
  /** Follows it. */
  readonly cursor: string;
  readonly type: string;
  readonly id: number;
  /** When it was recorded, as text. */
  readonly createdAt: string;
  /** The item of the feed, as JSON. */
  readonly item: string;
}

export interface FollowOptions {
  /** All where there are none. */
  readonly types: readonly string[];
  /** Where to go on; from now on where it is undefined. */
  readonly cursor: string | undefined;
  /** Is called when a connection is lost, with the reason. */
  readonly onLost: (reason: string) => void;
}

/** Milliseconds before another attempt. */
const PAUSE = 1000;

/**
 * Follows the log, from a cursor on and through restarts of the server. What its reader has not taken yet stays on the server.
 *
 * @throws CommandError when the server refuses, such as for a key that is not valid.
 */
export async function* followEvents(
  server: RemoteServer,
  { types, cursor: from, onLost }: FollowOptions,
): AsyncGenerator<FollowedEvent> {
  let cursor = from;
  for (;;) {
    try {
      cursor ??= await newestCursor(server);
      for await (const event of eventsOfOneStream(server, types, cursor)) {
        yield event;
        ({ cursor } = event);
      }
      onLost('The server has ended the stream.');
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      onLost(error.message);
    }
    await sleep(PAUSE);
  }
}

async function* eventsOfOneStream(
  server: RemoteServer,
  types: readonly string[],
  cursor: string | undefined,
): AsyncGenerator<FollowedEvent> {
  const query = new URLSearchParams(types.map((type): [string, string] => ['type', type]));
  if (cursor !== undefined) query.set('cursor', cursor);
  const { body } = await ask(server, `/feed?${query}`, { headers: { accept: 'text/event-stream' } });
  const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  if (!events) return;
  try {
    for await (const { data, event, id } of events) {
      // Events of the log have no name.
      if (event === undefined && id !== undefined) yield readEvent(id, data);
    }
  } catch (error) {
    // What a reader of this throws does not come here.
    throw new ConnectionError(reasonOf(error));
  }
}

function readEvent(cursor: string, item: string): FollowedEvent {
  // As the feed describes it.
  const {
    id,
    type,
    created_at: createdAt,
  } = JSON.parse(item) as {
    readonly id: number;
    readonly type: string;
    readonly created_at: string;
  };
  return { cursor, id, type, createdAt, item };
}

/** The end of the log, from which nothing is missed; undefined for an empty one. */
async function newestCursor(server: RemoteServer): Promise<string | undefined> {
  const response = await ask(server, '/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ feed(first: 1) { nodes { cursor } } }' }),
  });
  // The form of a response to this query.
  const { data, errors } = (await response.json()) as {
    readonly data?: { readonly feed: { readonly nodes: readonly { readonly cursor: string }[] } } | null;
    readonly errors?: readonly { readonly message: string }[];
  };
  if (errors?.[0]) throw new CommandError(errors[0].message);
  return data?.feed.nodes[0]?.cursor;
}

/** @throws CommandError for a refusal, ConnectionError for what may be otherwise a moment later. */
async function ask({ url, authorization }: RemoteServer, path: string, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, authorization: await authorization() };
  const response = await send(url + path, { ...init, headers });
  if (response.ok) return response;
  throw new CommandError(`${url} refuses: ${await refusalIn(response)}`);
}

async function refusalIn(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  // Both doors say it in one member.
  const [, message] = /"message":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return message === undefined ? `status ${response.status}` : String(JSON.parse(message));
}
