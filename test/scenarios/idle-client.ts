/**
 * A process that opens idle connections: `node idle-client.ts <port> <connections>`. It prints `open` when all are open, and a line with the
 * received text whenever one is closed. It keeps them open until it is killed.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

/** The number of concurrent connection attempts: no more than the backlog of a listening socket. */
const AT_ONCE = 200;

const [port, count] = process.argv.slice(2).map(Number) as [number, number];

function open() {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  // A reset connection counts as closed without a response.
  socket.on('error', () => undefined);
  socket.once('close', () => process.stdout.write(`closed: ${text.split('\r\n')[0]}\n`));
  return once(socket, 'connect');
}

for (let opened = 0; opened < count; opened += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, open));
}
process.stdout.write('open\n');
