import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Backlog, Backlogs, sharedSink } from '../../src/http/streams/backlog.ts';
import { EventSink } from '../../src/http/streams/event-stream.ts';
import { Burst } from '../../src/subscriptions/burst.ts';
import { Follower, type StreamSession } from '../../src/subscriptions/follower.ts';
import { StreamMessage } from '../../src/subscriptions/stream-message.ts';

/** A connection that takes everything, and records what is written at once. */
class Connection extends Backlog {
  readonly writes: string[] = [];
  protected override readonly transport = new Writable({
    writev: (chunks, done) => {
      this.writes.push(chunks.map(({ chunk }) => String(chunk)).join());
      done();
    },
  });
  override readonly unsent = 0;

  constructor() {
    super(new Backlogs());
  }

  override get waiting(): number {
    return this.transport.writableLength;
  }

  write(bytes: Buffer): void {
    this.count(bytes.length);
    this.transport.write(bytes);
  }

  readonly end = (): never => expect.fail('The connection ends.');
}

/** One of the subscriptions on a connection. */
class TestFollower extends Follower {
  override readonly end = (): never => expect.fail('The stream ends.');
  override readonly fallBehind = this.end;

  constructor(connection: Connection) {
    const session: Partial<StreamSession> = { address: '127.0.0.1' };
    super(session as StreamSession, 'websocket', 'public', { id: 0 });
    this.sink = sharedSink(connection, ({ payload }) => Buffer.from(payload), this.end);
  }

  pass(payload: string): void {
    this.send(new StreamMessage('', payload));
  }
}

let burst: Burst;

beforeEach(() => {
  vi.useFakeTimers();
  burst = new Burst();
});
afterEach(() => {
  burst.end();
  vi.useRealTimers();
});

test('the messages of a burst are written at once at its end, and those after it at once each', () => {
  const connection = new Connection();
  const followers = [new TestFollower(connection), new TestFollower(connection)];
  const pass = (payload: string) => {
    for (const follower of followers) follower.pass(payload);
  };
  for (const payload of ['a', 'b']) {
    burst.begin(() => followers);
    pass(payload);
  }
  expect(connection.writes).toEqual([]);
  burst.end();
  expect(connection.writes).toEqual(['a,a,b,b']);
  pass('c');
  expect(connection.writes).toEqual(['a,a,b,b', 'c', 'c']);
});

test('no message waits longer for others than the limit', () => {
  const [first, second] = [new Connection(), new Connection()];
  const followers = [new TestFollower(first), new TestFollower(second)];
  burst.begin(() => followers.slice(0, 1));
  followers[0]?.pass('a');
  vi.advanceTimersByTime(LIMITS.burst);
  expect(first.writes).toEqual(['a']);
  burst.begin(() => followers);
  burst.begin(() => expect.fail('The burst has begun.'));
  for (const follower of followers) follower.pass('b');
  expect(second.writes).toEqual([]);
  vi.advanceTimersByTime(LIMITS.burst);
  expect([first.writes, second.writes]).toEqual([['a', 'b'], ['b']]);
});

test('long messages are not kept, so that they do not seem to be a backlog', () => {
  const connection = new Connection();
  const followers = [new TestFollower(connection), new TestFollower(connection)];
  const long = 'x'.repeat(LIMITS.corkedBytes);
  burst.begin(() => followers);
  for (const payload of ['a', long, 'b']) followers[0]?.pass(payload);
  expect(connection.writes).toEqual(['a', long, 'b']);
  expect(connection.waiting).toBe(0);
});

test('an event stream that ends in a burst sends what was kept, and its end after it', async () => {
  vi.useRealTimers();
  const format = { event: ({ payload }: StreamMessage) => Buffer.from(payload), end: () => 'end' };
  const server = createServer((_request, response) => {
    response.flushHeaders();
    const sink = new EventSink(response, format, new Backlogs());
    sink.cork();
    for (const payload of ['a', 'b']) sink.send(new StreamMessage('', payload));
    sink.end('complete', '');
    sink.uncork();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await response.text()).toBe('abend');
  } finally {
    server.close();
  }
});
