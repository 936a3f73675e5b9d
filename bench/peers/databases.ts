/** Copies of the same rows, in a separate database for each server, so that no server sees the writes of another. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Cleanups } from '../cleanups.ts';
import { type BenchData, fill } from '../data.ts';
import type { Progress } from '../progress.ts';
import type { Engine } from './contestants.ts';

export interface Databases {
  /** Returns the URL of a server's copy, which is created on the first call. */
  copyFor(contestant: string): Promise<string>;
}

export function openDatabases(
  engine: Engine,
  data: BenchData,
  { orders, postgres }: { readonly orders: number; readonly postgres: string },
  progress: Progress,
  cleanups: Cleanups,
): Promise<Databases> {
  return engine === 'sqlite'
    ? Promise.resolve(copies((name) => copySqlite(data, name)))
    : createTemplate(postgres, orders, progress, cleanups);
}

function copies(copy: (contestant: string) => Promise<string>): Databases {
  const made = new Map<string, Promise<string>>();
  return {
    copyFor(contestant) {
      const url = made.get(contestant) ?? copy(contestant);
      made.set(contestant, url);
      return url;
    },
  };
}

async function copySqlite({ folder, serverFile }: BenchData, contestant: string): Promise<string> {
  await mkdir(join(folder, contestant));
  const file = join(folder, contestant, 'orders.db');
  await copyFile(serverFile, file);
  return `file:${file}`;
}

async function createTemplate(
  server: string,
  orders: number,
  progress: Progress,
  cleanups: Cleanups,
): Promise<Databases> {
  const prefix = `portico_bench_${randomBytes(4).toString('hex')}`;
  const urlOf = (name: string) => {
    const url = new URL(server);
    url.pathname = `/${name}`;
    return url.href;
  };
  const create = async (suffix: string, from = '') => {
    const name = `${prefix}_${suffix}`;
    await runOn(server, `create database ${name} ${from}`);
    cleanups.push(() => runOn(server, `drop database ${name} with (force)`));
    return name;
  };
  const template = await create('template');
  await fill(urlOf(template), orders, (done) => progress.show(`PostgreSQL: ${done} of ${orders} orders`));
  // So that plans use statistics from the start, and do not change when autovacuum collects them.
  await runOn(urlOf(template), 'vacuum analyze');
  return copies(async (contestant) =>
    urlOf(await create(contestant.replaceAll('-', '_'), `template ${template}`)),
  );
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
