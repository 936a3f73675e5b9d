import { describe, expect, test } from 'vitest';
import { ambiguitiesIn } from '../../src/core/json.ts';
import { LIMITS } from '../../src/core/limits.ts';

const NUMBERS = Array.from({ length: 200 }, () => '1e999').join();
const LONG = 20_000;

describe('a fault in a body', () => {
  test.each([
    ['deep nesting', `${'['.repeat(LONG)}${NUMBERS}${']'.repeat(LONG)}`],
    ['a long name', `{"${'k'.repeat(LONG)}":[${NUMBERS}]}`],
    ['a long duplicate name', `{"a":{"${'k'.repeat(LONG)}":1,"${'k'.repeat(LONG)}":1}}`],
  ])('of %s is reported in few words', (_, text) => {
    JSON.parse(text);
    const { inexact, repeated } = ambiguitiesIn(text);
    expect(inexact.length + repeated.length).toBeGreaterThan(0);
    for (const { path } of [...inexact, ...repeated]) {
      expect(path.length).toBe(LIMITS.errorPathLength + 1);
    }
  });

  test('is reported by its path', () => {
    expect(ambiguitiesIn('{"a":[0,{"b":1e999}],"a":1}')).toMatchObject({
      inexact: [{ path: 'a.1.b' }],
      repeated: [{ path: 'a' }],
    });
  });
});
