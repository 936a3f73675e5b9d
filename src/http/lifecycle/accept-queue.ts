/** Empties the queues of accepted connections before their sockets close. */
import type { Server, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicTime } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';

/** Milliseconds of a turn of the event loop that only accepts connections. During a longer one, further clients may have connected. */
const QUIET_TURN = 2;

/** A client that disconnects while its connection is held. */
const ignore = () => {};

/**
 * Accepts the connections that the kernel has established already, which it would reset when their socket closes. Node accepts one
 * per socket in a turn of the event loop, so this ends with a short turn that accepted none. Until `release`, nothing is read from
 * them: work for their requests would prolong the turns, and clients that connect for each request would never stop.
 *
 * @param servers the servers that get the connections as events.
 * @returns a function that passes the connections on. Call it once the sockets have stopped accepting.
 */
export async function emptyQueues(servers: readonly Server[]): Promise<() => void> {
  const queues = servers.map(hold);
  const accepted = () => queues.reduce((sum, { held }) => sum + held.length, 0);
  const began = monotonicTime();
  let turnBegan = began;
  for (let before = -1; ; ) {
    await nextTurn();
    const [now, after] = [monotonicTime(), accepted()];
    if (after === before && now - turnBegan < QUIET_TURN) break;
    if (now - began > LIMITS.emptyingTime) break;
    turnBegan = now;
    before = after;
  }
  return () => {
    for (const { release } of queues) release();
  };
}

/** Holds the connections of a server: its own handlers get them when they are released. */
function hold(server: Server): { readonly held: readonly Socket[]; readonly release: () => void } {
  const held: Socket[] = [];
  // The declared type of listeners is `Function`; these are the ones of this event.
  const handlers = server.rawListeners('connection') as ((socket: Socket) => void)[];
  const keep = (socket: Socket) => {
    held.push(socket.on('error', ignore));
  };
  server.removeAllListeners('connection').on('connection', keep);
  return {
    held,
    release() {
      server.off('connection', keep);
      for (const handler of handlers) server.on('connection', handler);
      for (const socket of held) {
        socket.off('error', ignore);
        if (!socket.destroyed) server.emit('connection', socket);
      }
    },
  };
}
