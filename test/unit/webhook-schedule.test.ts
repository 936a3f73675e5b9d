import { describe, expect, test } from 'vitest';
import { retryAfterOf } from '../../src/core/retry-after.ts';
import { isTypePattern, matchesPattern } from '../../src/events/catalogue.ts';
import { pauseBefore, SCHEDULE } from '../../src/webhooks/schedule.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('the schedule', () => {
  test('follows Standard Webhooks', () => {
    expect(SCHEDULE.map((pause) => pause / SECOND)).toEqual([
      0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
  });

  test.each(SCHEDULE.slice(1).map((pause, index) => [index + 2, pause] as const))(
    'before attempt %i is %i ms, plus or minus a tenth',
    (number, pause) => {
      const left = SCHEDULE.length - number + 1;
      expect(pauseBefore(SCHEDULE, left, 0.5)).toBe(pause);
      expect(pauseBefore(SCHEDULE, left, 0)).toBe((pause * 9) / 10);
      expect(pauseBefore(SCHEDULE, left, 1)).toBe((pause * 11) / 10);
    },
  );

  test.each([
    [60 * SECOND, 60 * SECOND],
    [1 * SECOND, 5 * SECOND],
    [1000 * HOUR, 24 * HOUR],
  ])('with Retry-After of %i ms is %i ms after the first', (retryAfter, pause) => {
    expect(pauseBefore(SCHEDULE, 9, 0.5, retryAfter)).toBe(pause);
  });
});

test.each([
  [undefined, 0],
  ['120', 120 * SECOND],
  ['Fri, 01 Jan 2027 00:00:30 GMT', 30 * SECOND],
  ['Thu, 31 Dec 2026 23:59:00 GMT', 0],
  ['soon', 0],
  ['-5', 0],
  ['9'.repeat(400), 0],
])('Retry-After %s is %i ms', (header, milliseconds) => {
  expect(retryAfterOf(header, new Date('2027-01-01T00:00:00Z'))).toBe(milliseconds);
});

describe('event types', () => {
  test.each(['*', 'order.*', 'order.created', 'api_key.*', 'webhook.disabled'])('%s is valid', (type) => {
    expect(isTypePattern(type)).toBe(true);
  });

  test.each(['', 'order', 'order.', '*.created', 'orders.*', 'order.create', 'constructor', '**'])(
    '"%s" is invalid',
    (type) => {
      expect(isTypePattern(type)).toBe(false);
    },
  );

  test.each([
    [['*'], 'order.created', true],
    [['order.*'], 'order.created', true],
    [['order.created'], 'order.created', true],
    [['order.created'], 'order.updated', false],
    [['user.*', 'order.deleted'], 'order.deleted', true],
    [['order.*'], 'document.created', false],
    [[], 'order.created', false],
  ])('%j matches %s: %s', (patterns, type, wanted) => {
    expect(matchesPattern(patterns, type)).toBe(wanted);
  });
});
