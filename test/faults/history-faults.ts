/** Faults of the machines, injected one at a time. Each resolves when all machines run again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresCluster } from '../../deploy/postgres-cluster.ts';
import type { ServerProcess } from '../support/process.ts';
import type { OwnRedis } from '../support/redis.ts';
import type { History } from './history.ts';
import type { Instance } from './history-client.ts';

export interface Machines {
  readonly cluster: PostgresCluster;
  readonly redis: OwnRedis;
  readonly instances: (Instance & { server: ServerProcess })[];
  /** Starts an instance again at its address. */
  readonly restart: (server: ServerProcess) => Promise<ServerProcess>;
  readonly history: History;
  readonly times: Times;
  readonly say: (line: string) => void;
}

/** Milliseconds. */
export interface Times {
  /** The time until the loss of the primary is detected. */
  readonly noticed: number;
  readonly replicaAway: number;
  /** The lag of a replica that comes back. */
  readonly lag: number;
  readonly redisAway: number;
  readonly instanceStopped: number;
}

type Fault = (machines: Machines) => Promise<void>;

export const FAULTS: Readonly<Record<string, Fault>> = {
  async 'the primary is killed, and a replica promoted'({ cluster, history, times, say }) {
    const lost = cluster.primary;
    const killed = performance.now();
    await lost.stop('SIGKILL');
    await sleep(times.noticed);
    await cluster.failOver();
    const promoted = performance.now();
    await cluster.rejoin(lost);
    await sleep(2000);
    const gap = history.longestGap(killed);
    say(`${gap} ms without a successful write, ${Math.round(promoted - killed)} of them until the promotion`);
  },

  async 'a replica is killed, and comes back with lag'({ cluster, times }) {
    const replica = cluster.replicas.at(-1);
    if (!replica) throw new Error('There is no replica.');
    await replica.stop('SIGKILL');
    await sleep(times.replicaAway);
    await replica.start();
    await replica.query('select pg_wal_replay_pause()');
    await sleep(times.lag);
    await replica.query('select pg_wal_replay_resume()');
  },

  async 'an instance is killed, and started again'({ instances, restart }) {
    const [instance] = instances;
    if (!instance) throw new Error('There is no instance.');
    await instance.server.end('SIGKILL');
    instance.server = await restart(instance.server);
  },

  async 'Redis is stopped, and started again'({ redis, times }) {
    await redis.stop();
    await sleep(times.redisAway);
    await redis.start();
  },

  async 'an instance is stopped with SIGSTOP'({ instances, times }) {
    const instance = instances.at(-1);
    if (!instance) throw new Error('There is no instance.');
    instance.isStopped = true;
    instance.server.signal('SIGSTOP');
    await sleep(times.instanceStopped);
    instance.server.signal('SIGCONT');
    // Clients may abandon their pending requests to it while it resumes.
    await sleep(1000);
    instance.isStopped = false;
  },
};
