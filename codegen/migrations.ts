/**
 * `npm run db:generate -- --name <name>` generates a migration with this name for each engine whose tables differ from its migrations.
 * Without a name it writes nothing, and fails if a migration is missing.
 *
 * A migration is the difference between the tables and the newest snapshot, so former snapshots are deleted.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api';
import { postgresTables } from '../src/db/postgres/columns.ts';
import { sqliteTables } from '../src/db/sqlite/columns.ts';
import { besideServers, copyingFormerColumns, problemsWith } from './migration-statements.ts';

/** The separator of statements that drizzle's migrator expects. */
const BREAKPOINT = '--> statement-breakpoint\n';

interface Journal {
  readonly entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

interface Migration {
  readonly folder: string;
  readonly snapshot: { readonly version: string };
  readonly statements: readonly string[];
}

const metaOf = (folder: string) => join(folder, 'meta');
const journalOf = (folder: string) => join(metaOf(folder), '_journal.json');
const snapshotsIn = (folder: string) =>
  readdirSync(metaOf(folder))
    .filter((file) => file.endsWith('_snapshot.json'))
    .sort();
const newestSnapshotIn = (folder: string) => readJson(join(metaOf(folder), snapshotsIn(folder).at(-1) ?? ''));

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value, null, 2));
}

/** Both engines, one after the other, since drizzle-kit may ask whether a column was renamed. */
async function generate(): Promise<readonly Migration[]> {
  const sqlite = 'src/db/sqlite/migrations';
  const postgres = 'src/db/postgres/migrations';
  const former = { sqlite: newestSnapshotIn(sqlite), postgres: newestSnapshotIn(postgres) };
  const snapshots = {
    sqlite: await generateSQLiteDrizzleJson({ ...sqliteTables }, former.sqlite.id),
    postgres: generateDrizzleJson({ ...postgresTables }, former.postgres.id),
  };
  const generated = {
    sqlite: await generateSQLiteMigration(former.sqlite, snapshots.sqlite),
    postgres: await generateMigration(former.postgres, snapshots.postgres),
  };
  const problems = [
    ...problemsWith(generated.sqlite, former.sqlite, snapshots.sqlite),
    ...problemsWith(generated.postgres, former.postgres, snapshots.postgres),
  ];
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exit(1);
  }
  return [
    {
      folder: sqlite,
      snapshot: snapshots.sqlite,
      statements: copyingFormerColumns(generated.sqlite, former.sqlite),
    },
    { folder: postgres, snapshot: snapshots.postgres, statements: besideServers(generated.postgres) },
  ];
}

function write({ folder, snapshot, statements }: Migration, name: string): void {
  const journal: Journal = readJson(journalOf(folder));
  const idx = (journal.entries.at(-1)?.idx ?? -1) + 1;
  const number = String(idx).padStart(4, '0');
  const tag = `${number}_${name}`;
  for (const former of snapshotsIn(folder)) rmSync(join(metaOf(folder), former));
  writeJson(join(metaOf(folder), `${number}_snapshot.json`), snapshot);
  writeFileSync(join(folder, `${tag}.sql`), statements.join(BREAKPOINT));
  journal.entries.push({ idx, version: snapshot.version, when: Date.now(), tag, breakpoints: true });
  writeJson(journalOf(folder), journal);
  process.stdout.write(`${join(folder, `${tag}.sql`)}\n`);
}

const { name } = parseArgs({ options: { name: { type: 'string' } } }).values;
const migrations = (await generate()).filter(({ statements }) => statements.length > 0);
if (migrations.length === 0) {
  process.stdout.write('The migrations match the tables.\n');
} else if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
  const folders = migrations.map(({ folder }) => folder).join(' and ');
  process.stderr.write(
    `The tables differ from ${folders}. Name the change, in lower-case letters, digits and underscores: npm run db:generate -- --name product_sku\n`,
  );
  process.exitCode = 1;
} else {
  for (const migration of migrations) write(migration, name);
}
