import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { createMemoryBudget } from '../../src/rate-limit/memory.ts';
import { expectNoneMade, requestCostOf } from '../support/budgets.ts';
import { testClock } from '../support/clock.ts';

const OPTIONS = { points: 100, perSecond: 10 };

const NOW = testClock()();

test('a bucket fills by itself, and not above its brim', () => {
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

test('what is not granted takes nothing', () => {
  const budget = createMemoryBudget(OPTIONS);
  budget.take('a', 95, NOW);
  expect(budget.take('a', 30, NOW)).toMatchObject({ granted: false, available: 5, retryAfter: 3 });
  expect(budget.take('a', 5, NOW)).toMatchObject({ granted: true, available: 0 });
});

test('what was spent already is charged, and what was given back never more than there was', () => {
  const budget = createMemoryBudget(OPTIONS);
  budget.settle('a', 150, NOW);
  expect(budget.take('a', 1, NOW)).toMatchObject({ granted: false, available: -50, retryAfter: 6 });
  budget.settle('a', -1000, NOW);
  expect(budget.take('a', 0, NOW)).toMatchObject({ available: 100 });
});

test('more than a bucket holds is never granted', () => {
  const budget = createMemoryBudget(OPTIONS);
  expect(budget.take('a', 101, NOW)).toMatchObject({ granted: false, available: 100 });
  expect(budget.take('a', 100, NOW)).toMatchObject({ granted: true, available: 0 });
});

test('a clock that is put back fills nothing and takes nothing', () => {
  const clock = testClock();
  const budget = createMemoryBudget(OPTIONS);
  budget.take('a', 50, clock());
  clock.advance(-3_600_000);
  expect(budget.take('a', 1, clock())).toMatchObject({ available: 49 });
  clock.advance(1000);
  expect(budget.take('a', 1, clock())).toMatchObject({ available: 58 });
});

test('what called first and asks last gets nothing twice', () => {
  const budget = createMemoryBudget(OPTIONS);
  const takeAfter = (milliseconds: number, points: number) =>
    budget.take('a', points, new Date(NOW.getTime() + milliseconds));
  takeAfter(0, 50);
  expect(takeAfter(900, 0)).toMatchObject({ available: 59 });
  expect(takeAfter(400, 0)).toMatchObject({ available: 59 });
  expect(takeAfter(900, 0)).toMatchObject({ available: 59 });
  expect(takeAfter(1000, 0)).toMatchObject({ available: 60 });
});

describe('buckets that are kept', () => {
  test('become fewer when they are full again, and keep what was taken from them until then', () => {
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

  test('settle what was taken from them before they were full again and forgotten', () => {
    const clock = testClock();
    const budget = createMemoryBudget(OPTIONS);
    const taken = clock();
    for (const caller of ['refund', 'debt']) budget.take(caller, 10, taken);
    clock.advance(1000);
    for (const caller of ['x', 'y']) budget.take(caller, 1, clock());
    expect(budget.size, 'those of before were forgotten').toBe(2);
    budget.take('refund', 100, clock());
    budget.settle('refund', -10, taken);
    budget.settle('debt', 90, clock());
    expect(budget.take('refund', 0, clock())).toMatchObject({ available: 10 });
    expect(budget.take('debt', 0, clock())).toMatchObject({ available: 10 });
  });

  test('of others are left as they are by a debt from before', () => {
    const clock = testClock();
    const budget = createMemoryBudget(OPTIONS);
    const before = clock();
    clock.advance(5000);
    budget.take('other', 100, clock());
    budget.settle('debtor', 50, before);
    expect(budget.take('other', 0, clock())).toMatchObject({ available: 0 });
  });

  test('where there are too many, one that is full goes before one that is not', () => {
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

  test('are never more than the limit, no matter who comes', () => {
    const budget = createMemoryBudget(OPTIONS);
    for (let caller = 0; caller < LIMITS.budgets * 1.1; caller += 1) budget.take(`${caller}`, 10, NOW);
    expect(budget.size).toBe(LIMITS.budgets);
  });
});

test('Retry-After is never wrong', () => {
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

test('points are never made: what was spent is a bucket and what came back, at most', async () => {
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
