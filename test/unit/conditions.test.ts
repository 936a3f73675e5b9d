/** Conditional requests (RFC 9110, section 13): parsing the headers, and the outcome. */
import { describe, expect, test } from 'vitest';
import { etagOf, evaluate, readConditions, versionsAllowed } from '../../src/rest/handle/conditions.ts';

const read = (ifMatch: string | undefined, ifNoneMatch?: string) => readConditions({ ifMatch, ifNoneMatch });

test('the tag of a version is strong', () => {
  expect(etagOf(7)).toBe('"v7"');
});

describe('If-Match allows', () => {
  for (const [given, header, versions] of [
    ['any version if it is absent', undefined, undefined],
    ['any version with *', '*', undefined],
    ['any version with * in white space', ' * ', undefined],
    ['the version of a tag', '"v3"', [3]],
    ['the versions of a list', '"v3","v12"', [3, 12]],
    ['the versions of a list with white space', '  "v3" ,\t"v4"  ', [3, 4]],
    ['the versions of a list with empty elements', ', "v3",, "v4",', [3, 4]],
    ['no version by a weak tag', 'W/"v3"', []],
    ['only the versions of strong tags', 'W/"v3", "v4"', [4]],
    ['no version by a foreign tag', '"abc"', []],
    ['no version by an empty tag', '""', []],
    ['no version by a tag with the same beginning', '"v3x"', []],
    ['no version by a negative one', '"v-3"', []],
    ['no version by one with too many digits', `"v${'9'.repeat(16)}"`, []],
    ['only the second of two tags if the first has a comma', '"a,b", "v3"', [3]],
  ] as const) {
    test(given, () => {
      expect(versionsAllowed(read(header))).toEqual(versions);
    });
  }

  test('no version if If-None-Match is *', () => {
    expect(versionsAllowed(read(undefined, '*'))).toEqual([]);
    expect(versionsAllowed(read('"v3"', '*'))).toEqual([]);
  });

  test('no version that If-None-Match names', () => {
    expect(versionsAllowed(read('"v3", "v4"', 'W/"v3"'))).toEqual([4]);
  });
});

describe.each(['If-Match', 'If-None-Match'])('%s is refused', (name) => {
  test.each([
    ['empty', ''],
    ['of white space', ' \t'],
    ['of commas', ',,'],
    ['without quotes', 'v3'],
    ['half a tag', '"v3'],
    ['with * among tags', '*, "v3"'],
    ['with a tag and *', '"v3", *'],
    ['with * twice', '*, *'],
    ['without a comma', '"v3" "v4"'],
    ['weak in lower case', 'w/"v3"'],
    ['weak with a space', 'W/ "v3"'],
    ['with a space in a tag', '"v 3"'],
    ['with something after a tag', '"v3"x'],
    // Quadratic time would exceed the timeout of the test.
    ['with a million spaces', `"v3",${' '.repeat(1_000_000)}/`],
  ])('%s', (_, header) => {
    const headers = { ifMatch: undefined, ifNoneMatch: undefined };
    const given = name === 'If-Match' ? { ...headers, ifMatch: header } : { ...headers, ifNoneMatch: header };
    expect(() => readConditions(given)).toThrow(expect.objectContaining({ code: 'malformed_request' }));
  });
});

describe('a GET of "v3"', () => {
  for (const [ifMatch, ifNoneMatch, result] of [
    [undefined, undefined, 'perform'],
    [undefined, '*', 'not modified'],
    [undefined, '"v3"', 'not modified'],
    [undefined, 'W/"v3"', 'not modified'],
    [undefined, '"v2", "v3"', 'not modified'],
    [undefined, '"v33"', 'perform'],
    [undefined, '"V3"', 'perform'],
    [undefined, '"v2"', 'perform'],
    ['*', undefined, 'perform'],
    ['"v3"', undefined, 'perform'],
    ['W/"v3"', undefined, 'failed'],
    ['"v2"', undefined, 'failed'],
    ['"v3"', '"v3"', 'not modified'],
    // If-Match has precedence (section 13.2.2).
    ['"v2"', '"v3"', 'failed'],
  ] as const) {
    test(`with If-Match ${ifMatch ?? 'absent'} and If-None-Match ${ifNoneMatch ?? 'absent'}: ${result}`, () => {
      expect(evaluate(read(ifMatch, ifNoneMatch), '"v3"', true)).toBe(result);
    });
  }
});

test('a weak tag matches for If-None-Match only', () => {
  expect(evaluate(read(undefined, '"a"'), 'W/"a"', true)).toBe('not modified');
  expect(evaluate(read('"a"'), 'W/"a"', true)).toBe('failed');
  expect(evaluate(read('W/"a"'), 'W/"a"', true)).toBe('failed');
});

test('a representation without a tag matches no list, but matches *', () => {
  expect(evaluate(read('"a"'), undefined, true)).toBe('failed');
  expect(evaluate(read('*'), undefined, true)).toBe('perform');
  expect(evaluate(read(undefined, '"a"'), undefined, true)).toBe('perform');
  expect(evaluate(read(undefined, '*'), undefined, false)).toBe('failed');
});
