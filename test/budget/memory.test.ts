import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryBudget } from '../../src/budget/memory.ts';
import { testClock } from '../support/clock.ts';

const OPTIONS = { points: 100, perSecond: 10 };

test('a bucket fills by itself, and not above its brim', () => {
  const clock = testClock();
  const budget = createMemoryBudget(OPTIONS, clock);
  expect(budget.bucketOf('a').take(70)).toEqual({ granted: true, available: 30, retryAfter: 0 });
  clock.advance(500);
  expect(budget.bucketOf('a').take(5)).toMatchObject({ available: 30 });
  clock.advance(60_000);
  expect(budget.bucketOf('a').take(1)).toMatchObject({ available: 99 });
  expect(budget.bucketOf('b').take(1)).toMatchObject({ available: 99 });
});

test('what is not granted takes nothing', () => {
  const budget = createMemoryBudget(OPTIONS, testClock());
  budget.bucketOf('a').take(95);
  expect(budget.bucketOf('a').take(30)).toEqual({ granted: false, available: 5, retryAfter: 3 });
  expect(budget.bucketOf('a').take(5)).toMatchObject({ granted: true, available: 0 });
});

test('what was spent already is owed, and what was given back never more than there was', () => {
  const budget = createMemoryBudget(OPTIONS, testClock());
  expect(budget.bucketOf('a').settle(150)).toMatchObject({ available: -50 });
  expect(budget.bucketOf('a').take(1)).toMatchObject({ granted: false, retryAfter: 6 });
  expect(budget.bucketOf('a').settle(-1000)).toMatchObject({ available: 100 });
});

test('what costs more than a bucket holds takes a full one, so that it is possible at all', () => {
  const budget = createMemoryBudget(OPTIONS, testClock());
  expect(budget.bucketOf('a').take(1000)).toEqual({ granted: true, available: 0, retryAfter: 0 });
  expect(budget.bucketOf('a').take(1000)).toMatchObject({ granted: false, retryAfter: 10 });
});

test('a clock that is put back fills nothing and takes nothing', () => {
  const clock = testClock();
  const budget = createMemoryBudget(OPTIONS, clock);
  budget.bucketOf('a').take(50);
  clock.advance(-3_600_000);
  expect(budget.bucketOf('a').take(1)).toMatchObject({ available: 49 });
  clock.advance(1000);
  expect(budget.bucketOf('a').take(1)).toMatchObject({ available: 58 });
});

test('nobody gets more than a bucket and what came back, and Retry-After is never wrong', () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 5000 }),
    points: fc.integer({ min: 1, max: 120 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = testClock();
      const budget = createMemoryBudget(OPTIONS, clock);
      let spent = 0;
      let passed = 0;
      for (const { wait, points } of steps) {
        clock.advance(wait);
        passed += wait;
        const { granted, retryAfter } = budget.bucketOf('a').take(points);
        const wanted = Math.min(points, OPTIONS.points);
        if (granted) spent += wanted;
        else {
          clock.advance((retryAfter - 1) * 1000);
          expect(budget.bucketOf('a').take(points).granted).toBe(false);
          clock.advance(1000);
          expect(budget.bucketOf('a').take(points).granted).toBe(true);
          spent += wanted;
          passed += retryAfter * 1000;
        }
        expect(spent).toBeLessThanOrEqual(OPTIONS.points + (passed * OPTIONS.perSecond) / 1000 + 1e-6);
      }
    }),
    { seed: 7, numRuns: 300 },
  );
});
