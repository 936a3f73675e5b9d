/** The properties that every budget must have, wherever its buckets are stored. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import type { Bucket, Budget, BudgetOptions } from '../../src/rate-limit/budget.ts';

/** One operation, which takes points and settles them after some other operations have started. */
interface SpendingStep {
  /** Milliseconds before the operation. */
  readonly wait: number;
  /** The points that it may cost. */
  readonly requested: number;
  /** Its actual cost, as a ratio of `requested`. */
  readonly used: number;
  /** The number of operations that start before it is settled. */
  readonly lasts: number;
}

/** The budget's clock. */
interface BudgetTime {
  /** Advances the clock. */
  wait(milliseconds: number): void;
  /** Milliseconds that have passed. */
  now(): number;
  readonly clock: Clock;
}

/** Generates sequences of operations. Some cost more than the capacity of a bucket, and some more than requested. */
export const requestCostOf = ({ points }: BudgetOptions): fc.Arbitrary<SpendingStep[]> =>
  fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 3000 }),
      requested: fc.integer({ min: 1, max: Math.round(points * 1.5) }),
      used: fc.double({ min: 0, max: 1.2, noNaN: true }),
      lasts: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 60 },
  );

interface Running {
  readonly difference: number;
  readonly at: Date;
  readonly bucket: Bucket;
  left: number;
}

/** Runs the steps, and expects that they never spend more than the capacity of the bucket plus the refilled points. */
export async function expectNoneMade(
  budget: Budget,
  steps: readonly SpendingStep[],
  { wait, now, clock }: BudgetTime,
  key = 'a',
): Promise<void> {
  let running: Running[] = [];
  let spent = 0;
  for (const { wait: milliseconds, requested, used, lasts } of steps) {
    wait(milliseconds);
    const at = clock();
    const { granted, bucket } = await budget.take(key, requested, at);
    if (granted) {
      spent += requested;
      expect(spent).toBeLessThanOrEqual(budget.points + (now() * budget.perSecond) / 1000 + 1e-6);
      running.push({ difference: Math.round(requested * used) - requested, at, bucket, left: lasts });
    }
    for (const { difference, at: taken, bucket: from } of running.filter(({ left }) => left === 0)) {
      await budget.settle(key, difference, taken, from);
      spent += difference;
    }
    running = running.filter(({ left }) => left > 0);
    for (const one of running) one.left -= 1;
  }
}
