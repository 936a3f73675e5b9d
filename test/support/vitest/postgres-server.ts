/** The PostgreSQL server of a test run, from Debian's programs. */
import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgres, PostgresServer } from '../../../deploy/postgres.ts';
import { freePort } from '../process.ts';

/** Tests need no durability, and create hundreds of databases. */
const SETTINGS = [
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'wal_keep_size=0',
  'max_wal_size=256MB',
  'checkpoint_timeout=1d',
  'shared_buffers=256MB',
  'autovacuum=off',
  // Estimates for tables without statistics are high enough to compile trivial statements.
  'jit=off',
];

/**
 * A shell script that stops the server with the given process id and deletes a directory when its input ends, which happens even
 * if this process is killed.
 */
const GUARD = 'read -r _; kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';

/**
 * Starts a server in a folder of the run's directory. If this process ends without running the cleanups, the server is stopped and
 * the directory deleted.
 *
 * @param cleanups gets the function that stops the server.
 * @returns the URL; undefined if Debian's programs are not installed.
 */
export async function startThrowawayServer(
  directory: string,
  cleanups: AsyncDisposableStack,
): Promise<string | undefined> {
  const programs = await findPostgres();
  if (!programs) return undefined;
  // PostgreSQL may run as another user.
  await chmod(directory, 0o711);
  const server = await PostgresServer.create(
    programs,
    join(directory, 'postgres'),
    await freePort(),
    SETTINGS,
  );
  cleanups.defer(() => server.stop());
  // In its own process group, since Ctrl-C ends all processes of the group of this process.
  const guard = spawn('sh', ['-c', GUARD, 'guard', String(server.pid), directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  cleanups.defer(() => void guard.kill());
  return server.url('postgres');
}
