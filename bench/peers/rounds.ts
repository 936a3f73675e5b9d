import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRequest } from '../cases.ts';
import { headersOf } from '../client.ts';
import { cpuTimeOf } from '../cpu-time.ts';
import type { LoadCount, LoadJob, LoadResult } from '../load.ts';
import type { BenchServer } from '../servers.ts';

/** What was measured of one server in one round. */
export interface Measured {
  /** Microseconds of processor time for a request, of all threads of the server's process. */
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
  /** A load generator for each. */
  readonly loads: readonly [server: ChildProcess, peer: ChildProcess];
  readonly requests: readonly BenchRequest[];
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly onProgress: (what: string) => void;
}

/** Milliseconds in which a load generator that goes on gets back into its stride, and in which a server finishes what it was sent. */
const SETTLING = 40;

/** Seconds that a load generator would run for if it were not stopped: more than any measurement takes. */
const LONG = 3600;

/** Answers that a measurement needs to count. */
const LEAST = 100;

/** How many times its usual length a measurement may take to get them. */
const PATIENCE = 50;

/** Answers of each server after which V8 compiles hardly anything any more. */
const WARM = 10_000;

/** How many times its usual length a warm-up may take to get them. */
const WARM_UP_PARTS = 6;

/** One side of a pair: a server and its load, which goes on and rests. */
interface Side {
  readonly server: BenchServer;
  readonly load: ChildProcess;
  readonly ended: Promise<LoadResult>;
}

/**
 * Measures two servers by turns, both warm, each with connections that stay open. The order of each two rounds is A B B A, so that a
 * machine that gets faster or slower does so for both alike. A load generator that rests is stopped by a signal.
 *
 * @throws Error when a server did not answer everything with 2xx, or the system does not report processor times.
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
    for (const { server, ended } of sides) assertAnswered(server, await ended);
    return rounds;
  } finally {
    // Also when something failed: a process that is stopped does not end.
    for (const { load } of sides) load.kill('SIGCONT');
  }
}

/** Load on both for this many seconds, and longer where the machine is so busy that V8 has not seen enough requests by then. */
async function warm(sides: readonly Side[], seconds: number): Promise<void> {
  for (let part = 0; part < WARM_UP_PARTS; part += 1) {
    await sleep(seconds * 1000);
    const counts = await Promise.all(sides.map(({ load }) => countOf(load)));
    if (counts.every(({ answers }) => answers >= WARM)) return;
  }
}

function begin({ requests, token, connections }: PairParts, server: BenchServer, load: ChildProcess): Side {
  const job: LoadJob = { url: server.url, requests, headers: headersOf(token), connections, seconds: LONG };
  const ended = nextMessage(load, (message): message is LoadResult => 'refused' in message);
  load.send(job);
  ended.catch(() => undefined);
  return { server, load, ended };
}

const endedEarly = async ({ server, ended }: Side): Promise<never> => {
  assertAnswered(server, await ended);
  throw new Error(`The load of ${server.name} ended early.`);
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
  await sleep(SETTLING);
  const [before, cpuBefore] = [await countOf(load), cpuOf(server)];
  let after = before;
  let cpuAfter = cpuBefore;
  // A disk that others write to can hold a commit up for longer than a round.
  for (let part = 0; part < PATIENCE && after.answers - before.answers < LEAST; part += 1) {
    await sleep(seconds * 1000);
    [after, cpuAfter] = [await countOf(load), cpuOf(server)];
  }
  load.kill('SIGSTOP');
  await sleep(SETTLING);
  const answers = after.answers - before.answers;
  if (answers < LEAST) throw new Error(`${server.name} gave ${answers} answers in ${PATIENCE * seconds} s.`);
  return {
    cpu: (cpuAfter - cpuBefore) / answers,
    requestsPerSecond: (answers * 1000) / (after.at - before.at),
  };
}

async function countOf(load: ChildProcess): Promise<LoadCount> {
  const count = nextMessage(load, (message): message is LoadCount => 'at' in message);
  load.send('count');
  return count;
}

/** The next message of a load generator that is of this kind. */
function nextMessage<T extends object>(
  load: ChildProcess,
  isIt: (message: object) => message is T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      load.off('message', look);
      load.off('exit', fail);
    };
    const look = (message: object) => {
      if (!isIt(message)) return;
      end();
      resolve(message);
    };
    const fail = () => {
      end();
      reject(new Error('A load generator ended.'));
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

function assertAnswered(server: BenchServer, { answers, refused, failed }: Awaited<Side['ended']>): void {
  if (refused === 0 && failed === 0 && answers > 0) return;
  throw new Error(
    `${server.name} did not answer everything: ${refused} of ${answers} answers were no 2xx, ${failed} requests failed.`,
  );
}
