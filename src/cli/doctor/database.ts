import { withoutPassword } from '../../core/environment.ts';
import { reasonOf } from '../../core/failure.ts';
import { MIB, SECOND } from '../../core/limits.ts';
import type { DatabaseState } from '../../db/database-state.ts';
import { inspectDatabase } from '../../db/open.ts';
import { type Check, type Finding, findingsOf, type Subject } from './finding.ts';

/** Milliseconds by which clocks may differ: more than NTP leaves and than the latency of the database. */
const CLOCK_TOLERANCE = 2 * SECOND;

/** Milliseconds of difference from which links, tokens and signatures expire noticeably early or late. */
const CLOCK_FAULT = 60 * SECOND;

/** Free bytes that SQLite needs for its log, and for a migration that rewrites a table. */
const DISK_LEAST = 100 * MIB;

/** Free bytes below which the check warns. */
const DISK_LOW = 1024 * MIB;

const database = findingsOf('database');
const migrations = findingsOf('migrations');
const clock = findingsOf('clock');
const disk = findingsOf('disk');

/** Checks the database, its migrations, its clock and its disk. */
export const checkDatabase: Check = async (subject) => {
  const { url, directUrl } = subject.config.database;
  const { findings, state } = await look(url, subject);
  if (!state) return findings;
  return [
    ...findings,
    ...(directUrl === url ? [] : await checkDirectUrl(state, subject)),
    ...migrationsOf(state),
    ...(state.clockAhead === undefined ? [] : [clockOf(state.clockAhead)]),
    ...(state.folder === undefined ? [] : [diskOf(state.folder, await subject.freeBytes(state.folder))]),
  ];
};

/** Checks the URL for migrations, which must lead to the same database. */
async function checkDirectUrl(
  { identity, readOnly }: DatabaseState,
  subject: Subject,
): Promise<readonly Finding[]> {
  const { url, directUrl } = subject.config.database;
  const { findings, state } = await look(directUrl, subject);
  // Of several servers with the same data, the writable one is the primary.
  const isOther = state && (readOnly ?? state.readOnly) === undefined && state.identity !== identity;
  if (!isOther) return findings;
  return [
    database.problem(
      `${withoutPassword(directUrl)} is another database than ${withoutPassword(url)}`,
      'Set DATABASE_DIRECT_URL to the database of DATABASE_URL: migrations, backups and restores use it.',
    ),
  ];
}

/** Checks streaming replicas. The server works without them. */
export const checkReplicas: Check = ({ config, now }) =>
  Promise.all(config.database.replicaUrls.map((url) => checkReplica(url, now)));

async function checkReplica(url: string, now: () => number): Promise<Finding> {
  const replica = findingsOf('replica');
  try {
    const { standby } = await inspectDatabase(url, now);
    if (standby) return replica.ok(`${withoutPassword(url)} is reachable`);
    return replica.warning(
      `${withoutPassword(url)} is not a streaming replica, so no read uses it`,
      'Set DATABASE_REPLICA_URLS to replicas of the primary.',
    );
  } catch (error) {
    return replica.warning(
      `${withoutPassword(url)} is not reachable: ${reasonOf(error)}`,
      'Start it, or remove it from DATABASE_REPLICA_URLS. Until then reads use the other replicas and the primary.',
    );
  }
}

async function look(
  url: string,
  { now }: Subject,
): Promise<{ readonly findings: readonly Finding[]; readonly state?: DatabaseState }> {
  const place = withoutPassword(url);
  try {
    const state = await inspectDatabase(url, now);
    if (state.readOnly === undefined) return { findings: [database.ok(`${place} is writable`)], state };
    const found = `${place} is read-only: ${state.readOnly}`;
    const advice = 'Give the user of the server write access, or set DATABASE_URL to the primary.';
    return { findings: [database.problem(found, advice)], state };
  } catch (error) {
    const found = `${place} cannot be read: ${reasonOf(error)}`;
    const remedy = url.startsWith('file:')
      ? 'Give the user of the server write access to the file and its folder'
      : 'Start it, create the database, or give the user of DATABASE_URL access';
    return { findings: [database.problem(found, `${remedy}, or correct DATABASE_URL.`)] };
  }
}

function migrationsOf({ missingMigrations, newer }: DatabaseState): readonly Finding[] {
  if (missingMigrations === undefined) return [];
  if (newer) {
    // The version before the newer one may run alongside it. How many versions are between the two is not known.
    const advice = 'Only the version before it may run alongside, until all instances are upgraded.';
    return [migrations.warning('a newer version has migrated the database', advice)];
  }
  if (missingMigrations === 0) return [migrations.ok('the database is up to date')];
  return [
    migrations.problem(
      `migrations that the database lacks: ${missingMigrations}`,
      'Run "npx portico migrate". A server also does so when it starts.',
    ),
  ];
}

function clockOf(ahead: number): Finding {
  const seconds = Math.abs(ahead / SECOND).toFixed(1);
  if (Math.abs(ahead) <= CLOCK_TOLERANCE)
    return clock.ok(`the database server's clock differs by ${seconds} s`);
  return clock[Math.abs(ahead) >= CLOCK_FAULT ? 'problem' : 'warning'](
    `the database server's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`,
    'Synchronise both with the same time servers (NTP).',
  );
}

function diskOf(folder: string, free: number): Finding {
  const found = `${folder} has ${Math.floor(free / MIB)} MiB free`;
  if (free >= DISK_LOW) return disk.ok(found);
  return disk[free < DISK_LEAST ? 'problem' : 'warning'](
    found,
    'Free some space: without it changes are refused, and migrations and backups fail.',
  );
}
