import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryBudget } from '../../src/budget/memory.ts';
import { LIMITS } from '../../src/limits.ts';
import { testClock } from '../support/clock.ts';

const OPTIONS = { points: 100, perSecond: 10 };

const NOW = testClock()();

test('a bucket fills by itself, and not above its brim', () => {
  const clock = testClock();
  const budget = createMemoryBudget(OPTIONS);
  expect(budget.bucketOf('a', clock()).take(70)).toEqual({ granted: true, available: 30, retryAfter: 0 });
  clock.advance(500);
  expect(budget.bucketOf('a', clock()).take(5)).toMatchObject({ available: 30 });
  clock.advance(60_000);
  expect(budget.bucketOf('a', clock()).take(1)).toMatchObject({ available: 99 });
  expect(budget.bucketOf('b', clock()).take(1)).toMatchObject({ available: 99 });
});

test('what is not granted takes nothing', () => {
  const bucket = createMemoryBudget(OPTIONS).bucketOf('a', NOW);
  bucket.take(95);
  expect(bucket.take(30)).toEqual({ granted: false, available: 5, retryAfter: 3 });
  expect(bucket.take(5)).toMatchObject({ granted: true, available: 0 });
});

test('what was spent already is owed, and what was given back never more than there was', () => {
  const bucket = createMemoryBudget(OPTIONS).bucketOf('a', NOW);
  bucket.settle(150);
  expect(bucket.take(1)).toMatchObject({ granted: false, available: -50, retryAfter: 6 });
  bucket.settle(-1000);
  expect(bucket.take(0)).toMatchObject({ available: 100 });
});

test('what costs more than a bucket holds takes a full one, so that it is possible at all', () => {
  const bucket = createMemoryBudget(OPTIONS).bucketOf('a', NOW);
  expect(bucket.take(1000)).toEqual({ granted: true, available: 0, retryAfter: 0 });
  expect(bucket.take(1000)).toMatchObject({ granted: false, retryAfter: 10 });
});

test('a clock that is put back fills nothing and takes nothing', () => {
  const clock = testClock();
  const budget = createMemoryBudget(OPTIONS);
  budget.bucketOf('a', clock()).take(50);
  clock.advance(-3_600_000);
  expect(budget.bucketOf('a', clock()).take(1)).toMatchObject({ available: 49 });
  clock.advance(1000);
  expect(budget.bucketOf('a', clock()).take(1)).toMatchObject({ available: 58 });
});

test('what called first and asks last gets nothing twice', () => {
  const budget = createMemoryBudget(OPTIONS);
  const after = (milliseconds: number) => budget.bucketOf('a', new Date(NOW.getTime() + milliseconds));
  after(0).take(50);
  expect(after(900).take(0)).toMatchObject({ available: 59 });
  expect(after(400).take(0)).toMatchObject({ available: 59 });
  expect(after(900).take(0)).toMatchObject({ available: 59 });
  expect(after(1000).take(0)).toMatchObject({ available: 60 });
});

describe('buckets that are kept', () => {
  test('become fewer when they are full again, and keep what was taken from them until then', () => {
    const clock = testClock();
    const budget = createMemoryBudget(OPTIONS);
    for (let caller = 0; caller < 1000; caller += 1) budget.bucketOf(`early ${caller}`, clock()).take(10);
    expect(budget.size).toBe(1000);
    budget.bucketOf('busy', clock()).take(100);
    clock.advance(1000);
    for (let caller = 0; caller < 1000; caller += 1) budget.bucketOf(`late ${caller}`, clock()).take(10);
    expect(budget.size).toBe(1001);
    expect(budget.bucketOf('busy', clock()).take(0)).toMatchObject({ available: 10 });
  });

  test('are never more than the limit, whoever comes', () => {
    const budget = createMemoryBudget(OPTIONS);
    for (let caller = 0; caller < LIMITS.budgets * 1.1; caller += 1)
      budget.bucketOf(`${caller}`, NOW).take(10);
    expect(budget.size).toBe(LIMITS.budgets);
  });
});

test('nobody gets more than a bucket and what came back, and Retry-After is never wrong', () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 5000 }),
    points: fc.integer({ min: 1, max: 120 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = testClock();
      const budget = createMemoryBudget(OPTIONS);
      let spent = 0;
      let passed = 0;
      for (const { wait, points } of steps) {
        clock.advance(wait);
        passed += wait;
        const { granted, retryAfter } = budget.bucketOf('a', clock()).take(points);
        const wanted = Math.min(points, OPTIONS.points);
        if (granted) spent += wanted;
        else {
          clock.advance((retryAfter - 1) * 1000);
          expect(budget.bucketOf('a', clock()).take(points).granted).toBe(false);
          clock.advance(1000);
          expect(budget.bucketOf('a', clock()).take(points).granted).toBe(true);
          spent += wanted;
          passed += retryAfter * 1000;
        }
        expect(spent).toBeLessThanOrEqual(OPTIONS.points + (passed * OPTIONS.perSecond) / 1000 + 1e-6);
      }
    }),
    { seed: 7, numRuns: 300 },
  );
});
