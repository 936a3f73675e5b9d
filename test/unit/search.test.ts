/** Words of a text, and the words of a search. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { readSearch, tokenOfOrganisation, tokensOf, wordsOf } from '../../src/core/search.ts';
import { threadTime } from '../support/timing.ts';

describe('words', () => {
  test.each([
    ['Desk lamp', 'desk lamp'],
    ['  DESK\t\nLAMP!  ', 'desk lamp'],
    ['Crème brûlée, señor', 'creme brulee senor'],
    ['Straße, Ærø, Łódź, Đặng', 'strasse aero lodz dang'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['İstanbul ısı', 'istanbul isi'],
    ['ﬁne ½ ２０２６ Ⅳ', 'fine 1 2 2026 iv'],
    ['e-mail user@example.com v1.2.3', 'e mail user example com v1 2 3'],
    ["it's “quoted” (a|b) & !c :* <-> \\ % _ *", 'it s quoted a b c'],
    ['東京タワー abc', '東 京 タ ワ ー abc'],
    ['हिन्दी नमस्ते', 'हिन्दी नमस्ते'],
    ['한국어 검색', '한국어 검색'],
    ['שָׁלוֹם', 'שָׁלוֹם'.normalize('NFKD').normalize('NFC')],
    ['🎉 \u0000 \ud800 … —', ''],
    ['', ''],
  ])('of %j', (text, expected) => {
    expect(wordsOf(text).join(' ')).toBe(expected);
  });

  test('are truncated between characters', () => {
    expect(wordsOf('x'.repeat(1000))).toEqual(['x'.repeat(LIMITS.searchWordLength)]);
    expect(wordsOf('𝔸'.repeat(100))).toEqual(['a'.repeat(LIMITS.searchWordLength)]);
    expect(wordsOf('𐐨'.repeat(100))).toEqual(['𐐨'.repeat(LIMITS.searchWordLength)]);
  });

  test.each([
    ['accents', '\u0315\u0316'],
    ['vowels', '\u05b4\u05b1'],
    ['halfwidth marks', '\uff9e\u0315'],
    ['marks that decompose', '\u0f81\u05b1'],
  ])('of a text of %s are found in linear time', (_title, marks) => {
    const textOf = (length: number) => `a${marks.repeat(length)}`;
    const timeOf = (text: string) => {
      const before = threadTime();
      wordsOf(text);
      return threadTime() - before;
    };
    // A run is shorter work than the same marks apart, and in quadratic time hundreds of times longer.
    expect(timeOf(textOf(100_000))).toBeLessThan(10 * timeOf(textOf(1).repeat(100_000)));
    const words = wordsOf(textOf(10_000));
    expect(wordsOf(words.join(' '))).toEqual(words);
  });

  test('of any text have only letters and digits, and are stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const words = wordsOf(text);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(wordsOf(words.join(' '))).toEqual(words);
      }),
      { numRuns: 2000 },
    );
  });
});

test('tokens have the position of their word, each once', () => {
  expect(tokensOf({ org: 'a-b', title: 'Lamp lamp', body: 'A lamp.' })).toEqual([
    tokenOfOrganisation('a-b'),
    'tlamp',
    'wlamp',
    'wa',
  ]);
  expect(tokensOf({ org: 'a-b', title: 'Lamp' })).toEqual([tokenOfOrganisation('a-b'), 'tlamp']);
  expect(tokenOfOrganisation('a-b')).toBe('o612d62');
});

describe('a search', () => {
  test.each([
    ['Desk  LAMP', ['desk', 'lamp']],
    ['lamp desk lamp', ['desk', 'lamp']],
    ['desk desk lamp', ['desk', 'lamp']],
    ['"lamp" OR * NOT (desk)', ['lamp', 'or', 'not', 'desk']],
  ])('of %j has its distinct words, the last one last', (typed, expected) => {
    expect(readSearch(typed)).toEqual(expected);
  });

  test.each(['', '   ', '"*"', '!&|()<->:', '🎉'])('of %j has none', (typed) => {
    expect(readSearch(typed)).toEqual({ problem: 'must have a letter or a digit' });
  });

  test('has a maximum number of words', () => {
    const words = Array.from({ length: LIMITS.searchWords + 1 }, (_, index) => `w${index}`);
    expect(readSearch(words.slice(1).join(' '))).toHaveLength(LIMITS.searchWords);
    expect(readSearch(words.join(' '))).toEqual({ problem: 'must have at most 16 distinct words' });
    expect(readSearch('lamp '.repeat(40))).toEqual(['lamp']);
  });
});
