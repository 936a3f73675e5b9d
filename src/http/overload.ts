/**
 * Turns some requests away while there is more to do than can be done, so that the others are answered in time. Without it
 * everybody would wait longer and longer, until nobody waits any more and the work is done for nothing.
 */
import type { FastifyInstance } from 'fastify';
import { monotonicTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Metrics } from '../metrics.ts';
import { OPERATOR_PATHS } from './operator-paths.ts';

/** How far behind the process is. */
export interface Lag {
  /** Milliseconds that the event loop was late. */
  readonly loop: number;
  /** Callers that wait for a connection to the database. */
  readonly waiting: number;
}

/** Milliseconds between two looks at the lag. */
const INTERVAL = 100;

/**
 * How the share that is turned away grows and shrinks with each look: fast, and the faster the longer the queue is already, and
 * slowly.
 */
const STEP = { up: 0.2, down: 0.03 };

/** At most: some requests must come through, or nobody would find out that it is over. */
const MOST = 0.98;

/** Seconds after which those who were turned away may come back, so that they do not do so all at once. */
const RETRY_AFTER = { least: 1, most: 3 };

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
  const excess = Math.max(loop / mostLag, waiting / LIMITS.overloadWaiting);
  if (excess > 1) return Math.min(MOST, share + STEP.up * excess);
  return excess < 0.5 ? Math.max(0, share - STEP.down) : share;
}

/** Milliseconds that the event loop was late when it was asked for. */
export type LoopLag = () => number;

/** Why something that has just come is turned away; undefined for the share that is let in. */
export type Shed = () => ApiError | undefined;

export interface SheddingOptions {
  readonly database: Pick<Database, 'load'>;
  readonly metrics: Metrics;
  /** Milliseconds that the event loop may be late. */
  readonly mostLag: number;
  /** Measured when left out. */
  readonly loopLag?: LoopLag | undefined;
}

/**
 * Watches the lag for as long as the server listens, and answers 503 with Retry-After to the share that is too much.
 *
 * @returns the same decision for what comes in other ways than as a request, such as an operation on an open socket.
 */
export function shedLoad(app: FastifyInstance, options: SheddingOptions): Shed {
  const { database, metrics, mostLag, loopLag = measureLoop() } = options;
  let share = 0;
  const timer = setInterval(() => {
    share = nextShare(share, { loop: loopLag(), waiting: database.load().waiting }, mostLag);
  }, INTERVAL);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
  const shed: Shed = () => {
    if (share === 0 || Math.random() >= share) return undefined;
    metrics.refused('overload');
    const { least, most } = RETRY_AFTER;
    return new ApiError('overloaded', {
      retryAfter: least + Math.floor(Math.random() * (most - least + 1)),
    });
  };
  app.addHook('onRequest', (request, _reply, done) => {
    done(share === 0 || OPERATOR_PATHS.has(request.url) ? undefined : shed());
  });
  return shed;
}

/**
 * How much later than it was due a look comes, for what waits for the event loop waits about as long; of the last two, the one that
 * was less late. A pause, as garbage collection makes them, is over before anybody could be turned away for it.
 *
 * @param time milliseconds that have passed since some moment.
 */
export function measureLoop(time = monotonicTime): LoopLag {
  let last = time();
  let before = 0;
  return () => {
    const now = time();
    const late = Math.max(0, now - last - INTERVAL);
    const least = Math.min(late, before);
    last = now;
    before = late;
    return least;
  };
}
