import { closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import Client from 'better-sqlite3';
import { exists, makePrivateFile } from '../../core/private-files.ts';
import { type BackupEngine, BackupError, compareBackup } from '../backup-engine.ts';
import { compareMigrations, fileOf, makeDatabaseFile, newestMigration, withClient } from './location.ts';

/** Backups of SQLite are databases in one file. */
export const sqliteBackup: BackupEngine = {
  async write({ url }, file) {
    const source = fileOf(url);
    if (!exists(source)) throw new BackupError(`There is no database ${source}.`);
    // One read transaction, while others can write. The backup API would start over whenever another process writes.
    try {
      withClient(source, (client) => client.prepare('vacuum into ?').run(file));
    } catch (cause) {
      throw new BackupError(`${source} cannot be backed up`, { cause });
    }
    sync(file);
  },

  async check(_place, file) {
    // Reading it without its log would lose changes, and a database without its log, which `readBackup` deletes, would lose them for good.
    if (exists(`${file}-wal`)) {
      throw new BackupError(
        `${file} has a log, ${file}-wal, so it is a database and not a backup. Back it up with DATABASE_URL=file:${file}.`,
      );
    }
    return compareBackup(readBackup(file), compareMigrations);
  },

  async requireEmpty({ url }) {
    const target = fileOf(url);
    if (!exists(target)) return;
    const tables = withClient(target, (client) =>
      client.prepare('select count(*) from sqlite_master').pluck().get(),
    );
    if (tables !== 0)
      throw new BackupError(`${target} is not empty. Restore into a database that does not exist.`);
  },

  async load(place, file) {
    const target = fileOf(place.url);
    makeDatabaseFile(target);
    const part = `${target}.part`;
    rmSync(part, { force: true });
    makePrivateFile(part);
    try {
      copyFileSync(file, part);
      sync(part);
      // A supervisor may have started a server meanwhile: copying a large backup takes minutes.
      await sqliteBackup.requireEmpty(place);
      // SQLite would take the log of the empty database for that of the restored one.
      for (const suffix of ['-wal', '-shm']) rmSync(target + suffix, { force: true });
      renameSync(part, target);
    } finally {
      rmSync(part, { force: true });
    }
  },
};

/** Checks a backup and returns when its newest migration was created. @throws BackupError if the file is damaged or not of SQLite. */
function readBackup(file: string): number | undefined {
  try {
    return withClient(file, (client) => {
      const [problem] = client.prepare<unknown[], string>('pragma integrity_check(1)').pluck().all();
      if (problem !== 'ok') throw new BackupError(`${file} is damaged: ${problem}.`);
      return newestMigration(client);
    });
  } catch (error) {
    if (!(error instanceof Client.SqliteError)) throw error;
    throw new BackupError(`${file} is damaged, or not a backup of SQLite: ${error.message}.`);
  } finally {
    // Reading a database that was written in WAL mode creates these files.
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  }
}

/** Flushes a file to disk before it is renamed, so that a crash cannot leave its final name without its content. */
function sync(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
