/** Starts servers that kill themselves at a point of a charge or a refund: see `charging-server.ts`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundled, COMPILED, freePort, ROOT, SHORT_LIVED } from '../support/process.ts';
import type { ChargingServerOptions, Point } from './points.ts';

const PROGRAM = 'test/faults/charging-server.ts';

const running = new Set<ChildProcess>();
// A worker that is killed in the middle of a test runs no hooks.
process.once('exit', () => endServers());

/** Kills servers that a failed test has left running. */
export function endServers(): void {
  for (const child of running) child.kill('SIGKILL');
}

export class ChargingServer {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #exit: Promise<unknown[]>;

  private constructor(child: ChildProcess, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#child = child;
    if (!child.stdout) throw new Error('The server has no output pipe.');
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    this.#exit = once(child, 'exit');
    running.add(child);
    child.once('exit', () => running.delete(child));
  }

  /** Resolves when the server is ready. */
  static async start(options: Omit<ChargingServerOptions, 'port'>): Promise<ChargingServer> {
    const port = await freePort();
    const entry = bundled(PROGRAM) ?? join(ROOT, PROGRAM);
    const child = spawn(process.execPath, [...SHORT_LIVED, entry, JSON.stringify({ ...options, port })], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: COMPILED,
    });
    const server = new ChargingServer(child, port);
    await server.#expect('ready');
    return server;
  }

  /** From now on, a request that reaches this point kills the process. */
  async arm(point: Point): Promise<void> {
    this.#child.stdin?.write(`${point}\n`);
    await this.#expect('armed');
  }

  /** Resolves at the first call to a slow gateway. */
  async asked(): Promise<void> {
    await this.#expect('asked');
  }

  /** The exit code, or the signal. */
  async exit(): Promise<unknown[]> {
    return this.#exit;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  async #expect(word: string): Promise<void> {
    const { value, done } = await this.#lines.next();
    if (done || value !== word)
      throw new Error(`The server wrote ${JSON.stringify(value)} instead of ${word}.`);
  }
}

/** A credential that does not expire under the shifted clocks of these servers. */
export async function makeApiKey(url: string): Promise<string> {
  const post = async <Body>(path: string, body: unknown, authorization = ''): Promise<Body> => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Body;
  };
  const { access_token: token } = await post<{ access_token: string }>('/v1/auth/login', {
    email: 'ada@acme.test',
    password: 'portico-demo',
  });
  const made = await post<{ key: string }>(
    '/v1/api-keys',
    { name: 'till', scopes: ['write:charges'] },
    `Bearer ${token}`,
  );
  return `ApiKey ${made.key}`;
}
