/** The log of a process whose standard output is slow, full or closed: the process continues, ends in time and loses no line that can be written. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { ROOT, waitUntil } from '../support/process.ts';

/** A device that refuses every write, as a full disk does. */
const FULL = '/dev/full';

/** More lines of a kilobyte than a pipe and its reader in Node have room for, and more than one write takes. */
const MANY = 500;

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts a process that writes lines with consecutive numbers to its log, and then runs code. */
function start(lines: number, code: string, stdout: 'pipe' | number = 'pipe') {
  const program = `
    import { LogOutput } from './src/observability/log-output.ts';
    const log = new LogOutput();
    const writeLines = (from, to) => {
      for (let at = from; at < to; at += 1) log.write(JSON.stringify({ at, rest: 'x'.repeat(1000) }) + '\\n');
    };
    writeLines(0, ${lines});
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    stdio: ['pipe', stdout, 'pipe'],
  });
  running.push(child);
  const exit = once(child, 'exit').then(([status]) => status as number | null);
  /** Once its output was read as well. */
  const end = once(child, 'close').then(([status]) => status as number | null);
  return { child, exit, end };
}

/** Continues when the test has sent something. */
const WHEN_TOLD = `process.stderr.write('ready'); process.stdin.once('data', () => { process.stdin.destroy(); next(); });`;

type Started = ReturnType<typeof start>;

/** Opens a new pipe, non-blocking, for reading and writing. */
function openPipe(): number {
  const directory = mkdtempSync(join(tmpdir(), 'log-'));
  const path = join(directory, 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  rmSync(directory, { recursive: true });
  return pipe;
}

/** Writes to a non-blocking pipe until it has no room. Returns the number of bytes. */
function fill(pipe: number): number {
  for (let sum = 0; ; ) {
    try {
      sum += writeSync(pipe, 'x'.repeat(4096));
    } catch {
      return sum;
    }
  }
}

const isReady = async ({ child }: Started) => child.stderr && once(child.stderr, 'data');

async function tell(started: Started): Promise<void> {
  await isReady(started);
  started.child.stdin?.write('now');
}

/** Begins to read the log. Returns a function that returns what has been read. */
function readerOf({ child }: Started): () => string {
  const parts: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (part: string) => parts.push(part));
  return () => parts.join('');
}

/** The numbers of complete lines. */
const numbersIn = (output: string): number[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).at);

const upTo = (end: number) => Array.from({ length: end }, (_, at) => at);

describe('the log', () => {
  test('whose reader has stopped reading does not keep the process from ending, nor from exiting', async () => {
    const ended = start(MANY, '');
    const exited = start(MANY, 'process.exit(3);');
    const later = start(MANY, `const next = () => { writeLines(0, 1); process.exit(4); }; ${WHEN_TOLD}`);
    await tell(later);
    expect(await Promise.all([ended.exit, exited.exit, later.exit])).toEqual([0, 3, 4]);
  });

  test.skipIf(process.platform !== 'linux')(
    'does not block the process when one that shares the pipe has exited',
    async () => {
      const pipe = openPipe();
      fill(pipe);
      const sharing = start(
        0,
        `import { spawnSync } from 'node:child_process';
        spawnSync(process.execPath, ['--eval', 'process.stdout'], { stdio: 'inherit' });
        writeLines(0, ${MANY});
        process.exit(6);`,
        pipe,
      );
      expect(await sharing.exit).toBe(6);
      closeSync(pipe);
    },
  );

  test.skipIf(!existsSync(FULL))('on a full disk does not either', async () => {
    const full = openSync(FULL, 'w');
    const ended = start(MANY, '', full);
    const exited = start(MANY, 'process.exit(3);', full);
    closeSync(full);
    expect(await Promise.all([ended.exit, exited.exit])).toEqual([0, 3]);
  });

  test('has all lines of a process that exits, in order', async () => {
    // A pipe has room for them, so that this does not depend on the reader.
    const { child, exit } = start(50, 'process.exit(3);');
    const output = child.stdout ? await text(child.stdout) : '';
    expect(await exit).toBe(3);
    expect(numbersIn(output)).toEqual(upTo(50));
  });

  test('has the lines of a process that is killed', async () => {
    const { child, exit } = start(50, `process.kill(process.pid, 'SIGKILL');`);
    const output = child.stdout ? await text(child.stdout) : '';
    await exit;
    expect(numbersIn(output)).toEqual(upTo(50));
  });

  test('has only whole lines while most wait, since other workers write to the same pipe', async () => {
    const pipe = openPipe();
    const filled = fill(pipe);
    const waiting = start(MANY, `process.stderr.write('ready'); process.exit();`, pipe);
    await isReady(waiting);
    // Now there is room for less than the waiting lines.
    const removed = readSync(pipe, Buffer.alloc(3 * 4096));
    await waiting.exit;
    const rest = Buffer.alloc(2 * filled);
    const length = readSync(pipe, rest);
    closeSync(pipe);
    const numbers = numbersIn(rest.toString('utf8', filled - removed, length));
    expect(numbers).toEqual(upTo(numbers.length));
  });

  test('has all lines for a reader that starts late, in order', async () => {
    const late = start(MANY, `const next = () => writeLines(${MANY}, ${MANY + 10}); ${WHEN_TOLD}`);
    await isReady(late);
    const read = readerOf(late);
    await waitUntil(() => read().endsWith('\n') && numbersIn(read()).length === MANY, 'all lines');
    late.child.stdin?.write('now');
    expect(await late.end).toBe(0);
    expect(numbersIn(read())).toEqual(upTo(MANY + 10));
  });

  test('whose reader is gone is dropped', async () => {
    const closed = start(
      0,
      `const next = () => { writeLines(0, ${MANY}); process.exitCode = 5; }; ${WHEN_TOLD}`,
    );
    closed.child.stdout?.destroy();
    await tell(closed);
    expect(await closed.exit).toBe(5);
  });

  test('keeps a limited number of bytes while it cannot be written', async () => {
    const lines = Math.ceil((2 * LIMITS.waitingLog) / 1000);
    const flooded = start(lines, `const next = () => {}; ${WHEN_TOLD}`);
    await isReady(flooded);
    const read = readerOf(flooded);
    await waitUntil(() => read().length >= LIMITS.waitingLog, 'the waiting lines');
    flooded.child.stdin?.write('now');
    expect(await flooded.end).toBe(0);
    expect(read().length).toBeLessThan(1.1 * LIMITS.waitingLog);
    const numbers = numbersIn(read());
    expect(numbers).toEqual(upTo(numbers.length));
  });
});
