/** Output that cannot be written: commands end with one sentence, and a server continues. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { writeRows } from '../../src/cli/output.ts';
import { withBar } from '../../src/cli/progress.ts';
import { readText, type Terminal, UsageError, withoutControls } from '../../src/cli/terminal.ts';
import { COMPILED, freePort, manageServers, ROOT, waitUntil } from '../support/process.ts';

/** A device that refuses every write, as a full disk does. */
const FULL = '/dev/full';

const servers = manageServers();
const running: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts a program of Node with a full disk as its output, or as both. */
function start(args: readonly string[], { errorsToo = false, environment = {} } = {}) {
  const full = openSync(FULL, 'w');
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...COMPILED, ...environment },
    stdio: ['ignore', full, errorsToo ? full : 'pipe'],
  });
  closeSync(full);
  running.push(child);
  const errors = child.stderr ? text(child.stderr) : Promise.resolve('');
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, exit, errors };
}

describe.skipIf(!existsSync(FULL))('a full disk', () => {
  test('ends a command with a sentence', async () => {
    const { exit, errors } = start(['bin/portico.js', 'schema']);
    expect(await exit).toBe(1);
    expect(await errors).toMatch(/^The output cannot be written: ENOSPC[^\n]*\n$/);
  });

  test('ends a command that cannot report it either', async () => {
    expect(await start(['bin/portico.js', 'schema'], { errorsToo: true }).exit).toBe(1);
    expect(await start(['bin/portico.js', 'none'], { errorsToo: true }).exit).toBe(1);
  });

  test.each([[['src/main.ts']], [['bin/portico.js', 'serve']]])(
    'does not affect the server %j',
    async (args) => {
      const port = await freePort();
      const directory = await servers.directory();
      const environment = {
        PORT: String(port),
        DATABASE_URL: `file:${join(directory, 'portico.db')}`,
        AUTH_KEYS_FILE: join(directory, 'keys.json'),
      };
      const { child, exit } = start(args, { errorsToo: true, environment });
      const isReady = async () => {
        expect(child.exitCode).toBeNull();
        const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        return response?.status === 200;
      };
      await waitUntil(isReady, 'the server to be ready');
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
    },
  );
});

test('control characters are escaped as in JSON, except line breaks and tabs', () => {
  expect(withoutControls('a\u001b[2J\tb\u0000\u007f\u009b\n\u00e9\u{1f600}')).toBe(
    'a\\u001b[2J\tb\\u0000\\u007f\\u009b\n\u00e9\u{1f600}',
  );
});

test('a list of any length is a table with aligned columns', () => {
  const rows = Array.from({ length: 150_000 }, (_, at) => ({
    id: at,
    long_name: at === 5 ? '日本' : 'x',
    end: null,
  }));
  const parts: string[] = [];
  const unused = { err: () => {}, readInput: async () => '' };
  writeRows({ ...unused, out: (part) => parts.push(part) }, rows, {});
  const lines = parts.join('').split('\n');
  expect(lines).toHaveLength(150_002);
  expect([lines[0], lines[1], lines[6], lines[150_000]]).toEqual([
    'ID      LONG NAME  END',
    '0       x          -',
    '5       日本       -',
    '149999  x          -',
  ]);
});

test('standard input that is not UTF-8 is refused: a decoder would change a password', async () => {
  expect(await readText(Readable.from([Buffer.from('pässwörd\n')]))).toBe('pässwörd\n');
  await expect(readText(Readable.from([Buffer.from('pässwörd\n', 'latin1')]))).rejects.toThrow(UsageError);
});

test('a progress bar does not change the mode of the terminal, which an interrupted command could not restore', async () => {
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  // The part of a terminal that a progress bar uses.
  const terminal = { out: () => {}, err: () => {}, readInput: async () => '', screen } as unknown as Terminal;
  await withBar(terminal, 2, 'orders', async (update) => update(1));
  const written = await text(screen.end());
  expect(written).toContain('of 2 orders');
  // Modes are set and reset by CSI ? … h and l (ECMA-48).
  expect(written).not.toMatch(/\p{Cc}\[\?\d+[hl]/u);
});
