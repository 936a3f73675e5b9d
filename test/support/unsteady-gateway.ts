/** A gateway that goes wrong in the way that a test wants, and keeps the books of the sandbox all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../src/core/errors.ts';
import type {
  ChargeRequest,
  ChargeResult,
  Gateway,
  RecoveryRequest,
  RecoveryResult,
  RefundRequest,
  RefundResult,
} from '../../src/payments/gateway.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { testClock } from './clock.ts';
import type { TestEngine } from './engines.ts';

/** What becomes of one request. `move` does what was asked for, and enters it into the books. */
export type Fault = <T>(move: () => Promise<T>) => Promise<T>;

const unavailable = () => new ApiError('payment_gateway_unavailable');
const nonsense = () => new ApiError('payment_gateway_failed');

/** Rejects long after its caller has given up, and soon enough for a server that stops to wait for it. */
const silence = async <T>(): Promise<T> => {
  await sleep(1500, undefined, { ref: false });
  throw unavailable();
};

export const FAULTS = {
  'is down': async () => {
    throw unavailable();
  },
  'answers nonsense': async () => {
    throw nonsense();
  },
  'answers nonsense after it moved the money': async (move) => {
    await move();
    throw nonsense();
  },
  'does not answer in time': silence,
  'moves the money and does not answer in time': async (move) => {
    await move();
    return silence();
  },
} satisfies Record<string, Fault>;

/** The same for a charge, which may be answered in other ways, too. */
export type ChargeFault = (move: () => Promise<ChargeResult>) => Promise<ChargeResult>;

/** A charge that is with the gateway until the test lets it go on. */
export interface Held {
  /** The gateway goes on with it: it moves the money, or does what else is said here. */
  go(fault?: ChargeFault): void;
}

export class UnsteadyGateway implements Gateway {
  readonly #open: () => Gateway;
  #steady: Gateway | undefined;
  readonly #faults: Fault[] = [];
  readonly #holds: ChargeFault[] = [];
  /** Requests so far. */
  calls = 0;

  constructor(engine: TestEngine) {
    // The database of a suite is there when its tests run, and this is made before.
    this.#open = () => createSandbox({ database: engine.database, clock: testClock() });
  }

  /** The next request meets this. Those after it are answered well, when nothing is said of them. */
  next(fault: Fault): void {
    this.#faults.push(fault);
  }

  /** Resolves when the next charge has come in, and leaves it waiting. */
  holdCharge(): Promise<Held> {
    const { promise, resolve } = Promise.withResolvers<Held>();
    this.#holds.push(async (move) => {
      const released = Promise.withResolvers<ChargeFault>();
      resolve({ go: (fault = (well) => well()) => released.resolve(fault) });
      const fault = await released.promise;
      return fault(move);
    });
    return promise;
  }

  charge(request: ChargeRequest): Promise<ChargeResult> {
    const hold = this.#holds.shift();
    const charge = (steady: Gateway) => steady.charge(request);
    return this.#meet(hold ? (steady) => hold(() => charge(steady)) : charge);
  }

  recover(request: RecoveryRequest): Promise<RecoveryResult> {
    return this.#meet((steady) => steady.recover(request));
  }

  refund(request: RefundRequest): Promise<RefundResult> {
    return this.#meet((steady) => steady.refund(request));
  }

  #meet<T>(ask: (steady: Gateway) => Promise<T>): Promise<T> {
    this.calls += 1;
    this.#steady ??= this.#open();
    const steady = this.#steady;
    const fault = this.#faults.shift();
    return fault ? fault(() => ask(steady)) : ask(steady);
  }
}
