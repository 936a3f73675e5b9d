import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { LIMITS } from '../../core/limits.ts';
import { networkOf } from '../../core/networks.ts';

export interface ConnectionLimits {
  /** Maximum connections of one network. */
  readonly perNetwork: number;
  /** Maximum connections of all networks together, by default as many as the process may open files, except for a reserve. */
  readonly total?: number;
  /** Whether an address is that of a trusted proxy, whose connections are those of many clients. They are not counted as a network. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Limits the open connections, so that one network cannot use up what the process may open: without a free descriptor no client can connect,
 * and the server cannot read its own files. A connection beyond the limit of its network is closed. One beyond the total replaces the
 * oldest of the network with the most: of many connections, that is most likely an idle one, and its client can reconnect.
 *
 * @returns a function that limits the connections of a server, in addition to those of the other servers. Call it before the server gets
 *   connections.
 */
export function limitConnections({ perNetwork, total = descriptorsForClients(), isProxy }: ConnectionLimits) {
  /** The open connections by network, oldest first. */
  const networks = new Map<string, Set<Socket>>();
  let count = 0;

  const makeRoom = (): void => {
    let most: Set<Socket> | undefined;
    for (const sockets of networks.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
    const [oldest] = most ?? [];
    if (!most || !oldest) return;
    most.delete(oldest);
    oldest.destroy();
  };

  const admit = (socket: Socket): void => {
    count += 1;
    socket.once('close', () => {
      count -= 1;
    });
    const { remoteAddress = '' } = socket;
    if (count > total) makeRoom();
    if (isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const sockets = networks.get(network) ?? new Set();
    if (sockets.size >= perNetwork) return void socket.destroy();
    networks.set(network, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && networks.get(network) === sockets) networks.delete(network);
    });
  };
  return (server: Server): void => void server.prependListener('connection', admit);
}

/** The number of files that this process may open, except for the reserve. Systems other than Linux have no file that says it. */
function descriptorsForClients(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined
      ? Number.POSITIVE_INFINITY
      : Math.floor(Number(limit) * (1 - LIMITS.descriptorReserve));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
