import { execFile } from 'node:child_process';
import { type BackupEngine, BackupError, type BackupPlace, requireKnown } from '../backup-engine.ts';
import { databaseError } from '../errors.ts';
import { compareMigrations, urlsOf, withClient } from './servers.ts';

/** Restored objects belong to the user who restores them. */
const WITHOUT_OWNERS = ['--no-owner', '--no-privileges'];

/** Backups of PostgreSQL are archives of pg_dump in its custom format: one snapshot, compressed. */
export const postgresBackup: BackupEngine = {
  async write(place, file) {
    await runProgram(place, 'pg_dump', [
      '--format=custom',
      ...WITHOUT_OWNERS,
      `--file=${file}`,
      ...hostOf(place),
    ]);
  },

  async check(place, file) {
    // Reads and decompresses the whole archive, and discards the output.
    await runProgram(place, 'pg_restore', ['--file=/dev/null', file]);
    const migrations = ['--data-only', '--schema=drizzle', '--table=__drizzle_migrations', '--file=-'];
    const rows = await runProgram(place, 'pg_restore', [...migrations, file]);
    requireKnown(newestOf(rows), compareMigrations);
  },

  async requireEmpty({ url }) {
    const relations = `select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and nspname not like 'pg\\_%' and nspname <> 'information_schema' limit 1`;
    try {
      const found = await withClient({ connectionString: urlsOf(url)[0] }, (client) =>
        client.query(relations),
      );
      if (found.rowCount) throw new BackupError('The database is not empty. Restore into a new one.');
    } catch (error) {
      throw error instanceof BackupError ? error : databaseError(error);
    }
  },

  async load(place, file) {
    const whole = ['--single-transaction', '--exit-on-error'];
    await runProgram(place, 'pg_restore', [...whole, ...WITHOUT_OWNERS, ...hostOf(place), file]);
  },
};

/** Returns when the newest migration was created. The rows between `COPY` and `\.` are `id`, hash and time, separated by tabs. */
function newestOf(sql: string): number | undefined {
  const [, rows = ''] = /^COPY [^\n]*__drizzle_migrations[^\n]*\n(.*?)^\\\.$/ms.exec(sql) ?? [];
  const times = [...rows.matchAll(/\t(\d+)$/gm)].map(([, time]) => Number(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Maximum output of a program in bytes: the record of migrations is far smaller. */
const OUTPUT_BYTES = 16 * 1024 * 1024;

const PASSWORD = /^(\w+:\/\/[^/?@:]*):([^@]*)@/;

/** The URL without its password, since every user of a machine can see the arguments of a process. */
const hostOf = ({ url }: BackupPlace) => [`--dbname=${url.replace(PASSWORD, '$1@')}`];

/**
 * Runs a program of PostgreSQL's client package.
 *
 * @returns its output. @throws BackupError with its error output.
 */
function runProgram(
  { url, environment }: BackupPlace,
  program: string,
  args: readonly string[],
): Promise<string> {
  const password = PASSWORD.exec(url)?.[2];
  const env = { ...environment, ...(password !== undefined && { PGPASSWORD: decodeURIComponent(password) }) };
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, maxBuffer: OUTPUT_BYTES }, (error, output, said) => {
      if (!error) return resolve(output);
      const reason =
        error.code === 'ENOENT'
          ? `${program} is not installed. It is part of the client programs of PostgreSQL.`
          : `${program} failed: ${said.trim() || error.message}`;
      reject(new BackupError(reason));
    });
  });
}
