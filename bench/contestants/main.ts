/** `main.ts <contestant> <port> <database url> <key file> <public url>`: runs a server that is compared with Portico. */
import { createAuthentication } from './authentication.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

export interface ContestantParts {
  readonly store: Store;
  readonly authenticate: Awaited<ReturnType<typeof createAuthentication>>;
  readonly publicUrl: string;
}

/** Starts listening. @returns a function that stops the server. */
export type Start = (parts: ContestantParts, port: number) => Promise<() => Promise<unknown>>;

const STARTS: Readonly<Record<string, () => Promise<Start>>> = {
  'hand-written': async () => (await import('./handwritten.ts')).startHandwritten,
  'hand-written-single': async () => (await import('./handwritten.ts')).startHandwritten,
  mercurius: async () => (await import('./mercurius.ts')).startMercurius,
  apollo: async () => (await import('./apollo.ts')).startApollo,
};

const [name, port, databaseUrl, keysFile, publicUrl] = process.argv.slice(2);
const load = name === undefined ? undefined : STARTS[name];
if (!load || !port || !databaseUrl || !keysFile || !publicUrl) {
  throw new Error('Usage: main.ts <contestant> <port> <database url> <key file> <public url>');
}
const store = openStore(databaseUrl, name === 'hand-written-single');
const authenticate = await createAuthentication(keysFile, publicUrl);
const stop = await (await load())({ store, authenticate, publicUrl }, Number(port));
process.once('SIGTERM', async () => {
  await stop();
  await store.close();
  process.disconnect?.();
});
// The parent has exited, or this process has stopped and disconnected.
process.once('disconnect', () => process.exit());
// Ctrl-C sends SIGINT to the whole process group; the parent ends this process.
process.on('SIGINT', () => undefined);
