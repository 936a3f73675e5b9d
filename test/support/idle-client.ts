/**
 * A process of its own that opens connections and says nothing on them: `node idle-client.ts <port> <connections>`. It says
 * `open` when all are, and a line with what it was sent whenever one is closed. It holds them until it is ended.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

/** Connections that are made at a time: no more than fit into the queue of a server that listens. */
const AT_ONCE = 200;

const [port, count] = process.argv.slice(2).map(Number) as [number, number];

function open() {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  // A connection that was cut off is one that was sent nothing.
  socket.on('error', () => undefined);
  socket.once('close', () => process.stdout.write(`closed: ${text.split('\r\n')[0]}\n`));
  return once(socket, 'connect');
}

for (let opened = 0; opened < count; opened += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, open));
}
process.stdout.write('open\n');
