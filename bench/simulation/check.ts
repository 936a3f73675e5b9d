/** Servers with several workers: what the model says of sizes that this machine has, beside what is measured, and what it cannot know. */
import { availableParallelism } from 'node:os';
import type { BenchRequest } from '../cases.ts';
import { headersOf, signIn } from '../client.ts';
import { endProcess } from '../processes.ts';
import { runLoad, startLoad } from '../rounds.ts';
import type { BenchServer } from '../servers.ts';
import { type Machines, WARM_UP } from './measure.ts';
import { type Kind, mostOf } from './model.ts';

/** Workers of the sizes that are tried. */
const SIZES = [1, 2, 4];

/** Connections for each kind of request, of ten in all. */
const CONNECTIONS = 10;

/** One kind with what its clients send. */
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

/** Asks each size for all kinds at once, as fast as it responds, and has the model say how fast that is for what was served. */
export async function checkModel(
  { startWorkers }: Machines,
  kinds: readonly SentKind[],
  seconds: number,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const workers of SIZES) {
    const server = await startWorkers(workers);
    await serve(server, kinds, WARM_UP * workers);
    const answers = await serve(server, kinds, seconds);
    await endProcess(server.process);
    const all = answers.reduce((sum, each) => sum + each, 0);
    const served = kinds.map((kind, index) => ({ ...kind, share: (answers[index] ?? 0) / all }));
    const predicted = mostOf(served, { workers, cores: availableParallelism() });
    checked.push({ workers, predicted, measured: all / seconds });
  }
  return checked;
}

/** Clients of one organisation that change something at once: enough that one of them always waits for the log. */
const WRITERS = 16;

/** Workers that serve those: as many as let a second core help. */
const WRITING_WORKERS = 2;

/** @returns how many changes a second one organisation makes, of clients that wait for each. They are one after the other. */
export async function changesOfOne(
  { startWorkers }: Machines,
  change: Sent,
  seconds: number,
): Promise<number> {
  const server = await startWorkers(WRITING_WORKERS);
  const alone = [{ ...change, share: 1 }];
  await serve(server, alone, WARM_UP * WRITING_WORKERS, WRITERS);
  const [answers = 0] = await serve(server, alone, seconds, WRITERS);
  await endProcess(server.process);
  return answers / seconds;
}

/** @returns how many requests of each kind were served. @throws Error when one was not. */
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
      const { answers, refused, failed } = await runLoad(load, {
        url: server.url,
        headers,
        requests,
        connections,
        seconds,
      });
      await endProcess(load);
      if (refused + failed > 0)
        throw new Error(`${refused + failed} of ${answers} requests were not served.`);
      return answers;
    }),
  );
}
