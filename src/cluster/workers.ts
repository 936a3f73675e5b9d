/** The messages between `portico serve --workers` and its workers, and the metrics of all of them. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../core/limits.ts';
import { withLabel } from '../observability/labelled.ts';

/** What a worker sends. */
type FromWorker =
  /** Clients can connect. */
  | { readonly kind: 'listening' }
  /** It is asked for metrics, and wants those of all workers. */
  | { readonly kind: 'collect'; readonly id: number }
  /** The metrics that it was asked for. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string };

/** What a worker is sent. */
type ToWorker =
  | { readonly kind: 'report'; readonly id: number }
  /** The metrics of the workers that answered, by their numbers. */
  | {
      readonly kind: 'collected';
      readonly id: number;
      readonly texts: readonly (readonly [number, string])[];
    };

/** Resolves when clients of the worker can connect. */
export function listening(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    worker.on('message', ({ kind }: FromWorker) => kind === 'listening' && resolve());
  });
}

/** Has a worker's questions for metrics answered by all workers. */
export function passMetrics(asking: ChildProcess, workers: () => Iterable<[number, ChildProcess]>): void {
  asking.on('message', async (message: FromWorker) => {
    if (message.kind !== 'collect') return;
    const { id } = message;
    const texts = await Promise.all(
      [...workers()].map(async ([number, worker]) => [number, await metricsOf(worker, id)] as const),
    );
    const known = texts.flatMap(([number, text]) => (text === undefined ? [] : [[number, text] as const]));
    if (asking.connected) asking.send({ kind: 'collected', id, texts: known } satisfies ToWorker);
  });
}

/** Undefined for a worker that does not answer in time, or has ended. */
async function metricsOf(worker: ChildProcess, id: number): Promise<string | undefined> {
  if (!worker.connected) return undefined;
  const answer = new Promise<string>((resolve) => {
    const hear = (message: FromWorker) => {
      if (message.kind !== 'metrics' || message.id !== id) return;
      worker.off('message', hear);
      resolve(message.text);
    };
    worker.on('message', hear);
    setTimeout(() => worker.off('message', hear), LIMITS.workerPatience).unref();
  });
  worker.send({ kind: 'report', id } satisfies ToWorker);
  return Promise.race([answer, sleep(LIMITS.workerPatience, undefined, { ref: false })]);
}

/** This process as one of several workers. */
export interface Worker {
  /** Reports that clients can connect. */
  listens(): void;
  /** The metrics of all workers, each with its number as a label. */
  metrics(): Promise<string>;
}

/**
 * @param sharesPort whether other processes listen on the port of this one.
 * @param ownMetrics those of this process.
 * @returns undefined in a process that is no worker. A worker stops in good order when the process that started it has gone.
 */
export function joinWorkers(sharesPort: boolean, ownMetrics: () => Promise<string>): Worker | undefined {
  // A process manager may have started this one with a channel as well.
  if (!process.send || !sharesPort) return undefined;
  const send = (message: FromWorker) => void (process.connected && process.send?.(message));
  const waiting = new Map<number, (texts: ReadonlyMap<number, string>) => void>();
  let last = 0;
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'collected') waiting.get(message.id)?.(new Map(message.texts));
    if (message.kind === 'report') send({ kind: 'metrics', id: message.id, text: await ownMetrics() });
  });
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // It does not keep the process running.
  process.channel?.unref();
  return {
    listens: () => send({ kind: 'listening' }),
    async metrics() {
      // Two workers may ask at the same time.
      last = (last + 1) % 1_000_000;
      const id = process.pid * 1_000_000 + last;
      const { promise, resolve } = Promise.withResolvers<ReadonlyMap<number, string>>();
      waiting.set(id, resolve);
      send({ kind: 'collect', id });
      const texts = await Promise.race([
        promise,
        sleep(2 * LIMITS.workerPatience, undefined, { ref: false }),
      ]);
      waiting.delete(id);
      return texts ? withLabel('worker', texts) : ownMetrics();
    },
  };
}
