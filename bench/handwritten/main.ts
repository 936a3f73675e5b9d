/** `main.ts <port> <database file> <key file> <public url>`: the hand-written server, as a process. */
import { createHandwritten } from './app.ts';

const [port, databaseFile, keysFile, publicUrl] = process.argv.slice(2);
if (!port || !databaseFile || !keysFile || !publicUrl) {
  throw new Error('Called without port, database file, key file and public URL.');
}
const app = await createHandwritten({ databaseFile, keysFile, publicUrl });
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', async () => {
  await app.close();
  process.disconnect();
});
// Whoever started it has gone, or it has stopped.
process.once('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; whoever started this process ends it.
process.on('SIGINT', () => undefined);
