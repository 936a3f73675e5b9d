import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRequest } from '../cases.ts';
import { headersOf } from '../client.ts';
import { cpuTimeOf } from '../cpu-time.ts';
import type { LoadCount, LoadJob, LoadResult } from '../load.ts';
import type { BenchServer } from '../servers.ts';

/** The measurement of one server in one round. */
export interface Measured {
  /** Microseconds of processor time per request, of all threads of the server process. */
  readonly cpu: number;
  readonly requestsPerSecond: number;
}

export interface Round {
  readonly portico: Measured;
  readonly peer: Measured;
}

export interface PairParts {
  readonly server: BenchServer;
  readonly peer: BenchServer;
  /** The load generator of each server. */
  readonly loads: readonly [server: ChildProcess, peer: ChildProcess];
  readonly requests: readonly BenchRequest[];
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly onProgress: (what: string) => void;
}

/** Milliseconds until a continued load generator reaches its full rate, and until a server has processed the pending requests. */
const SETTLE_TIME = 40;

/** Seconds after which a load generator would end by itself: more than any measurement takes. */
const LOAD_DURATION = 3600;

/** The minimum number of responses in a measurement. */
const MIN_RESPONSES = 100;

/** The maximum duration of a measurement, in multiples of its usual duration, until it has these responses. */
const MAX_PERIODS = 50;

/** The number of responses per server after which V8 compiles almost nothing. */
const WARM_UP_RESPONSES = 10_000;

/** The maximum duration of a warm-up, in multiples of its usual duration, until it has these responses. */
const MAX_WARM_UP_PERIODS = 6;

/** One side of a pair: a server and its load generator, which is continued and stopped. */
interface Side {
  readonly server: BenchServer;
  readonly load: ChildProcess;
  readonly ended: Promise<LoadResult>;
}

/**
 * Measures two warm servers in turns, each with persistent connections. The order of each two rounds is A B B A, so that gradual changes
 * of the machine's speed affect both servers equally. The load generator of the idle server is stopped by a signal.
 *
 * @throws Error if a request fails or has no 2xx response, or if the system does not report processor times.
 */
export async function measurePair(parts: PairParts): Promise<Round[]> {
  const { loads, warmUp, onProgress } = parts;
  const sides = [begin(parts, parts.server, loads[0]), begin(parts, parts.peer, loads[1])] as const;
  try {
    onProgress('warming up');
    await Promise.race([warm(sides, warmUp), ...sides.map(endedEarly)]);
    for (const { load } of sides) load.kill('SIGSTOP');
    const rounds: Round[] = [];
    for (let number = 0; number < parts.rounds; number += 1) {
      onProgress(`round ${number + 1} of ${parts.rounds}`);
      rounds.push(await measureRound(sides, parts.seconds, number % 2 === 1));
    }
    for (const { load } of sides) load.kill('SIGCONT');
    for (const { load } of sides) load.send('stop');
    for (const { server, ended } of sides) assertSuccess(server, await ended);
    return rounds;
  } finally {
    // Also after an error, since a stopped process does not exit on SIGTERM.
    for (const { load } of sides) load.kill('SIGCONT');
  }
}

/** Waits for these seconds of load on both servers, and longer until both have sent {@link WARM_UP_RESPONSES}. */
async function warm(sides: readonly Side[], seconds: number): Promise<void> {
  for (let period = 0; period < MAX_WARM_UP_PERIODS; period += 1) {
    await sleep(seconds * 1000);
    const counts = await Promise.all(sides.map(({ load }) => countOf(load)));
    if (counts.every(({ responses }) => responses >= WARM_UP_RESPONSES)) return;
  }
}

function begin({ requests, token, connections }: PairParts, server: BenchServer, load: ChildProcess): Side {
  const job: LoadJob = {
    url: server.url,
    requests,
    headers: headersOf(token),
    connections,
    seconds: LOAD_DURATION,
  };
  const ended = nextMessage(load, (message): message is LoadResult => 'refused' in message);
  load.send(job);
  ended.catch(() => undefined);
  return { server, load, ended };
}

const endedEarly = async ({ server, ended }: Side): Promise<never> => {
  assertSuccess(server, await ended);
  throw new Error(`The load generator of ${server.name} ended early.`);
};

async function measureRound(
  [server, peer]: readonly [Side, Side],
  seconds: number,
  reversed: boolean,
): Promise<Round> {
  if (reversed) {
    const second = await measure(peer, seconds);
    return { portico: await measure(server, seconds), peer: second };
  }
  const first = await measure(server, seconds);
  return { portico: first, peer: await measure(peer, seconds) };
}

async function measure({ server, load }: Side, seconds: number): Promise<Measured> {
  load.kill('SIGCONT');
  await sleep(SETTLE_TIME);
  const [before, cpuBefore] = [await countOf(load), cpuOf(server)];
  let after = before;
  let cpuAfter = cpuBefore;
  // If other processes write to the disk, a commit can take longer than a round.
  for (
    let period = 0;
    period < MAX_PERIODS && after.responses - before.responses < MIN_RESPONSES;
    period += 1
  ) {
    await sleep(seconds * 1000);
    [after, cpuAfter] = [await countOf(load), cpuOf(server)];
  }
  load.kill('SIGSTOP');
  await sleep(SETTLE_TIME);
  const responses = after.responses - before.responses;
  if (responses < MIN_RESPONSES)
    throw new Error(`${server.name} sent only ${responses} responses in ${MAX_PERIODS * seconds} s.`);
  return {
    cpu: (cpuAfter - cpuBefore) / responses,
    requestsPerSecond: (responses * 1000) / (after.at - before.at),
  };
}

async function countOf(load: ChildProcess): Promise<LoadCount> {
  const count = nextMessage(load, (message): message is LoadCount => 'at' in message);
  load.send('count');
  return count;
}

/** Waits for the next message of this type from a load generator. */
function nextMessage<T extends object>(
  load: ChildProcess,
  isExpected: (message: object) => message is T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      load.off('message', look);
      load.off('exit', fail);
    };
    const look = (message: object) => {
      if (!isExpected(message)) return;
      end();
      resolve(message);
    };
    const fail = () => {
      end();
      reject(new Error('A load generator exited.'));
    };
    load.on('message', look);
    load.on('exit', fail);
  });
}

function cpuOf({ process: { pid } }: BenchServer): number {
  const time = cpuTimeOf(pid);
  if (time === undefined) throw new Error('This system does not report the processor time of a process.');
  return time;
}

function assertSuccess(server: BenchServer, { responses, refused, failed }: Awaited<Side['ended']>): void {
  if (refused === 0 && failed === 0 && responses > 0) return;
  throw new Error(
    `Requests to ${server.name} failed: ${refused} of ${responses} responses are not 2xx, and ${failed} requests have none.`,
  );
}
