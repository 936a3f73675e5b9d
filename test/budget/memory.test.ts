import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { createMemoryBudget } from '../../src/rate-limit/budget.ts';
import { testClock } from '../support/test-doubles.ts';
import { expectNoneMade, requestCostOf } from './properties.ts';

const OPTIONS = { points: 100, perSecond: 10 };

const NOW = testClock()();

test('a bucket refills over time, up to its capacity', () => {
  const clock = testClock();
  const budget = createMemoryBudget(OPTIONS);
  expect(budget.take('a', 70, clock())).toEqual({
    granted: true,
    available: 30,
    retryAfter: 0,
    bucket: 'own',
  });
  clock.advance(500);
  expect(budget.take('a', 5, clock())).toMatchObject({ available: 30 });
  clock.advance(60_000);
  expect(budget.take('a', 1, clock())).toMatchObject({ available: 99 });
  expect(budget.take('b', 1, clock())).toMatchObject({ available: 99 });
});

test('a refused request takes nothing', () => {
  const budget = createMemoryBudget(OPTIONS);
  budget.take('a', 95, NOW);
  expect(budget.take('a', 30, NOW)).toMatchObject({ granted: false, available: 5, retryAfter: 3 });
  expect(budget.take('a', 5, NOW)).toMatchObject({ granted: true, available: 0 });
});

test('points already spent are charged, and a refund never exceeds the capacity', () => {
  const budget = createMemoryBudget(OPTIONS);
  budget.settle('a', 150, NOW);
  expect(budget.take('a', 1, NOW)).toMatchObject({ granted: false, available: -50, retryAfter: 6 });
  budget.settle('a', -1000, NOW);
  expect(budget.take('a', 0, NOW)).toMatchObject({ available: 100 });
});

test('more than the capacity is never granted', () => {
  const budget = createMemoryBudget(OPTIONS);
  expect(budget.take('a', 101, NOW)).toMatchObject({ granted: false, available: 100 });
  expect(budget.take('a', 100, NOW)).toMatchObject({ granted: true, available: 0 });
});

test('a clock that goes back neither adds nor removes points', () => {
  const clock = testClock();
  const budget = createMemoryBudget(OPTIONS);
  budget.take('a', 50, clock());
  clock.advance(-3_600_000);
  expect(budget.take('a', 1, clock())).toMatchObject({ available: 49 });
  clock.advance(1000);
  expect(budget.take('a', 1, clock())).toMatchObject({ available: 58 });
});

test('an old timestamp does not refill a bucket twice', () => {
  const budget = createMemoryBudget(OPTIONS);
  const takeAfter = (milliseconds: number, points: number) =>
    budget.take('a', points, new Date(NOW.getTime() + milliseconds));
  takeAfter(0, 50);
  expect(takeAfter(900, 0)).toMatchObject({ available: 59 });
  expect(takeAfter(400, 0)).toMatchObject({ available: 59 });
  expect(takeAfter(900, 0)).toMatchObject({ available: 59 });
  expect(takeAfter(1000, 0)).toMatchObject({ available: 60 });
});

describe('the stored buckets', () => {
  test('are evicted when full again, and keep their debits until then', () => {
    const clock = testClock();
    const budget = createMemoryBudget(OPTIONS);
    for (let caller = 0; caller < 1000; caller += 1) budget.take(`early ${caller}`, 10, clock());
    expect(budget.size).toBe(1000);
    budget.take('busy', 100, clock());
    clock.advance(1000);
    for (let caller = 0; caller < 1000; caller += 1) budget.take(`late ${caller}`, 10, clock());
    expect(budget.size).toBe(1001);
    expect(budget.take('busy', 0, clock())).toMatchObject({ available: 10 });
  });

  test('settle debits from before they were evicted', () => {
    const clock = testClock();
    const budget = createMemoryBudget(OPTIONS);
    const taken = clock();
    for (const caller of ['refund', 'debt']) budget.take(caller, 10, taken);
    clock.advance(1000);
    for (const caller of ['x', 'y']) budget.take(caller, 1, clock());
    expect(budget.size, 'the earlier buckets were evicted').toBe(2);
    budget.take('refund', 100, clock());
    budget.settle('refund', -10, taken);
    budget.settle('debt', 90, clock());
    expect(budget.take('refund', 0, clock())).toMatchObject({ available: 10 });
    expect(budget.take('debt', 0, clock())).toMatchObject({ available: 10 });
  });

  test('of other callers are not affected by an earlier debt', () => {
    const clock = testClock();
    const budget = createMemoryBudget(OPTIONS);
    const before = clock();
    clock.advance(5000);
    budget.take('other', 100, clock());
    budget.settle('debtor', 50, before);
    expect(budget.take('other', 0, clock())).toMatchObject({ available: 0 });
  });

  test('are evicted when there are too many, full ones first', () => {
    const clock = testClock();
    const budget = createMemoryBudget(OPTIONS);
    for (let caller = 0; caller < LIMITS.budgets; caller += 1) {
      budget.take(`${caller}`, caller % 2 === 0 ? 100 : 10, clock());
    }
    clock.advance(1000);
    for (let caller = 0; caller < LIMITS.budgets / 2; caller += 1) {
      budget.take(`late ${caller}`, 1, clock());
    }
    for (let caller = 0; caller < LIMITS.budgets; caller += 1000) {
      expect(budget.take(`${caller}`, 0, clock()), `${caller}`).toMatchObject({ available: 10 });
    }
  });

  test('never exceed their maximum number', () => {
    const budget = createMemoryBudget(OPTIONS);
    for (let caller = 0; caller < LIMITS.budgets * 1.1; caller += 1) budget.take(`${caller}`, 10, NOW);
    expect(budget.size).toBe(LIMITS.budgets);
  });
});

test('after Retry-After the request is always granted', () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 5000 }),
    points: fc.integer({ min: 1, max: OPTIONS.points }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = testClock();
      const budget = createMemoryBudget(OPTIONS);
      for (const { wait, points } of steps) {
        clock.advance(wait);
        const { granted, retryAfter } = budget.take('a', points, clock());
        if (granted) continue;
        clock.advance((retryAfter - 1) * 1000);
        expect(budget.take('a', points, clock()).granted).toBe(false);
        clock.advance(1000);
        expect(budget.take('a', points, clock()).granted).toBe(true);
      }
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('points are never created: at most a full bucket and its refill can be spent', async () => {
  await fc.assert(
    fc.asyncProperty(requestCostOf(OPTIONS), async (steps) => {
      const clock = testClock();
      const began = clock().getTime();
      await expectNoneMade(createMemoryBudget(OPTIONS), steps, {
        wait: (milliseconds) => clock.advance(milliseconds),
        now: () => clock().getTime() - began,
        clock,
      });
    }),
    { seed: 7, numRuns: 500 },
  );
});
