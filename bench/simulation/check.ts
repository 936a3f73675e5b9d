/** What the model says of sizes that this machine has, beside what is measured of them. */
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

/** @returns how many requests of each kind were served. @throws Error when one was not. */
async function serve(server: BenchServer, kinds: readonly SentKind[], seconds: number): Promise<number[]> {
  return Promise.all(
    kinds.map(async ({ request, email, share }) => {
      const connections = Math.max(1, Math.round(share * CONNECTIONS));
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
