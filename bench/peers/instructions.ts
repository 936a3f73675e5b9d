/** Instructions of a server for a request, counted by valgrind's callgrind: nothing else on the machine changes them. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  // Until it is told to count, programs run several times faster.
  '--instr-atstart=no',
  // V8 writes the code that it runs.
  '--smc-check=all-non-file',
  `--callgrind-out-file=${join(folder, 'out')}`,
];

function control({ process: { pid } }: BenchServer, request: string): void {
  const { status, stderr } = spawnSync('callgrind_control', [request, String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`callgrind_control failed: ${stderr}`);
}

/** The sum in the file that was written on request. */
async function totalIn(folder: string): Promise<number> {
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), 'utf8');
    const [, total] = /^(?:totals|summary): (\d+)/m.exec(text) ?? [];
    if (total !== undefined) return Number(total);
  }
  throw new Error('callgrind wrote no sum.');
}
