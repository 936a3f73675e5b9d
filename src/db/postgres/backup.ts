import { execFile } from 'node:child_process';
import pg from 'pg';
import { type BackupEngine, BackupError, type BackupPlace, compareBackup } from '../backup-engine.ts';
import { databaseError } from '../errors.ts';
import { compareMigrations, urlsOf, withPrimary } from './servers.ts';

/** Restored objects belong to the user who restores them. */
const WITHOUT_OWNERS = ['--no-owner', '--no-privileges'];

/** Backups of PostgreSQL are archives of pg_dump in its custom format: one snapshot, compressed. */
export const postgresBackup: BackupEngine = {
  async write(place, file) {
    await runProgram(place, 'pg_dump', [
      '--format=custom',
      ...WITHOUT_OWNERS,
      `--file=${file}`,
      hostOf(place),
    ]);
  },

  async check(place, file) {
    // Reads and decompresses the whole archive, and discards the output.
    const damaged = `${file} is damaged, or not a backup of PostgreSQL`;
    await runProgram(place, 'pg_restore', ['--file=/dev/null', file], damaged);
    const migrations = ['--data-only', '--schema=drizzle', '--table=__drizzle_migrations', '--file=-'];
    const rows = await runProgram(place, 'pg_restore', [...migrations, file]);
    return compareBackup(newestOf(rows), compareMigrations);
  },

  async requireEmpty({ url }) {
    const relations = `select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and nspname not like 'pg\\_%' and nspname <> 'information_schema' limit 1`;
    const find = withPrimary(url, 'portico-restore', (client) => client.query(relations));
    const { rowCount } = await find.catch((error: unknown) => {
      throw databaseError(error);
    });
    if (rowCount) throw new BackupError('The database is not empty. Restore into a new one.');
  },

  async load(place, file) {
    const whole = ['--single-transaction', '--exit-on-error'];
    await runProgram(place, 'pg_restore', [...whole, ...WITHOUT_OWNERS, hostOf(place), file]);
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

/** Parameters that are passed in another way, or that only the driver of the server knows. */
const OWN_PARAMETER = /^(password|uselibpqcompat)=/;

/**
 * The URL for libpq, without user and password, since every user of a machine can see the arguments of a process. A query also may have
 * the password.
 */
function hostOf({ url }: BackupPlace): string {
  const [place = '', ...query] = url.replace(/(?<=:\/\/)[^/?]*@/, '').split('?');
  const parameters = query
    // A password may contain a ?.
    .join('?')
    .split('&')
    .filter((parameter) => parameter !== '' && !OWN_PARAMETER.test(parameter))
    // The driver's name for encryption without verification.
    .map((parameter) => parameter.replace(/^sslmode=no-verify$/, 'sslmode=require'));
  return `--dbname=${[place, ...(parameters.length > 0 ? [parameters.join('&')] : [])].join('?')}`;
}

/** The user and the password, as the driver reads them from a URL: it accepts some characters that libpq does not. */
function credentialsIn(url: string): NodeJS.ProcessEnv {
  const { user, password } = new pg.Client({ connectionString: urlsOf(url)[0] });
  return { ...(user && { PGUSER: user }), ...(password && { PGPASSWORD: password }) };
}

/**
 * Runs a program of PostgreSQL's client package.
 *
 * @param failure what it means that the program fails.
 * @returns its output. @throws BackupError with its error output.
 */
function runProgram(
  { url, environment }: BackupPlace,
  program: string,
  args: readonly string[],
  failure = `${program} failed`,
): Promise<string> {
  // Of several servers, only the primary can be restored into. Every kind of server can be read.
  const attributes = program === 'pg_restore' && { PGTARGETSESSIONATTRS: 'read-write' };
  const env = { ...environment, ...credentialsIn(url), ...attributes };
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, maxBuffer: OUTPUT_BYTES }, (error, output, said) => {
      if (!error) return resolve(output);
      const reason =
        error.code === 'ENOENT'
          ? `${program} is not installed. It is part of the client programs of PostgreSQL.`
          : `${failure}: ${said.trim() || error.message}`;
      reject(new BackupError(reason));
    });
  });
}
