/**
 * Turns some requests away while there is more to do than can be done, so that the others are answered in time. Without it
 * everybody would wait longer and longer, until nobody waits any more and the work is done for nothing.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Metrics } from '../metrics.ts';

/** How far behind the process is. */
export interface Lag {
  /** Milliseconds that the event loop was late, on average since it was last asked for. */
  readonly loop: number;
  /** Callers that wait for a connection to the database. */
  readonly waiting: number;
}

/** Milliseconds between two measurements of the event loop, which each measurement contains. */
const RESOLUTION = 10;

/** Milliseconds between two looks at the lag. */
const INTERVAL = 100;

/** How the share that is turned away grows and shrinks with each look: fast, since a queue is, and slowly. */
const STEP = { up: 0.2, down: 0.05 };

/** At most: some requests must come through, or nobody would find out that it is over. */
const MOST = 0.98;

/** Seconds after which those who were turned away may come back, so that they do not do so all at once. */
const RETRY_AFTER = { least: 1, most: 3 };

/** Whoever asks for these wants to know how the server is, above all then. */
const EXEMPT: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * The share of requests to turn away, after a look at the lag. Between calm and overload it stays as it is.
 *
 * @param mostLag milliseconds that the event loop may be late.
 */
export function nextShare(
  share: number,
  { loop, waiting }: Lag,
  mostLag: number = LIMITS.overloadLag,
): number {
  if (loop > mostLag || waiting > LIMITS.overloadWaiting) return Math.min(MOST, share + STEP.up);
  const isCalm = loop < mostLag / 2 && waiting < LIMITS.overloadWaiting / 2;
  return isCalm ? Math.max(0, share - STEP.down) : share;
}

/** Watches the lag for as long as the server listens, and answers 503 with Retry-After to the share that is too much. */
export function shedLoad(app: FastifyInstance, database: Database, metrics: Metrics, mostLag: number): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  let share = 0;
  const timer = setInterval(() => {
    // Without a measurement since the last look there is none to go by.
    const loop = delay.count > 0 ? delay.mean / 1e6 - RESOLUTION : 0;
    delay.reset();
    share = nextShare(share, { loop, waiting: database.load().waiting }, mostLag);
  }, INTERVAL);
  timer.unref();
  delay.enable();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    delay.disable();
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (share === 0 || Math.random() >= share || EXEMPT.has(request.url)) return done();
    metrics.refused('overload');
    const { least, most } = RETRY_AFTER;
    done(new ApiError('overloaded', { retryAfter: least + Math.floor(Math.random() * (most - least + 1)) }));
  });
}
