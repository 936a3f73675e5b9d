import { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { isEmptyRange, timeBefore } from '../../src/core/time-range.ts';
import { DateTime } from '../../src/graphql/scalars.ts';

describe('DateTime', () => {
  for (const [text, moment] of [
    ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.5Z', '2026-01-31T09:30:00.500Z'],
    ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31T23:30:00-05:30', '2026-02-01T05:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2028-02-29T23:59:59-12:00', '2028-03-01T11:59:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0000-12-31T23:00:00-01:00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const) {
    test(`reads ${text}`, () => {
      expect(DateTime.parseValue(text)).toEqual(new Date(moment));
    });
  }

  test('refuses a time whose + was read as a space, with a hint', () => {
    const read = (text: string) => () => DateTime.parseValue(text);
    expect(read('2026-01-31T09:30:00 01:00')).toThrow(/^must be a time .*; in a URL, write \+ as %2B$/);
    expect(read('2026-01-31 09:30:00Z')).toThrow(/00Z$/);
  });

  for (const value of [
    '',
    'today',
    '2026-01-31',
    '2026-01-31T09:30:00',
    '2026-01-31 09:30:00Z',
    '2026-01-31T09:30Z',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-04-31T00:00:00+02:00',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T24:00:01Z',
    '2026-01-31T09:30:60Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+14:00',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:00+25:00',
    '+002026-01-31T09:30:00Z',
    ' 2026-01-31T09:30:00Z',
    1_769_851_800_000,
    null,
    {},
    new Date('2026-01-31T09:30:00Z'),
  ]) {
    test(`refuses ${value instanceof Date ? 'a Date' : JSON.stringify(value)}`, () => {
      expect(() => DateTime.parseValue(value)).toThrow(GraphQLError);
    });
  }

  test('writes UTC with milliseconds', () => {
    expect(DateTime.serialize(new Date('2026-01-31T09:30:00+02:00'))).toBe('2026-01-31T07:30:00.000Z');
  });

  for (const value of ['2026-01-31T09:30:00Z', 0, null]) {
    test(`does not write ${JSON.stringify(value)}`, () => {
      expect(() => DateTime.serialize(value)).toThrow(GraphQLError);
    });
  }
});

describe('a range of times', () => {
  const read = (text: string) => DateTime.parseValue(text);

  for (const [before, latest] of [
    ['2026-01-31T09:30:00.291Z', '2026-01-31T09:30:00.290Z'],
    ['2026-01-31T09:30:00.291000Z', '2026-01-31T09:30:00.290Z'],
    ['2026-01-31T09:30:00.291001Z', '2026-01-31T09:30:00.291Z'],
    ['2026-01-31T09:30:00.291900+00:00', '2026-01-31T09:30:00.291Z'],
  ] as const) {
    test(`before ${before} ends with ${latest}`, () => {
      expect(new Date(timeBefore(read(before))).toISOString()).toBe(latest);
    });
  }

  test('is empty unless a time is in it', () => {
    const first = read('2026-01-31T09:30:00.291Z');
    expect(isEmptyRange(first, first)).toBe(true);
    expect(isEmptyRange(first, read('2026-01-31T09:30:00.2919Z'))).toBe(false);
    expect(isEmptyRange(read('2026-01-31T09:30:00.292Z'), read('2026-01-31T09:30:00.2919Z'))).toBe(true);
  });
});
