/** The messages between `portico serve --workers` and its workers, through which one worker collects the metrics of all. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../core/limits.ts';

type FromWorker =
  /** Clients can connect. */
  | { readonly kind: 'listening' }
  /** Requests the metrics of all workers, because this worker has a request for them. */
  | { readonly kind: 'collect'; readonly id: number }
  /** The worker's own metrics, in response to `report`. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string };

type ToWorker =
  | { readonly kind: 'report'; readonly id: number }
  /** The metrics of the workers that responded, with their numbers. */
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

/** Responds to a worker's requests for metrics with those of all workers. */
export function passMetrics(requester: ChildProcess, workers: () => Iterable<[number, ChildProcess]>): void {
  requester.on('message', async (message: FromWorker) => {
    if (message.kind !== 'collect') return;
    const { id } = message;
    const texts = await Promise.all(
      [...workers()].map(async ([number, worker]) => [number, await metricsOf(worker, id)] as const),
    );
    const known = texts.flatMap(([number, text]) => (text === undefined ? [] : [[number, text] as const]));
    sendTo(requester, { kind: 'collected', id, texts: known });
  });
}

/** Sends a message to a worker. One that has just died does not respond, so a failure needs no other handling. */
function sendTo(worker: ChildProcess, message: ToWorker): void {
  // Without a callback, Node reports the failure as an error of the worker.
  if (worker.connected) worker.send(message, () => {});
}

/** Returns the metrics of a worker; undefined if it does not respond in time, or has ended. */
async function metricsOf(worker: ChildProcess, id: number): Promise<string | undefined> {
  if (!worker.connected) return undefined;
  const response = new Promise<string>((resolve) => {
    const receive = (message: FromWorker) => {
      if (message.kind !== 'metrics' || message.id !== id) return;
      worker.off('message', receive);
      resolve(message.text);
    };
    worker.on('message', receive);
    setTimeout(() => worker.off('message', receive), LIMITS.workerPatience).unref();
  });
  sendTo(worker, { kind: 'report', id });
  return Promise.race([response, sleep(LIMITS.workerPatience, undefined, { ref: false })]);
}

/**
 * Connects this process, if it is a worker, to the process that started it. When that process ends, the worker shuts down.
 *
 * @param sharesPort whether other processes listen on the port of this one.
 * @param ownMetrics returns the metrics of this process.
 * @returns undefined in a process that is not a worker.
 */
export function joinWorkers(sharesPort: boolean, ownMetrics: () => Promise<string>) {
  // A process manager may also have started this process with an IPC channel.
  if (!process.send || !sharesPort) return undefined;
  // If the other process has just ended, the event `disconnect` follows. Without a callback, the failure would end this process at once.
  const send = (message: FromWorker) => void (process.connected && process.send?.(message, () => {}));
  const waiting = new Map<number, (texts: ReadonlyMap<number, string>) => void>();
  let last = 0;
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'collected') waiting.get(message.id)?.(new Map(message.texts));
    if (message.kind === 'report') send({ kind: 'metrics', id: message.id, text: await ownMetrics() });
  });
  const stop = () => process.kill(process.pid, 'SIGTERM');
  process.once('disconnect', stop);
  // The other process may have ended while this one was starting.
  if (!process.connected) stop();
  // The channel must not keep the process running.
  process.channel?.unref();
  return {
    /** Reports that clients can connect. */
    listens: (): void => send({ kind: 'listening' }),
    /** The metrics of all workers, each with its number as a label. */
    async metrics(): Promise<string> {
      // Two workers may send requests at the same time, so the id includes the process.
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

/** A metric: its HELP and TYPE lines, and its samples. */
interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/** Joins the metrics of several processes in the text format of Prometheus. Each sample gets a label with the key of its process. */
function withLabel(label: string, texts: ReadonlyMap<string | number, string>): string {
  const families = new Map<string, Family>();
  for (const [key, text] of texts) {
    let current: Family | undefined;
    for (const line of text.split('\n')) {
      if (line.startsWith('# HELP ')) {
        const name = line.split(' ', 3)[2] ?? '';
        current = families.get(name) ?? { head: [line], samples: [] };
        if (!families.has(name)) families.set(name, current);
        continue;
      }
      if (line === '' || !current) continue;
      if (!line.startsWith('#')) current.samples.push(labelled(line, `${label}="${key}"`));
      else if (!current.head.includes(line)) current.head.push(line);
    }
  }
  return [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n');
}

/** Adds a label to a sample such as `name{a="b"} 1` or `name 1`. */
function labelled(sample: string, label: string): string {
  const [, name = '', labels, rest = ''] = /^([\w:]+)(?:\{(.*)\})?( .*)$/s.exec(sample) ?? [];
  return `${name}{${labels ? `${labels},` : ''}${label}}${rest}`;
}
