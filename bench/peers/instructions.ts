/** Instructions of a server for a request, counted by valgrind's callgrind: nothing else on the machine changes them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRequest } from '../cases.ts';
import { ask } from '../client.ts';
import { UsageError } from '../options.ts';
import { endProcess } from '../processes.ts';
import type { BenchServer, ServerOptions } from '../servers.ts';

export interface InstructionsJob {
  readonly requests: readonly BenchRequest[];
  /** Makes a token that every server takes. */
  readonly issueToken: () => Promise<string>;
  /** Requests that are counted, one after the other, after as many to warm up. */
  readonly count: number;
}

/** Milliseconds in which a server starts many times slower than usual, on a machine that is busy. */
const START_TIME = 300_000;

/** Milliseconds in which callgrind must have written what it counted. */
const DUMP_TIME = 60_000;

/** @throws UsageError where valgrind is not installed. */
export async function countInstructions(
  start: (runner: Pick<ServerOptions, 'command' | 'startTime' | 'nodeOptions'>) => Promise<BenchServer>,
  { requests, issueToken, count }: InstructionsJob,
): Promise<number> {
  if (spawnSync('valgrind', ['--version']).status !== 0) {
    throw new UsageError('--instructions needs valgrind, which is not installed.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'portico-instructions-'));
  let server: BenchServer | undefined;
  try {
    const started = await start({ command: callgrind(folder), startTime: START_TIME });
    server = started;
    const token = await issueToken();
    const send = async () => {
      for (let n = 0; n < count; n += 1) {
        const request = requests[n % requests.length];
        const { status } = await ask(started.url, token, request ?? { method: 'GET', path: '/' });
        if (status >= 300) throw new Error(`${started.name} answered ${status}.`);
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
  // Before counting is switched on, programs run several times faster.
  '--instr-atstart=no',
  // V8 writes the code that it runs.
  '--smc-check=all-non-file',
  `--callgrind-out-file=${join(folder, 'out')}`,
];

/**
 * It reports success whatever came of it, so what it says is looked at. The two find each other by names made of USER and HOST as
 * each has them in its environment.
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

/** The sum in the file that is written on request, which takes a moment after the request was acknowledged. */
async function totalIn(folder: string): Promise<number> {
  const deadline = Date.now() + DUMP_TIME;
  while (Date.now() < deadline) {
    await sleep(200);
    for (const name of await readdir(folder)) {
      const [, total] = /^summary: (\d+)/m.exec(await readFile(join(folder, name), 'utf8')) ?? [];
      if (total !== undefined) return Number(total);
    }
  }
  throw new Error(`callgrind wrote no sum in ${DUMP_TIME} ms.`);
}
