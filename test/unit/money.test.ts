import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { toMajorUnits, toMinorUnits } from '../../src/core/money.ts';
import { randomIntegers } from '../support/inputs/random-integers.ts';

describe('an amount in major units', () => {
  for (const [minor, currency, major] of [
    [0, 'USD', 0],
    [1, 'USD', 0.01],
    [5, 'USD', 0.05],
    [10, 'USD', 0.1],
    [30, 'USD', 0.3],
    [1999, 'USD', 19.99],
    [3998, 'USD', 39.98],
    [100, 'EUR', 1],
    [1999, 'JPY', 1999],
    [1999, 'BHD', 1.999],
    [1, 'KWD', 0.001],
    [12_345, 'CLF', 1.2345],
    [1999, 'XCG', 19.99],
    [999_999_999_999_999, 'USD', 9_999_999_999_999.99],
    [-1999, 'USD', -19.99],
  ] as const) {
    test(`${minor} of ${currency} is ${major}`, () => {
      expect(toMajorUnits(minor, currency)).toBe(major);
    });
  }

  test('of a withdrawn currency is read and shown only if it is stored', () => {
    expect(toMajorUnits(1999, 'ANG')).toBe(19.99);
    expect(toMinorUnits('19.99', 'ANG', { mayBeWithdrawn: true })).toEqual({ minorUnits: 1999 });
    expect(toMinorUnits('19.99', 'ANG')).toMatchObject({ at: 'currency' });
  });

  for (const [most, currency, bound] of [
    [LIMITS.chargeAmount, 'USD', '9999999.99'],
    [LIMITS.chargeAmount, 'JPY', '999999999'],
    [LIMITS.unitPrice, 'BHD', '999999.999'],
    [undefined, 'USD', '9999999999999.99'],
  ] as const) {
    test(`of more than ${bound} ${currency} is refused with this bound`, () => {
      const rules = most === undefined ? {} : { most };
      expect(toMinorUnits(bound, currency, rules)).toHaveProperty('minorUnits');
      for (const value of [`1${bound}`, '1e30']) {
        const problem = `must be at most ${bound}`;
        expect(toMinorUnits(value, currency, rules)).toEqual({ at: 'value', problem });
      }
      expect(toMinorUnits('-1e30', currency, rules)).toMatchObject({ problem: 'must not be below 0' });
    });
  }

  test('prints as the exact decimal, up to 15 digits', () => {
    const random = randomIntegers(1);
    for (let n = 0; n < 10_000; n += 1) {
      const minor = random(0, 10 ** random(1, 15) - 1);
      const text = String(minor).padStart(3, '0');
      const decimal = `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '');
      expect(JSON.stringify(toMajorUnits(minor, 'USD'))).toBe(decimal);
    }
  });

  test('the largest total within the limits has 15 digits', () => {
    const greatest = LIMITS.unitPrice * LIMITS.itemQuantity * LIMITS.orderItems;
    expect(String(greatest).length).toBeLessThanOrEqual(15);
  });

  for (const currency of ['', 'usd', 'XYZ', 'US']) {
    test(`"${currency}" is not a currency`, () => {
      expect(() => toMajorUnits(1, currency)).toThrow(RangeError);
    });
  }
});
