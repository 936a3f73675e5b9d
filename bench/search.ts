/**
 * `npm run bench -- search`: measures searches among many documents, for words from the most common to one without a match. Runs on
 * SQLite in a temporary folder, and on PostgreSQL in a temporary database. Requests go over HTTP to a complete server.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../src/auth/passwords.ts';
import { installDemo } from '../src/cli/demo/install.ts';
import { loadConfig } from '../src/config.ts';
import { settleAll } from '../src/core/promises.ts';
import type { OpenDatabase } from '../src/db/database.ts';
import { migrate, openDatabase } from '../src/db/open.ts';
import { loadRows } from '../src/db/queries/shared/loading.ts';
import { addWords } from '../src/db/queries/shared/words.ts';
import { type Cleanups, temporaryFolder } from './cleanups.ts';
import { sendRequest, signIn } from './client.ts';
import { listen } from './in-process.ts';
import { integer, readTexts } from './options.ts';
import { createPostgres, runOn } from './postgres.ts';
import { createProgress, type Progress } from './progress.ts';

const DEFAULTS = {
  documents: '100000',
  rounds: '200',
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
};

const USAGE = `npm run bench -- search [options]

  --documents <number>  documents of one organisation (${DEFAULTS.documents})
  --rounds <number>     how many times each search is sent (${DEFAULTS.rounds})
  --postgres <url>      a server on which a database can be created (${DEFAULTS.postgres}), or none
`;

/** Rows per transaction. */
const BATCH = 500;
/** The number of different words, and the words per title and body. */
const VOCABULARY = 30_000;
const TITLE = 5;
const BODY = 120;
/** Requests before the measurement of a search. */
const WARM_UP = 5;

/** The searches by description. Rank 0 is the most common word. */
const SEARCHES: Readonly<Record<string, (word: (rank: number) => string) => string>> = {
  'the most common word': (word) => word(0),
  'a common word': (word) => word(20),
  'a word of 1 document in 100': (word) => word(700),
  'a rare word': (word) => word(20_000),
  'two common words': (word) => `${word(0)} ${word(5)}`,
  'a common and a rare word': (word) => `${word(0)} ${word(20_000)}`,
  'five words': (word) => [0, 1, 2, 30, 300].map(word).join(' '),
  'the beginning of a word': (word) => word(40).slice(0, 4),
  'a word without a match': () => 'zzzzzzzz',
};

/** @throws UsageError for an invalid option. */
export async function search(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  const documents = integer('documents', values.documents, 1, 10_000_000);
  const rounds = integer('rounds', values.rounds, 1, 100_000);
  const progress = createProgress(cleanups);
  const folder = await temporaryFolder(cleanups);
  const urls = [`file:${join(folder, 'search.db')}`];
  if (values.postgres !== 'none')
    urls.push(await createPostgres(values.postgres, 'portico_bench_search', cleanups));
  for (const url of urls) {
    await migrate(url);
    const database = await openDatabase({ ...loadConfig({}).database, url });
    cleanups.push(() => database.close());
    await installDemo(database, hashPassword);
    await fill(database, documents, progress);
    if (database.engine === 'postgres') await runOn(url, 'vacuum analyze');
    await measure(database, join(folder, `${database.engine}.json`), rounds, progress, cleanups);
  }
}

async function measure(
  database: OpenDatabase,
  keys: string,
  rounds: number,
  progress: Progress,
  cleanups: Cleanups,
): Promise<void> {
  const { app, origin } = await listen(database, keys);
  cleanups.push(() => app.http.close());
  const token = await signIn(origin);
  const all: number[] = [];
  for (const [name, make] of Object.entries(SEARCHES)) {
    progress.show(`${database.engine}: ${name}`);
    const path = `/v1/orgs/acme/docs?${new URLSearchParams({ q: make(wordOf), limit: '20' })}`;
    const times: number[] = [];
    for (let round = -WARM_UP; round < rounds; round += 1) {
      const begun = performance.now();
      const { status, body } = await sendRequest(origin, token, { method: 'GET', path });
      if (status !== 200) throw new Error(`The response to a search has status ${status}: ${body}`);
      if (round >= 0) times.push(performance.now() - begun);
    }
    all.push(...times);
    report(progress, `${database.engine}: ${name}`, times);
  }
  report(progress, `${database.engine}: all searches`, all);
  process.stdout.write(`Load average: ${loadavg()[0]?.toFixed(1)}.\n`);
}

function report(progress: Progress, name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  progress.clear();
  process.stdout.write(`${name.padEnd(42)} p50 ${at(0.5).padStart(7)} ms   p95 ${at(0.95).padStart(7)} ms\n`);
}

async function fill(database: OpenDatabase, documents: number, progress: Progress): Promise<void> {
  const random = randomFrom(42);
  const createdAt = new Date();
  for (let from = 0; from < documents; from += BATCH) {
    progress.show(`${database.engine}: ${from} of ${documents} documents`);
    const batch = Array.from({ length: Math.min(BATCH, documents - from) }, () => ({
      org: 'acme',
      authorId: 1,
      title: textOf(TITLE, random),
      body: textOf(BODY, random),
      classification: 'internal' as const,
      createdAt,
      updatedAt: createdAt,
    }));
    await database.transaction(async (tx) => {
      const rows = await loadRows(tx, 'documents', batch);
      await settleAll(rows.map((row) => addWords(tx, 'documents', row)));
    });
  }
}

/** Returns random words whose frequencies follow Zipf's law: the word of rank n occurs 1/n times as often as the first. */
const textOf = (words: number, random: () => number): string =>
  Array.from({ length: words }, () => wordOf(Math.floor(VOCABULARY ** random()) - 1)).join(' ');

/** The word of a rank: six letters, different for each rank. */
function wordOf(rank: number): string {
  const LETTERS = 26;
  let rest = (rank * 7_919_117 + 12_345) % LETTERS ** 6;
  let word = '';
  for (let index = 0; index < 6; index += 1) {
    word += String.fromCharCode(97 + (rest % LETTERS));
    rest = Math.floor(rest / LETTERS);
  }
  return word;
}

/** A linear congruential generator of numbers from 0 to 1: the same sequence in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
