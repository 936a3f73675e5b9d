/** Replacements for parts of the server that a test controls: clocks, a vault, the scheduler's capacity, and members of the database. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { createVault, type Vault } from '../../src/core/vault.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import type { AppSettings } from './app.ts';

/** A clock that a test can advance. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that only moves when a test advances it. It starts later than the demo data, so that new rows are the newest. */
export function testClock(): TestClock {
  let now = Date.parse('2026-09-01T12:00:00.000Z');
  return Object.assign(() => new Date(now), {
    advance(milliseconds: number) {
      now += milliseconds;
    },
  });
}

/** The clock of the machine, plus the time by which a test advances it. */
export function runningClock(): TestClock {
  let ahead = 0;
  return Object.assign(() => new Date(Date.now() + ahead), {
    advance(milliseconds: number) {
      ahead += milliseconds;
    },
  });
}

/** The monotonic clock of this process while a test holds it. */
interface HeldTime {
  advance(milliseconds: number): void;
  /** Lets it run again, as it does after the test. */
  release(): void;
}

/**
 * Holds the monotonic clock, so that nothing that the code measures with it passes because the machine is busy. Timers continue to run. Nothing
 * that waits for this clock may be used meanwhile, such as `waitUntil`.
 */
export function holdTime(): HeldTime {
  let now = performance.now();
  const held = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const release = () => held.mockRestore();
  onTestFinished(release);
  return {
    advance(milliseconds) {
      now += milliseconds;
    },
    release,
  };
}

/** Creates a vault with these keys, the newest first; by default with one new key. */
export function testVault(keys: ReadonlyMap<string, KeyObject> = new Map([['a', testKey()]])): Vault {
  return createVault({
    newest() {
      const [newest] = keys;
      if (!newest) throw new Error('The vault has no key.');
      return { kid: newest[0], secret: newest[1] };
    },
    find: async (kid) => keys.get(kid),
  });
}

export const testKey = (): KeyObject => createSecretKey(randomBytes(32));

/** A scheduler whose overload a test controls. */
interface ScriptedLoad {
  readonly scheduling: NonNullable<AppSettings['scheduling']>;
  /** From now on, every operation is one too many. */
  overload(): void;
  /** From now on, every operation starts in its turn. */
  calm(): void;
}

export function scriptedLoad(): ScriptedLoad {
  let capacity: number = LIMITS.waitingOperations;
  return {
    scheduling: { capacity: () => capacity },
    overload() {
      capacity = 0;
    },
    calm() {
      capacity = LIMITS.waitingOperations;
    },
  };
}

/** Something that a test lets happen between two steps of the server. */
export class Disturbance {
  /** Called once, after the next result. It may assign itself again. */
  next: (() => Promise<unknown>) | undefined;

  /** Returns the result, after what happens next. */
  async after<T>(result: Promise<T>): Promise<T> {
    const value = await result;
    const { next } = this;
    this.next = undefined;
    await next?.();
    return value;
  }
}

/** Returns a database as an object whose members can be spread, so that a test can wrap some of them. */
export function membersOf(database: OpenDatabase): OpenDatabase {
  return {
    engine: database.engine,
    run: (statement, params, signal, flow) => database.run(statement, params, signal, flow),
    transaction: (work, signal, flow) => database.transaction(work, signal, flow),
    snapshot: (signal) => database.snapshot(signal),
    load: () => database.load(),
    onGrowth: (listener) => database.onGrowth(listener),
    refusesChanges: database.refusesChanges,
    ping: () => database.ping(),
    missingMigrations: () => database.missingMigrations(),
    close: () => database.close(),
  };
}
