/**
 * The live events of the organisation. The connection is a WebSocket, since browsers allow only six HTTP/1.1 connections for
 * streams. After a disconnect the stream resumes after the last cursor: no event is missed or repeated.
 */
import { signal } from '@preact/signals';
import { createClient } from '../graphql-ws/client.js';
import { accessToken, onSession } from '../pages/session.js';
import { graph } from './graph.js';
import { BASE } from './router.js';

/** `off`, `connecting` or `live`. */
export const connection = signal('off');

/** Milliseconds before reconnecting after a stream has ended: the first pause, and the longest. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
/** Milliseconds between pings, and to wait for a pong. */
const PING = 15_000;
const PONG = 5000;

const NEWEST = '{ feed(first: 1) { streamCursor } }';

const ACTIVITY = `subscription ConsoleActivity($after: String) {
  activity(after: $after) {
    id type cursor actorId actor { id name } subjectType subjectId data createdAt
  }
}`;

/** The event for listeners after others were lost: they must read everything again. */
const EVERYTHING = { subjectType: '*' };

const listeners = new Set();

/** Calls back with each new event. Returns a function that stops it. */
export function onActivity(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const emit = (event) => {
  for (const listener of listeners) listener(event);
};

let present;

/** Ends the stream of the present client. */
let end = () => undefined;

/** Follows the log from the newest event, until the next sign-in or sign-out. */
async function follow(client) {
  const isPresent = () => client === present;
  let after;
  let pause = FIRST_PAUSE;
  while (isPresent()) {
    connection.value = 'connecting';
    try {
      // Also before it resumes: a socket does not say whether the session has ended, but a refused query ends it here too.
      const newest = (await graph(NEWEST)).feed.streamCursor;
      if (!isPresent()) return;
      after ??= newest;
      const messages = client.iterate({ query: ACTIVITY, variables: { after } });
      end = () => messages.return();
      for await (const { data, errors } of messages) {
        if (!isPresent()) return;
        if (errors) throw errors;
        pause = FIRST_PAUSE;
        after = data.activity.cursor;
        emit(data.activity);
      }
    } catch (problem) {
      // A refusal is a list of errors, a lost connection is a CloseEvent.
      if (problem?.[0]?.extensions?.code === 'resume_expired') {
        after = undefined;
        emit(EVERYTHING);
      }
    }
    if (!isPresent()) return;
    connection.value = 'connecting';
    await untilNextAttempt(pause);
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  }
}

/** Waits for the pause, or until the browser is online again. */
function untilNextAttempt(pause) {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(pause);
    signal.onabort = resolve;
    addEventListener('online', resolve, { once: true, signal });
  });
}

function connect() {
  const url = new URL(`${BASE}graphql`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  let socket;
  let timer;
  const client = createClient({
    url: url.href,
    // `follow` reconnects and resumes after the last cursor, which the library cannot do.
    retryAttempts: 0,
    keepAlive: PING,
    connectionParams: async () => ({ accessToken: await accessToken() }),
    on: {
      connected(opened) {
        socket = opened;
        if (client === present) connection.value = 'live';
      },
      ping(isReceived) {
        if (isReceived) return;
        clearTimeout(timer);
        timer = setTimeout(() => socket.close(4408, 'No pong'), PONG);
      },
      pong(isReceived) {
        if (isReceived) clearTimeout(timer);
      },
      closed: () => clearTimeout(timer),
    },
  });
  return client;
}

let userId;

onSession((session) => {
  if (session?.userId === userId) return;
  userId = session?.userId;
  // This closes the socket too. `dispose` would send the subscription on the closed socket if it was still being connected.
  void end();
  present = undefined;
  connection.value = 'off';
  if (!session?.scopes.includes('read:feed')) return;
  present = connect();
  void follow(present);
});
