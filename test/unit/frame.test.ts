import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { textFrame } from '../../src/http/streams/frame.ts';

/** Lengths around each change of encoding in RFC 6455. */
const LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000];

test('frames arrive with their original text, also between frames of ws', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const texts = LENGTHS.map((length) => `${'é'.repeat(length / 2)}${'x'.repeat(length % 2)}`);
  server.on('connection', (socket, request) => {
    const stream: Duplex = request.socket;
    for (const text of texts) {
      const bytes = Buffer.from(text);
      const middle = Math.floor(bytes.length / 3);
      stream.write(textFrame(bytes.subarray(0, middle), bytes.subarray(middle)));
      socket.send('between');
    }
    socket.close(1000);
  });
  // A TCP server that listens has an address with a port.
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: string[] = [];
  client.on('message', (data, isBinary) => received.push(isBinary ? 'not a text' : String(data)));
  const [code] = await once(client, 'close');
  expect(code).toBe(1000);
  expect(received).toEqual(texts.flatMap((text) => [text, 'between']));
});
