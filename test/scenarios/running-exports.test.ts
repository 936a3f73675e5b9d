/** Running exports: one snapshot, rights, points, and early ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import Client from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { type AppSettings, startApp, type TestApp } from '../support/app.ts';
import type { ErrorBody, Sender } from '../support/client.ts';
import { describeConcurrently, describeEachEngine, type TestEngine } from '../support/engines.ts';
import { GROWN, grow } from '../support/fixtures/table-rows.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { waitUntil } from '../support/process.ts';
import type { CursorPage } from '../support/response-bodies.ts';
import { membersOf } from '../support/test-doubles.ts';
import { type ExportClient, openExport } from './export-client.ts';
import { LOSSES, newLoser } from './lost-rights.ts';

const NDJSON = 'application/x-ndjson';
const DOCUMENTS = '/v1/orgs/acme/docs';

interface Line {
  readonly id?: number;
  readonly title?: string;
  readonly complete?: true;
  readonly rows?: number;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/**
 * Documents of acme, of 100 kB each: three times what the buffers of a connection take, so that an export waits for its client before it
 * has read half of them.
 */
const DOCUMENTS_OF_ACME = 120;

async function addLongDocuments(engine: TestEngine): Promise<void> {
  await grow(engine, 0, 2 * DOCUMENTS_OF_ACME);
  const long = engine.name === 'sqlite' ? `replace(hex(zeroblob(50000)), '0', 'x')` : `repeat('x', 100000)`;
  await engine.place.query(`update documents set body = ${long} where org = 'acme' and id > ${GROWN}`);
}

/** A server with such documents, and observers for a running export. */
function startLong(engine: TestEngine, settings: AppSettings = {}) {
  const app = startApp(engine, settings);
  beforeAll(() => addLongDocuments(engine));
  const open = async (as: Sender = 'ada', path = DOCUMENTS) => {
    const { token } = typeof as === 'string' ? await app.signIn(as) : as;
    return openExport(app.url + path, { authorization: `Bearer ${token}`, accept: NDJSON });
  };
  return { app, open };
}

/** Reads only the first rows. The server fills the buffers, and waits. */
async function stall(client: ExportClient): Promise<ExportClient> {
  await client.some();
  client.pause();
  return client;
}

async function countOf(app: TestApp, name: string, labels = {}): Promise<number> {
  const { text } = await app.get('/metrics');
  return sumOf(readMetrics(text), name, labels);
}

/** Whether no snapshot is open: SQLite's log can be truncated, and no session of PostgreSQL is in a transaction. */
async function holdsNothing({ name, place }: TestEngine): Promise<boolean> {
  if (name === 'sqlite') {
    // Without waiting, since the server runs in this process.
    const client = new Client(place.url.replace('file:', ''), { timeout: 0 });
    const busy = client.pragma('wal_checkpoint(truncate)', { simple: true });
    client.close();
    return busy === 0;
  }
  // A stalled export may still be reading a page, so its session is not always idle.
  const sessions = await place.query(
    `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
  );
  return sessions.length === 0;
}

/** Expects the response to end early, and the server to close the snapshot after it. */
async function expectCut(engine: TestEngine, client: ExportClient): Promise<void> {
  const { text, isWhole, trailers } = await client.rest();
  expect([isWhole, trailers]).toEqual([false, {}]);
  expect(text).not.toContain('"complete"');
  await waitUntil(() => holdsNothing(engine), 'the snapshot to be closed');
}

describeConcurrently('a running export', (engine) => {
  const { app, open } = startLong(engine, { realTime: true });

  test('shows one snapshot, whatever is written meanwhile', async () => {
    const before = await app.get<CursorPage<Line>>(`${DOCUMENTS}?limit=1`, { as: 'ada' });
    const client = await stall(await open());
    expect(await holdsNothing(engine)).toBe(false);
    const last = GROWN + 2 * DOCUMENTS_OF_ACME - 1;
    expect((await app.delete(`${DOCUMENTS}/${last}`, { as: 'ada' })).status).toBe(204);
    const changed = { as: 'ada', body: { title: 'Later' } } as const;
    expect((await app.patch(`${DOCUMENTS}/${last - 2}`, changed)).status).toBe(200);
    const added = { title: 'Added', body: 'Later.', classification: 'internal' };
    const created = await app.post<Line>(DOCUMENTS, { as: 'ada', body: added });
    expect(created.status).toBe(201);

    const { text, isWhole } = await client.rest();
    expect(isWhole).toBe(true);
    const lines = linesOf(text);
    expect(lines.pop()).toEqual({ complete: true, rows: lines.length });
    expect(lines[0]?.id).toBe(before.body.data[0]?.id);
    expect(lines.slice(-2)).toMatchObject([
      { id: last - 2, title: 'Grown' },
      { id: last, title: 'Grown' },
    ]);
    expect(lines.some(({ id }) => id === created.body.id)).toBe(false);
    await waitUntil(() => holdsNothing(engine), 'the snapshot to be closed');
  });

  test('has only rows that its caller may see', async () => {
    const visible = async (as: Sender) => linesOf((await (await open(as)).rest()).text).at(-1)?.rows ?? 0;
    const [all, some] = [await visible('ada'), await visible('vic')];
    expect(all).toBeGreaterThan(DOCUMENTS_OF_ACME);
    expect(some).toBeLessThan(DOCUMENTS_OF_ACME / 10);
    const listed = await app.get<CursorPage<Line>>(`${DOCUMENTS}?limit=100`, { as: 'vic' });
    expect(listed.body.data.length).toBeLessThanOrEqual(some);
  });

  describe('is aborted when its caller loses rights:', () => {
    test.each(LOSSES.map((loss) => [loss.title, loss] as const))('%s', async (_title, loss) => {
      const loser = await newLoser(app, loss);
      const client = await stall(await openExport(app.url + DOCUMENTS, { ...loser.headers, accept: NDJSON }));
      await loss.take(app, loser);
      await sleep(LIMITS.presenceAge);
      await expectCut(engine, client);
    });

    test('an ended session', async () => {
      const { body } = await app.post<{ access_token: string; refresh_token: string }>('/v1/auth/login', {
        body: { email: 'ada@acme.test', password: 'portico-demo' },
      });
      const client = await stall(await open({ token: body.access_token }));
      await app.post('/v1/auth/logout', { body: { refresh_token: body.refresh_token } });
      await sleep(LIMITS.presenceAge);
      await expectCut(engine, client);
    });
  });

  test('ends when its client disconnects', async () => {
    const cut = await countOf(app, 'portico_exports_total', { outcome: 'cut' });
    const client = await stall(await open());
    expect(await countOf(app, 'portico_exports_open')).toBe(1);
    client.leave();
    await waitUntil(() => holdsNothing(engine), 'the snapshot to be closed');
    await waitUntil(async () => (await countOf(app, 'portico_exports_open')) === 0, 'the end of the export');
    expect(await countOf(app, 'portico_exports_total', { outcome: 'cut' })).toBe(cut + 1);
  });

  test('is limited in number for one organisation, without blocking others', async () => {
    const clients: ExportClient[] = [];
    for (let n = 0; n < LIMITS.exportsPerOrganisation; n += 1) clients.push(await stall(await open()));
    const refused = await app.get<ErrorBody>(DOCUMENTS, { as: 'ed', headers: { accept: NDJSON } });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_exports']);
    expect(refused.headers.get('retry-after')).toBe(String(LIMITS.exportRetryAfter));
    // A page is not an export.
    expect((await app.get(DOCUMENTS, { as: 'ed' })).status).toBe(200);
    const other = await app.get('/v1/orgs/globex/docs', { as: 'gil', headers: { accept: NDJSON } });
    expect(linesOf(other.text).at(-1)?.complete).toBe(true);
    for (const client of clients) expect((await client.rest()).isWhole).toBe(true);
    expect((await app.get('/v1/products', { as: 'ed', headers: { accept: NDJSON } })).status).toBe(200);
  });

  test('reads fewer rows at once if they are long', async () => {
    const many = LIMITS.exportPage + 5;
    const long =
      engine.name === 'sqlite' ? `replace(hex(zeroblob(50000)), '0', char(1))` : `repeat(chr(1), 100000)`;
    await engine.place.query(
      `update documents set body = ${long} where id > ${GROWN} and id <= ${GROWN + 2 * many}`,
    );
    const { text, isWhole } = await (await open('gil', '/v1/orgs/globex/docs')).rest();
    const lines = linesOf(text);
    expect([isWhole, lines.at(-1)?.rows]).toEqual([true, lines.length - 1]);
    expect(lines.length).toBeGreaterThan(DOCUMENTS_OF_ACME);
  });
});

describeConcurrently('an export whose client stops reading', (engine) => {
  const { app, open } = startLong(engine, { timeouts: { exportSilence: 2000 } });

  test('is aborted, and closes its snapshot', async () => {
    const client = await open();
    await waitUntil(async () => (await countOf(app, 'portico_exports_open')) === 0, 'the end of the export');
    await expectCut(engine, client);
    expect(app.log.some((line) => line.includes('"code":"slow_consumer"'))).toBe(true);
  });
});

describeConcurrently('an export that takes too long', (engine) => {
  // Milliseconds: enough for the first rows on a busy machine, since without them the response would be an error.
  const { app, open } = startLong(engine, { timeouts: { export: 4000 } });

  test('is aborted, and closes its snapshot', async () => {
    const client = await stall(await open());
    await waitUntil(() => app.log.some((line) => line.includes('"code":"timeout"')), 'the deadline');
    await expectCut(engine, client);
  });
});

describeConcurrently('an export of a server that stops', (engine) => {
  const { app, open } = startLong(engine);

  test('is aborted', async () => {
    const client = await stall(await open());
    const stopped = app.stop();
    await expectCut(engine, client);
    await stopped;
  });
});

describeConcurrently('an export whose database fails', (engine) => {
  let left = Number.POSITIVE_INFINITY;
  const { app, open } = startLong(engine, {
    around: (database) => ({
      ...membersOf(database),
      snapshot: async (signal) => {
        if (left === 0) throw new ApiError('unavailable');
        const snapshot = await database.snapshot(signal);
        return {
          close: () => snapshot.close(),
          run: (...args) => {
            left -= 1;
            return left < 0 ? Promise.reject(new Error('The disk is on fire.')) : snapshot.run(...args);
          },
        };
      },
    }),
  });

  test('before the first row: returns an error like any other request', async () => {
    left = 0;
    const { status, body, headers } = await app.get<ErrorBody>(DOCUMENTS, {
      as: 'ada',
      headers: { accept: NDJSON },
    });
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  });

  test('later: is aborted, and logged with the reason', async () => {
    left = 10;
    await expectCut(engine, await open());
    const failed = app.log.find((line) => line.includes('an export failed'));
    expect(failed).toContain('The disk is on fire.');
    left = Number.POSITIVE_INFINITY;
    expect((await (await open()).rest()).isWhole).toBe(true);
  });
});

describeConcurrently('points of exports', (engine) => {
  const budget = { points: 1000, perSecond: 1000 };
  const app = startApp(engine, { realTime: true, budget });
  const rows = 1500;
  beforeAll(() => grow(engine, 0, 2 * rows));

  test('one per row: the export waits for them, and leaves some for its caller', async () => {
    const { token } = await app.signIn('ada');
    const headers = { authorization: `Bearer ${token}`, accept: NDJSON };
    const began = performance.now();
    const client = await openExport(`${app.url}/v1/products`, headers);
    const whole = client.rest();
    const statuses: number[] = [];
    let isOver = false;
    void whole.then(() => {
      isOver = true;
    });
    while (!isOver) {
      statuses.push((await app.get('/v1/products?limit=1', { as: 'ada' })).status);
      await sleep(50);
    }
    const { text } = await whole;
    const taken = performance.now() - began;
    expect(linesOf(text).at(-1)?.rows).toBeGreaterThanOrEqual(rows);
    expect(new Set(statuses)).toEqual(new Set([200]));
    // All points above the reserve of a full budget are refilled while it runs.
    const most = ((rows - budget.points * (1 - LIMITS.exportReserve)) / budget.perSecond) * 1000;
    expect(taken).toBeGreaterThan(most * 0.9);
  });
});

describeEachEngine('an export', (engine) => {
  // Time stands still, and the budget is not refilled.
  const app = startApp(engine, { budget: { points: 1000, perSecond: 1000 } });

  test('returns 429 before the first row without any points', async () => {
    const { token } = await app.signIn('vic');
    const spend = () => app.get('/v1/products', { as: { token } });
    while ((await spend()).status === 200);
    const { status, body } = await app.get<ErrorBody>('/v1/products', {
      as: { token },
      headers: { accept: NDJSON },
    });
    expect([status, body.error.code]).toEqual([429, 'rate_limited']);
  });
});
