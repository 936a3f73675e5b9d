/** Compares the model's predictions for several workers on this machine with measurements, and measures what the model does not predict. */
import { availableParallelism } from 'node:os';
import type { BenchRequest } from '../cases.ts';
import { headersOf, signIn } from '../client.ts';
import { endProcess } from '../processes.ts';
import { runLoad, startLoad } from '../rounds.ts';
import type { BenchServer } from '../servers.ts';
import { type Machines, WARM_UP } from './measure.ts';
import { type Kind, maxRate } from './model.ts';

/** The numbers of workers that are compared. */
const SIZES = [1, 2, 4];

/** The total number of connections, which the kinds of requests share. */
const CONNECTIONS = 10;

/** A kind of request, with the request and the user that sends it. */
export interface SentKind extends Kind {
  readonly request: BenchRequest;
  readonly email: string;
}

export type Sent = Omit<SentKind, 'cost'>;

export interface Checked {
  readonly workers: number;
  /** Requests a second. */
  readonly predicted: number;
  readonly measured: number;
}

/** Measures the throughput of each number of workers for all kinds at once. Predicts it for the kinds in the proportion that was served. */
export async function checkModel(
  { startWorkers }: Machines,
  kinds: readonly SentKind[],
  seconds: number,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const workers of SIZES) {
    const server = await startWorkers(workers);
    await serve(server, kinds, WARM_UP * workers);
    const responses = await serve(server, kinds, seconds);
    await endProcess(server.process);
    const all = responses.reduce((sum, each) => sum + each, 0);
    const served = kinds.map((kind, index) => ({ ...kind, share: (responses[index] ?? 0) / all }));
    const predicted = maxRate(served, { workers, cores: availableParallelism() });
    checked.push({ workers, predicted, measured: all / seconds });
  }
  return checked;
}

/** Concurrent writers of one organisation: enough that one of them always waits for the lock of the event log. */
const WRITERS = 16;

/** The number of workers for the writers: two, so that they can use a second core. */
const WRITING_WORKERS = 2;

/** Measures the writes a second of one organisation, which are sequential. Each client waits for its response. */
export async function changesOfOne(
  { startWorkers }: Machines,
  change: Sent,
  seconds: number,
): Promise<number> {
  const server = await startWorkers(WRITING_WORKERS);
  const alone = [{ ...change, share: 1 }];
  await serve(server, alone, WARM_UP * WRITING_WORKERS, WRITERS);
  const [responses = 0] = await serve(server, alone, seconds, WRITERS);
  await endProcess(server.process);
  return responses / seconds;
}

/** @returns the number of responses for each kind. @throws Error if a request fails. */
async function serve(
  server: BenchServer,
  kinds: readonly Sent[],
  seconds: number,
  clients = CONNECTIONS,
): Promise<number[]> {
  return Promise.all(
    kinds.map(async ({ request, email, share }) => {
      const connections = Math.max(1, Math.round(share * clients));
      const requests = Array<BenchRequest>(connections).fill(request);
      const headers = headersOf(await signIn(server.url, email));
      const load = startLoad(undefined);
      const { responses, refused, failed } = await runLoad(load, {
        url: server.url,
        headers,
        requests,
        connections,
        seconds,
      });
      await endProcess(load);
      if (refused + failed > 0) throw new Error(`${refused + failed} of ${responses} requests failed.`);
      return responses;
    }),
  );
}
