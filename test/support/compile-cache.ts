import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Has Node write down what it compiles of the server, for the workers and the servers that tests start: Node does so when a process
 * ends by itself, which most of those in tests are not left to.
 *
 * @param directory where it is written down.
 */
export async function fillCompileCache(directory: string): Promise<void> {
  const script = fileURLToPath(new URL('../../src/cli/compile.ts', import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, NODE_COMPILE_CACHE: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The server could not be loaded: exit code ${code}.`);
}
