/** Entity tags in conditional headers (RFC 9110, section 13). */
import { describe, expect, test } from 'vitest';
import { etagOf, ifMatchVersions, ifNoneMatch } from '../../src/rest/handle/conditions.ts';

test('the tag of a version is strong', () => {
  expect(etagOf(7)).toBe('"v7"');
});

describe('If-Match allows', () => {
  for (const [given, header, versions] of [
    ['all when it is absent', undefined, undefined],
    ['all with *', '*', undefined],
    ['all with * in white space', ' * ', undefined],
    ['the version of a tag', '"v3"', [3]],
    ['those of a list', '"v3","v12"', [3, 12]],
    ['those of a list with white space', '  "v3" ,\t"v4"  ', [3, 4]],
    ['those of a list with empty elements', ', "v3",, "v4",', [3, 4]],
    ['those of several headers', ['"v3"', '"v4", "v5"'], [3, 4, 5]],
    ['nothing by a weak tag', 'W/"v3"', []],
    ['only the strong of several', 'W/"v3", "v4"', [4]],
    ['nothing by a tag from elsewhere', '"abc"', []],
    ['nothing by a tag that begins like ours', '"v3x"', []],
    ['nothing by a tag without quotes', 'v3', []],
    ['nothing by half a tag', '"v3', []],
    ['nothing by a negative version', '"v-3"', []],
    ['nothing by a version that is too long to be one', `"v${'9'.repeat(16)}"`, []],
    ['nothing when it is empty', '', []],
    ['nothing by * among others', '*, "v3"', [3]],
    ['only the second of two tags, where the first has a comma', '"a,b", "v3"', [3]],
  ] as const) {
    test(given, () => {
      const sent = typeof header === 'object' ? [...header] : header;
      expect(ifMatchVersions(sent)).toEqual(versions);
    });
  }
});

describe('If-None-Match', () => {
  for (const [header, matches] of [
    [undefined, false],
    ['', false],
    ['*', true],
    ['"v3"', true],
    ['W/"v3"', true],
    ['"v2", "v3"', true],
    ['"v2",W/"v3"', true],
    ['"v33"', false],
    ['"V3"', false],
    ['w/"v3"', false],
    ['v3', false],
    ['"v2"', false],
  ] as const) {
    test(`${header ?? 'absent'} ${matches ? 'matches' : 'does not match'} "v3"`, () => {
      expect(ifNoneMatch(header, '"v3"')).toBe(matches);
    });
  }
});
