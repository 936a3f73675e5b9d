/** A result is refused exactly if its JSON text would be too large, without serializing it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundResult } from '../../src/pipeline/response-size.ts';
import { DEFAULTS } from '../support/settings.ts';

const MOST = DEFAULTS.http.responseLimit;

const isRefused = (result: unknown): boolean => {
  try {
    boundResult(result, MOST);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'response_too_large' });
    return true;
  }
};

/** Results of one repeated character that fit exactly, with one text in several places. */
describe.each([
  ['one byte', 'x', 1],
  ['two bytes', '\u00e9', 2],
  ['three bytes', '\u2603', 3],
  ['a surrogate pair, of four bytes', '\u{1f600}', 4],
  ['an escape of two bytes', '"', 2],
  ['an escape of six bytes', '\u0001', 6],
])('texts of characters with %s', (_name, character, bytes) => {
  const text = character.repeat(90_000);
  const fitting = Math.floor(MOST / (90_000 * bytes + 10));
  const results = (count: number) => ({ data: Array.from({ length: count }, () => ({ a: text })) });

  test('fit up to the maximum', () => {
    expect(Buffer.byteLength(JSON.stringify(results(fitting)))).toBeLessThanOrEqual(MOST);
    expect(isRefused(results(fitting))).toBe(false);
  });

  test('are refused above that', () => {
    expect(Buffer.byteLength(JSON.stringify(results(fitting + 1)))).toBeGreaterThan(MOST);
    expect(isRefused(results(fitting + 1))).toBe(true);
  });
});

test('a refused result is never serialized and takes no memory', () => {
  const body = 'x'.repeat(95_000);
  const result = { data: Array.from({ length: 580 }, () => body) };
  isRefused(result);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  expect(isRefused(result)).toBe(true);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 * 1024 * 1024);
});

test('the size of any JSON is never underestimated', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }).map((value) => ({ value, filled: 'x'.repeat(100) })),
      (value) => {
        const one = Buffer.byteLength(JSON.stringify(value));
        const count = Math.ceil((MOST * 1.001) / (one + 1));
        const filled = Array.from({ length: count }, () => value);
        fc.pre(count < 100_000);
        expect(isRefused(filled)).toBe(true);
      },
    ),
    { seed: 7, numRuns: 10 },
  );
});
