import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import Client from 'better-sqlite3';
import pg from 'pg';
import type { Engine } from './contestants.ts';
import type { Machine } from './results.ts';

export const loadNow = () => loadavg()[0] ?? 0;

/** @param startLoad the result of {@link loadNow} at the start of the measurement. */
export async function describeMachine(
  engines: readonly Engine[],
  postgresUrl: string,
  startLoad: number,
): Promise<Machine> {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    sqlite: sqliteVersion(),
    postgres: engines.includes('postgres') ? await postgresVersion(postgresUrl) : undefined,
    load: [startLoad, loadNow()],
  };
}

function sqliteVersion(): string {
  const db = new Client(':memory:');
  try {
    return String(db.prepare('select sqlite_version()').pluck().get());
  } finally {
    db.close();
  }
}

async function postgresVersion(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version.split(' ')[0] ?? 'unknown';
  } finally {
    await client.end();
  }
}

/** Returns the current commit, and whether files differ from it. */
export function describeCommit(): { readonly commit: string; readonly modified: boolean } {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return {
      commit: git('rev-parse', 'HEAD'),
      modified: git('status', '--porcelain', '--', 'src', 'resolvers', 'schema', 'rest', 'bench') !== '',
    };
  } catch {
    return { commit: 'unknown', modified: true };
  }
}
