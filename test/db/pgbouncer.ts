/** Starts Debian's PgBouncer in transaction mode, in front of the tests' PostgreSQL. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptsConnections, freePort, waitUntil } from '../support/process.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

export const hasPooler = spawnSync(PROGRAM, ['--version']).status === 0;

export interface Pooler {
  /** Returns the URL of a database through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

/**
 * @param server the URL of the PostgreSQL server.
 * @param settings additional lines of the configuration, such as `default_pool_size = 1`.
 */
export async function startPooler(server: string, settings: readonly string[] = []): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-pooler-'));
  // If this process runs as root, PgBouncer runs as another user.
  await chmod(folder, 0o755);
  const port = await freePort();
  const { hostname, port: target, username } = new URL(server);
  const configuration = [
    '[databases]',
    `* = host=${hostname === 'localhost' ? '127.0.0.1' : hostname} port=${target || '5432'} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    ...settings,
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${configuration.join('\n')}\n`);
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn(PROGRAM, [...user, '-q', file], { stdio: 'ignore' });
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error('PgBouncer exited while starting.');
    return acceptsConnections(port);
  }, 'PgBouncer to listen');
  return {
    through(url) {
      const pooled = new URL(url);
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
