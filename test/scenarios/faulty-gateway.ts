/** A gateway that fails in the way that a test chooses, on top of the sandbox and its records. */
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
import type { TestApp } from '../support/app.ts';
import type { TestEngine } from '../support/engines.ts';
import { testClock } from '../support/test-doubles.ts';

/** Handles one request. `move` executes it and records it in the sandbox. */
export type Fault = <T>(move: () => Promise<T>) => Promise<T>;

const unavailable = () => new ApiError('payment_gateway_unavailable');
const nonsense = () => new ApiError('payment_gateway_failed');

/**
 * Sends a request for which the server waits only a short time for the gateway. Others wait as usual, since any answer may take longer on a
 * busy machine.
 */
export async function impatiently<T>({ services }: TestApp, send: () => Promise<T>): Promise<T> {
  const { gatewayTimeout } = services;
  Object.assign(services, { gatewayTimeout: 250 });
  try {
    return await send();
  } finally {
    Object.assign(services, { gatewayTimeout });
  }
}

/** Rejects long after the caller has timed out, and soon enough for a stopping server to wait for it. */
const silence = async <T>(): Promise<T> => {
  await sleep(1500, undefined, { ref: false });
  throw unavailable();
};

export const FAULTS = {
  'is down': async () => {
    throw unavailable();
  },
  'returns nonsense': async () => {
    throw nonsense();
  },
  'moves the money and returns nonsense': async (move) => {
    await move();
    throw nonsense();
  },
  'does not respond in time': silence,
  'moves the money and does not respond in time': async (move) => {
    await move();
    return silence();
  },
} satisfies Record<string, Fault>;

/** The same for a charge, for which there can be other results as well. */
export type ChargeFault = (move: () => Promise<ChargeResult>) => Promise<ChargeResult>;

/** A charge that is pending at the gateway until the test releases it. */
export interface Held {
  /** Continues the charge: it moves the money, or fails with the fault. */
  go(fault?: ChargeFault): void;
}

export class FaultyGateway implements Gateway {
  readonly #open: () => Gateway;
  #sandbox: Gateway | undefined;
  readonly #faults: Fault[] = [];
  readonly #holds: ChargeFault[] = [];
  /** The number of requests so far. */
  calls = 0;

  constructor(engine: TestEngine) {
    // Opened on the first request, since the database of a suite only exists in its tests.
    this.#open = () => createSandbox({ database: engine.database, clock: testClock() });
  }

  /** Makes the next request without a fault fail with this one. Requests without a fault succeed. */
  next(fault: Fault): void {
    this.#faults.push(fault);
  }

  /** Holds the next charge. Resolves when the gateway has received it. */
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

  /** Forgets faults and holds that no request has reached. */
  forget(): void {
    this.#faults.length = 0;
    this.#holds.length = 0;
  }

  charge(request: ChargeRequest): Promise<ChargeResult> {
    const hold = this.#holds.shift();
    const charge = (sandbox: Gateway) => sandbox.charge(request);
    return this.#handle(hold ? (sandbox) => hold(() => charge(sandbox)) : charge);
  }

  recover(request: RecoveryRequest): Promise<RecoveryResult> {
    return this.#handle((sandbox) => sandbox.recover(request));
  }

  refund(request: RefundRequest): Promise<RefundResult> {
    return this.#handle((sandbox) => sandbox.refund(request));
  }

  #handle<T>(send: (sandbox: Gateway) => Promise<T>): Promise<T> {
    this.calls += 1;
    this.#sandbox ??= this.#open();
    const sandbox = this.#sandbox;
    const fault = this.#faults.shift();
    return fault ? fault(() => send(sandbox)) : send(sandbox);
  }
}
