/**
 * Group commits on a failing disk, which a real file cannot simulate on demand: hence a stand-in for the
 * client. For groups on a real file, see `sqlite.test.ts`.
 */
import type Client from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GroupCommit } from '../../src/db/sqlite/group-commit.ts';

const failure = (statement: string) =>
  Object.assign(new Error(`disk I/O error in ${statement}`), { code: 'SQLITE_IOERR_WRITE' });

/** Tracks its transaction as SQLite does, and fails each of the named statements once. */
class FailingClient {
  inTransaction = false;
  readonly executed: string[] = [];
  readonly #failing: string[];

  constructor(failing: readonly string[]) {
    this.#failing = [...failing];
  }

  prepare(sql: string) {
    return { run: () => this.exec(sql) };
  }

  exec(sql: string): void {
    const index = this.#failing.indexOf(sql);
    this.executed.push(index < 0 ? sql : `${sql} fails`);
    if (index >= 0) {
      this.#failing.splice(index, 1);
      throw failure(sql);
    }
    if (sql === 'begin immediate') {
      if (this.inTransaction) throw new Error('cannot start a transaction within a transaction');
      this.inTransaction = true;
    }
    if (sql === 'commit' || sql === 'rollback') this.inTransaction = false;
  }
}

function failing(...statements: string[]) {
  const client = new FailingClient(statements);
  // The queue uses only these few members of the client.
  return { client, group: new GroupCommit(client as unknown as Client.Database) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a failing disk', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);

  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
  });

  afterEach(async () => {
    // Node reports unhandled rejections when the queue of microtasks is empty.
    await turn();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  test('at a commit and its rollback fails only that group, and reports both errors', async () => {
    const { client, group } = failing('commit', 'rollback');
    await expect(group.add(async () => 1)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { cause: failure('commit'), errors: [failure('commit'), failure('rollback')] },
    });
    await expect(group.idle()).resolves.toBeUndefined();
    expect(client.inTransaction).toBe(true);

    await expect(group.add(async () => 2)).resolves.toBe(2);
    await expect(group.idle()).resolves.toBeUndefined();
    const work = ['savepoint work', 'release work'];
    expect(client.executed).toEqual([
      ...['begin immediate', ...work, 'commit fails', 'rollback fails'],
      ...['rollback', 'begin immediate', ...work, 'commit'],
    ]);
  });

  test('at every job of the group, also with more groups queued', async () => {
    const { client, group } = failing('commit', 'rollback');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 130 }, (_, n) => group.add(async () => n)),
    );
    expect(outcomes.slice(0, 128).every(({ status }) => status === 'rejected')).toBe(true);
    expect(outcomes.slice(128)).toEqual([128, 129].map((value) => ({ status: 'fulfilled', value })));
    await group.idle();
    expect(client.inTransaction).toBe(false);
  });

  test('also at the rollback of an open transaction rejects waiting jobs and continues after it recovers', async () => {
    const { group } = failing('commit', 'rollback', 'rollback', 'rollback');
    await expect(group.add(async () => 1)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('could not be rolled back') },
    });
    const waiting = await Promise.allSettled([group.add(async () => 2), group.add(async () => 3)]);
    expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(group.add(async () => 4)).resolves.toBe(4);
    await group.idle();
  });

  test('at a commit only is reported as its cause', async () => {
    const { client, group } = failing('commit');
    await expect(group.add(async () => 1)).rejects.toMatchObject({
      code: 'unavailable',
      cause: failure('commit'),
    });
    expect(client.inTransaction).toBe(false);
    await expect(group.add(async () => 2)).resolves.toBe(2);
  });
});
