/** Responses that clients do not read: whose connections are closed when they have too many bytes. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { UnreadResponses } from '../../src/http/hooks/unread.ts';

const LIMIT = 1000;

class Response extends EventEmitter {
  headersSent = true;
  isDestroyed = false;
  writableLength: number;

  constructor(writableLength: number) {
    super();
    this.writableLength = writableLength;
  }

  destroy(): this {
    this.isDestroyed = true;
    this.emit('close');
    return this;
  }
}

type Given = readonly [caller: string, bytes: number];

/** Adds responses, each of which is sent before the next one. Returns them. */
function add(given: readonly Given[]): readonly Response[] {
  const unread = new UnreadResponses(LIMIT);
  return given.map(([caller, bytes]) => {
    const response = new Response(bytes);
    response.headersSent = false;
    unread.add(response, caller, bytes);
    response.headersSent = true;
    return response;
  });
}

test.each<[title: string, given: readonly Given[], closed: readonly number[]]>([
  [
    'none up to the limit',
    [
      ['a', 500],
      ['a', 500],
    ],
    [],
  ],
  [
    'the oldest of a caller',
    [
      ['a', 500],
      ['a', 500],
      ['a', 1],
    ],
    [0],
  ],
  [
    'as many as necessary',
    [
      ['a', 400],
      ['a', 300],
      ['a', 300],
      ['b', 600],
    ],
    [0, 1],
  ],
  [
    'those of the caller with the most',
    [
      ['b', 300],
      ['a', 350],
      ['a', 350],
      ['b', 1],
    ],
    [1],
  ],
  [
    'none of a caller with few',
    [
      ['b', 100],
      ['a', 900],
      ['a', 900],
      ['a', 900],
    ],
    [1, 2],
  ],
  ['none before it is sent', [['a', 2000]], []],
])('are closed: %s', (_title, given, closed) => {
  const isClosed = add(given).flatMap(({ isDestroyed }, index) => (isDestroyed ? [index] : []));
  expect(isClosed).toEqual(closed);
});

test('do not count what was read', () => {
  const unread = new UnreadResponses(LIMIT);
  const [read, partly, last] = [new Response(800), new Response(800), new Response(800)];
  unread.add(read, 'a', 800);
  read.emit('close');
  unread.add(partly, 'a', 800);
  partly.writableLength = 100;
  unread.add(last, 'a', 800);
  expect([read, partly, last].map(({ isDestroyed }) => isDestroyed)).toEqual([false, false, false]);
});
