import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/policy.ts';
import { Backlogs } from '../../src/http/streams/backlog.ts';
import { EventStreams, sessionOf } from '../../src/http/streams/event-stream.ts';
import type { Stream } from '../../src/subscriptions/stream.ts';

test('a client that disconnects before its stream is admitted leaves nothing behind', async () => {
  const watched = new Set<unknown>();
  let open = 0;
  const streams = new EventStreams(
    (session) => {
      watched.add(session);
      return () => void watched.delete(session);
    },
    {
      subscriptionOpened() {
        open += 1;
        return () => {
          open -= 1;
        };
      },
    },
    new Backlogs(),
  );
  const calls: string[] = [];
  const stream = {
    position: 1,
    cursor: 'c',
    start: () => void calls.push('start'),
    end: () => void calls.push('end'),
    stop: () => void calls.push('stop'),
  } as unknown as Stream;
  const app = Fastify();
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  app.get('/', async (_request, reply) => {
    const gone = once(reply.raw, 'close');
    arrived.resolve();
    await gone;
    const format = { event: () => Buffer.alloc(0), end: () => '' };
    // No authentication is needed here.
    streams.respond(reply, stream, sessionOf(null as unknown as Principal, '127.0.0.1'), format);
    answered.resolve();
    return reply;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await arrived.promise;
    socket.destroy();
    await answered.promise;
    expect(calls).toEqual(['stop']);
    expect(watched.size).toBe(0);
    expect(open).toBe(0);
  } finally {
    streams.close();
    await app.close();
  }
});
