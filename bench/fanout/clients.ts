/** `node bench/fanout/clients.ts`: opens many WebSockets in one process, controlled by messages from its parent. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import WebSocket from 'ws';
import type { ClientsState, ClientsTask } from './messages.ts';

/** Concurrent handshakes: fewer than the backlog of a listening socket. */
const AT_ONCE = 100;

/** The fields of a live activity view. None of them has to be loaded from the database. */
const ACTIVITY =
  'subscription Activity { activity { id type cursor actorId subject { type id } data createdAt } }';

let sockets: WebSocket[] = [];
let received = 0;
let expected = Number.POSITIVE_INFINITY;
let reached: (() => void) | undefined;

function count(message: string): void {
  if (!message.includes('"type":"next"') || message.includes('"errors"')) {
    throw new Error(`A connection received a message that is not an event: ${message}`);
  }
  received += 1;
  if (received >= expected) reached?.();
}

async function connect(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { accessToken: token } }));
  const [reply] = await once(socket, 'message');
  if (!String(reply).includes('connection_ack'))
    throw new Error(`The connection was not acknowledged: ${reply}`);
  // A socket that this process closes itself is no longer in the list.
  socket.on('close', (code) => {
    if (sockets.includes(socket)) throw new Error(`The server closed a connection with code ${code}.`);
  });
  return socket;
}

async function connectAll(url: string, token: string, connections: number): Promise<void> {
  while (sockets.length < connections) {
    const many = Math.min(AT_ONCE, connections - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: many }, () => connect(url, token)))));
  }
}

/** Subscribes on each socket. Waits for the pong to a later ping, so that the server has processed the subscription. */
async function subscribeAll(): Promise<void> {
  for (let from = 0; from < sockets.length; from += AT_ONCE) {
    await Promise.all(sockets.slice(from, from + AT_ONCE).map(subscribe));
  }
}

async function subscribe(socket: WebSocket): Promise<void> {
  // As in real clients, operation ids are unique across sockets.
  const id = randomUUID();
  socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: ACTIVITY } }));
  socket.send(JSON.stringify({ type: 'ping' }));
  const [reply] = await once(socket, 'message');
  if (!String(reply).includes('"pong"')) throw new Error(`The subscription failed: ${reply}`);
  socket.on('message', (message) => {
    const text = String(message);
    // Ignores the pings and pongs of graphql-ws.
    if (!text.startsWith('{"type":"p')) count(text);
  });
}

async function awaitEvents(events: number): Promise<void> {
  expected = events * sockets.length;
  if (received < expected) {
    await new Promise<void>((resolve) => {
      reached = resolve;
    });
  }
  if (received > expected) throw new Error(`The clients received ${received} events instead of ${expected}.`);
}

async function disconnectAll(): Promise<void> {
  const closing = sockets;
  sockets = [];
  received = 0;
  await Promise.all(
    closing.map((socket) => {
      socket.close();
      return once(socket, 'close');
    }),
  );
}

process.on('message', async (message: ClientsTask) => {
  if (message.task === 'connect') await connectAll(message.url, message.token, message.connections);
  else if (message.task === 'subscribe') await subscribeAll();
  else if (message.task === 'await') await awaitEvents(message.events);
  else await disconnectAll();
  const state: ClientsState = { connections: sockets.length, received };
  process.send?.(state);
});
process.on('disconnect', () => process.exit());
