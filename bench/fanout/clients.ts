/** `node bench/fanout/clients.ts`: many WebSockets in one process, controlled by messages from its parent. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import WebSocket from 'ws';
import type { ClientsState, ClientsTask } from './messages.ts';

/** Handshakes that are under way at a time: fewer than a listening socket lets wait. */
const AT_ONCE = 100;

/** What a screen shows of what happens. It asks for nothing that has to be loaded. */
const ACTIVITY =
  'subscription Activity { activity { id type cursor actorId subject { type id } data createdAt } }';

let sockets: WebSocket[] = [];
let received = 0;
let expected = Number.POSITIVE_INFINITY;
let reached: (() => void) | undefined;

function count(message: string): void {
  if (!message.includes('"type":"next"') || message.includes('"errors"')) {
    throw new Error(`A connection was sent something else than an event: ${message}`);
  }
  received += 1;
  if (received >= expected) reached?.();
}

async function connect(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { accessToken: token } }));
  const [answer] = await once(socket, 'message');
  if (!String(answer).includes('connection_ack')) throw new Error(`Connecting was answered with ${answer}`);
  // Closing by ourselves is the last thing that we do.
  socket.on('close', (code) => {
    if (sockets.includes(socket)) throw new Error(`A connection was closed with ${code}.`);
  });
  return socket;
}

async function connectAll(url: string, token: string, connections: number): Promise<void> {
  while (sockets.length < connections) {
    const many = Math.min(AT_ONCE, connections - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: many }, () => connect(url, token)))));
  }
}

/** Follows on each, and waits until the server has answered what was sent after that. */
async function subscribeAll(): Promise<void> {
  for (let from = 0; from < sockets.length; from += AT_ONCE) {
    await Promise.all(sockets.slice(from, from + AT_ONCE).map(subscribe));
  }
}

async function subscribe(socket: WebSocket): Promise<void> {
  // Clients name operations so, and it is another name on each socket.
  const id = randomUUID();
  socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: ACTIVITY } }));
  socket.send(JSON.stringify({ type: 'ping' }));
  const [answer] = await once(socket, 'message');
  if (!String(answer).includes('"pong"')) throw new Error(`Following was answered with ${answer}`);
  socket.on('message', (message) => {
    const text = String(message);
    // graphql-ws sends signs of life of its own.
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
  if (received > expected) throw new Error(`${received} events were sent, where ${expected} are right.`);
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
