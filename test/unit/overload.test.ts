import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { measureLoop, nextShare, shedLoad } from '../../src/http/overload.ts';
import { LIMITS } from '../../src/limits.ts';
import { createMetrics } from '../../src/metrics.ts';

const CALM = { loop: 1, waiting: 0 };
const LATE = { loop: LIMITS.overloadLag + 1, waiting: 0 };
const FULL = { loop: 1, waiting: LIMITS.overloadWaiting + 1 };
const BETWEEN = { loop: LIMITS.overloadLag * 0.7, waiting: 0 };

const after = (lags: readonly (typeof CALM)[], share = 0) =>
  lags.reduce((before, lag) => nextShare(before, lag), share);
const times = (count: number, lag: typeof CALM) => Array.from({ length: count }, () => lag);

test('while nothing is late, nobody is turned away', () => {
  expect(after(times(100, CALM))).toBe(0);
  expect(after(times(100, BETWEEN))).toBe(0);
});

test.each([
  ['a late event loop', LATE],
  ['many who wait for the database', FULL],
])('%s turns more and more away, and never all', (_name, lag) => {
  expect(after([lag])).toBeCloseTo(0.2);
  expect(after(times(3, lag))).toBeCloseTo(0.6, 1);
  expect(after(times(100, lag))).toBeLessThan(1);
});

test('the later it is, the more are turned away at once', () => {
  expect(after([{ loop: 3 * LIMITS.overloadLag, waiting: 0 }])).toBeCloseTo(0.6);
  expect(after([{ loop: 1, waiting: 2 * LIMITS.overloadWaiting }])).toBeCloseTo(0.4);
});

test('it stays so while it is neither calm nor late', () => {
  expect(after(times(50, BETWEEN), 0.6)).toBeCloseTo(0.6);
});

test('once it is calm, all are let in again within four seconds', () => {
  expect(after(times(40, CALM), 0.98)).toBe(0);
});

test('a look that comes late, as after a collection of garbage, is no lag before the next one is late as well', () => {
  let now = 0;
  const look = measureLoop(() => now);
  const lags = [100, 102, 400, 100, 400, 300, 100].map((passed) => {
    now += passed;
    return look();
  });
  expect(lags).toEqual([0, 0, 2, 0, 0, 200, 0]);
});

describe('the event loop', () => {
  const app = Fastify();
  const load = () => ({ inUse: 0, idle: 1, waiting: 0 });
  const shed = shedLoad(app, { database: { load }, metrics: createMetrics(), mostLag: LIMITS.overloadLag });
  /** Of so many that come now, how many are turned away. */
  const refused = () => Array.from({ length: 500 }, () => shed()).filter((error) => error !== undefined);
  const block = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };
  afterAll(() => app.close());

  test('is noticed when it is late again and again, however long its turns take', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      block(4 * LIMITS.overloadLag);
      await nextTurn();
    }
    const errors = refused();
    expect(errors.length).toBeGreaterThan(250);
    expect(errors.length).toBeLessThan(500);
    expect(errors[0]).toMatchObject({ code: 'overloaded', retryAfter: expect.any(Number) });
  });
});
