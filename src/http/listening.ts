import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../limits.ts';

export interface Place {
  readonly host: string;
  readonly port: number;
  /** What is logged when it listens. */
  readonly text: string;
}

/** Where several sockets may listen on one port, and the kernel deals connections out to them (SO_REUSEPORT, socket(7)). */
const SHARES_PORTS = process.platform === 'linux';

export interface Listening {
  /**
   * Resolves when clients can connect, or when it was told to stop before, and rejects with the system's error where the port is
   * not to be had.
   */
  listen(place: Place): Promise<void>;
  /** Takes no more connections. It resolves when the last one has gone. */
  unlisten(): Promise<void>;
}

/** Milliseconds between two looks for connections that wait for a request, when the server closes. */
const LOOK = 50;

/**
 * Has the server listen, with several sockets on its port where the system can. Node accepts one connection of a socket in a turn
 * of the event loop, so that with one socket a busy server takes up a few dozen clients a second; the others would wait
 * where nobody sees them, and where no load is shed.
 *
 * It is to be called before the server is ready, since it belongs to its end.
 */
export function createListening(app: FastifyInstance): Listening {
  const acceptors: Server[] = [];
  let begun: Promise<void> | undefined;
  let gone: Promise<void> | undefined;
  const begin = async ({ host, port, text }: Place) => {
    const common = { host, port, backlog: LIMITS.backlog, ...(SHARES_PORTS && { reusePort: true }) };
    if (SHARES_PORTS) await refuseTaken(host, port);
    if (gone) return;
    await app.listen({ ...common, listenTextResolver: () => text });
    while (SHARES_PORTS && acceptors.length < LIMITS.acceptors - 1) {
      const acceptor = createAcceptor(app);
      acceptors.push(acceptor);
      await once(acceptor.listen(common), 'listening');
    }
  };
  const end = async () => {
    // What is still to listen could not be closed, and would listen afterwards. Whoever began it is told how that failed.
    await begun?.catch(() => undefined);
    await closeAll([app.server, ...acceptors]);
  };
  const unlisten = () => {
    gone ??= end();
    return gone;
  };
  // What is still asked is answered before anything that answers it closes.
  app.addHook('preClose', async () => {
    const looking = setInterval(() => app.server.closeIdleConnections(), LOOK);
    await unlisten();
    clearInterval(looking);
  });
  return {
    unlisten,
    listen(place) {
      begun = begin(place);
      return begun;
    },
  };
}

/** `http.Server` closes idle connections with its own `close`; the one it inherits only stops accepting. */
async function closeAll(servers: readonly Server[]): Promise<void> {
  const open = servers.filter(({ listening }) => listening);
  await Promise.all(open.map((server) => once(Server.prototype.close.call(server), 'close')));
}

/** Takes up connections for the server, in the way in which `node:http` does. */
function createAcceptor(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit('connection', socket);
  });
}

/** A port that is shared could be shared with another server, without anybody noticing. */
async function refuseTaken(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
