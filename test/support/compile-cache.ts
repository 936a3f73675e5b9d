import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a server loads when it starts, but for what it does then. */
const MODULES = ['app.ts', 'db/sqlite/engine.ts', 'db/postgres/engine.ts', 'demo/install.ts', 'redis.ts'];

/**
 * Has Node write down what it compiles of the server, for the workers and the servers that tests start: Node does so when a process
 * ends by itself, which most of those in tests are not left to.
 *
 * @param directory where it is written down.
 */
export async function fillCompileCache(directory: string): Promise<void> {
  const urls = MODULES.map((module) => new URL(`../../src/${module}`, import.meta.url));
  const script = urls.map((url) => `await import(${JSON.stringify(url.href)});`).join('\n');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, NODE_COMPILE_CACHE: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The server could not be loaded: exit code ${code}.`);
}
