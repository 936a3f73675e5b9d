/** What must be true of a budget however it is spent, wherever its buckets are. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import type { BudgetOptions } from '../../src/rate-limit/bucket.ts';
import type { Bucket, Budget } from '../../src/rate-limit/budget.ts';

/** One operation: it is asked for, and settled after some others were. */
export interface SpendingStep {
  /** Milliseconds before it. */
  readonly wait: number;
  /** Points that it may cost. */
  readonly requested: number;
  /** Points that it has cost, as a share of those. */
  readonly used: number;
  /** Operations that begin before it is settled. */
  readonly lasts: number;
}

/** Time as the budget knows it. */
export interface BudgetTime {
  /** Lets milliseconds pass. */
  wait(milliseconds: number): void;
  /** Milliseconds that have passed. */
  now(): number;
  readonly clock: Clock;
}

/** Sequences of operations, some of which cost more than a bucket holds, and some more than they were expected to. */
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

/** Spends as the steps say, and expects that there never was more than a bucket and what came back. */
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
