/** `main.ts <contestant> <port> <database url> <key file> <public url>`: a server beside Portico, as a process. */
import { createAuthentication } from './authentication.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

export interface ContestantParts {
  readonly store: Store;
  readonly authenticate: Awaited<ReturnType<typeof createAuthentication>>;
  readonly publicUrl: string;
}

/** Begins to listen, and returns what ends that. */
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
  throw new Error('Called without contestant, port, database URL, key file and public URL.');
}
const store = openStore(databaseUrl, name === 'hand-written-single');
const authenticate = await createAuthentication(keysFile, publicUrl);
const stop = await (await load())({ store, authenticate, publicUrl }, Number(port));
process.once('SIGTERM', async () => {
  await stop();
  await store.close();
  process.disconnect?.();
});
// The process that started it has gone, or this one has stopped.
process.once('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the process that started this one ends it.
process.on('SIGINT', () => undefined);
