/** Backups of a whole database in one file, made while servers use it. */
import { randomUUID } from 'node:crypto';
import { accessSync, constants, renameSync, rmSync, statSync } from 'node:fs';
import { exists, makePrivateFile } from '../core/private-files.ts';
import { type BackupEngine, BackupError, type BackupPlace, type CheckedBackup } from './backup-engine.ts';
import { isPostgres } from './open.ts';

async function engineOf({ url }: BackupPlace): Promise<BackupEngine> {
  if (isPostgres(url)) return (await import('./postgres/backup.ts')).postgresBackup;
  return (await import('./sqlite/backup.ts')).sqliteBackup;
}

/**
 * Backs up a database, also one that a newer version has migrated, alongside which this version may run. The file appears under its name
 * only after it was written completely and read back.
 *
 * @param file created readable by its owner only, since it contains everything that the database contains.
 * @throws BackupError, also if the file exists.
 */
export async function backUp(place: BackupPlace, file: string): Promise<CheckedBackup> {
  if (exists(file)) throw new BackupError(`${file} exists. Give the backup a name of its own.`);
  const engine = await engineOf(place);
  // Its own, since another backup to the same file may be running.
  const part = `${file}.${randomUUID()}.part`;
  try {
    makePrivateFile(part);
  } catch (cause) {
    throw new BackupError(`${file} cannot be written`, { cause });
  }
  try {
    await engine.write(place, part);
    const checked = await engine.check(place, part);
    renameSync(part, file);
    return checked;
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Loads a backup into an empty database, after the backup was read to its end and checked.
 *
 * @throws BackupError for a backup that cannot be used, or a database that has tables.
 */
export async function restore(place: BackupPlace, file: string): Promise<void> {
  if (!exists(file)) throw new BackupError(`There is no file ${file}.`);
  const engine = await engineOf(place);
  if (!statSync(file).isFile()) throw new BackupError(`${file} is not a file.`);
  try {
    accessSync(file, constants.R_OK);
  } catch (cause) {
    throw new BackupError(`${file} cannot be read`, { cause });
  }
  if ((await engine.check(place, file)).newer) {
    throw new BackupError(
      'This backup is of a newer version of Portico, and only that version can restore it.',
    );
  }
  await engine.requireEmpty(place);
  await engine.load(place, file);
}
