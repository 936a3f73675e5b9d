/** Counts the instructions per request of a server with valgrind's callgrind. The count does not depend on other load. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRequest } from '../cases.ts';
import { sendRequest } from '../client.ts';
import { UsageError } from '../options.ts';
import { endProcess } from '../processes.ts';
import type { BenchServer, ServerOptions } from '../servers.ts';

export interface InstructionsJob {
  readonly requests: readonly BenchRequest[];
  /** Issues a token that every server accepts. */
  readonly issueToken: () => Promise<string>;
  /** The number of counted requests, sent one after another, after the same number of requests to warm up. */
  readonly count: number;
}

/** Milliseconds within which a server must listen: under valgrind it starts many times slower, even more so on a busy machine. */
const START_TIMEOUT = 300_000;

/** Milliseconds within which callgrind must write its counts. */
const DUMP_TIMEOUT = 60_000;

/** @returns the instructions per request. @throws UsageError if valgrind is not installed. */
export async function countInstructions(
  start: (runner: Pick<ServerOptions, 'command' | 'startTimeout' | 'nodeOptions'>) => Promise<BenchServer>,
  { requests, issueToken, count }: InstructionsJob,
): Promise<number> {
  if (spawnSync('valgrind', ['--version']).status !== 0) {
    throw new UsageError('--instructions needs valgrind, which is not installed.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'portico-instructions-'));
  let server: BenchServer | undefined;
  try {
    const started = await start({ command: callgrind(folder), startTimeout: START_TIMEOUT });
    server = started;
    const token = await issueToken();
    const send = async () => {
      for (let n = 0; n < count; n += 1) {
        const request = requests[n % requests.length];
        const { status } = await sendRequest(started.url, token, request ?? { method: 'GET', path: '/' });
        if (status >= 300) throw new Error(`The response of ${started.name} has status ${status}.`);
      }
    };
    await send();
    control(started, '--instr=on');
    await send();
    control(started, '--dump=counted');
    return (await totalIn(folder)) / count;
  } finally {
    if (server) await endProcess(server.process);
    await rm(folder, { recursive: true, force: true });
  }
}

const callgrind = (folder: string) => [
  'valgrind',
  '--quiet',
  '--tool=callgrind',
  // Without instrumentation, the program runs several times faster.
  '--instr-atstart=no',
  // V8 generates code at run time.
  '--smc-check=all-non-file',
  `--callgrind-out-file=${join(folder, 'out')}`,
];

/**
 * Sends a request to callgrind. callgrind_control always exits with success, so its output is checked. It finds the process by names
 * that contain USER and HOST, so it runs with the environment of the server.
 */
function control({ process: { pid } }: BenchServer, request: string): void {
  const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
  const env = Object.fromEntries(text.split('\0').map((line) => line.split(/=(.*)/s, 2)));
  const { stdout, stderr } = spawnSync('callgrind_control', [request, String(pid)], {
    encoding: 'utf8',
    env,
  });
  if (/error|failed/.test(stderr)) throw new Error(`callgrind_control ${request}: ${stdout} ${stderr}`);
}

/** Reads the total from the dump, which callgrind writes some time after it has acknowledged the request. */
async function totalIn(folder: string): Promise<number> {
  const deadline = Date.now() + DUMP_TIMEOUT;
  while (Date.now() < deadline) {
    await sleep(200);
    for (const name of await readdir(folder)) {
      const [, total] = /^summary: (\d+)/m.exec(await readFile(join(folder, name), 'utf8')) ?? [];
      if (total !== undefined) return Number(total);
    }
  }
  throw new Error(`callgrind wrote no total within ${DUMP_TIMEOUT} ms.`);
}
