/**
 * Splits text into words for search. Both engines index these tokens, and therefore find the same rows. A word is a run of letters and
 * digits, in lower case and without accents. Scripts without spaces between words are searched by character.
 */
import { LIMITS } from './limits.ts';

/** The versions of the tokens on the engines. Increment one whenever a text gets other tokens: migrating then indexes every row again. */
export const SEARCH_VERSIONS = { sqlite: 3, postgres: 2 } as const;

/** Letters that Unicode does not decompose into a letter and an accent, and their replacements, as people type them. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
};

const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'gu');

/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are vowels, and are kept. */
const ACCENTS = /[\u0300-\u036f]/gu;

/** The characters that are, or decompose into, marks only. */
const MARK = '[\\p{M}\\uff9e\\uff9f]';

/**
 * Matches a run of more marks than any language has (Unicode Standard Annex #15, section 13). Normalizing puts marks in order, in time that
 * grows with the square of the length of their run: seconds for the longest text of a document.
 */
const LONG_RUN = new RegExp(`(${MARK}{30})${MARK}+`, 'gu');

/** Matches one character of a script without spaces, or a run of letters and digits with their marks. */
const WORD =
  /[[\p{L}\p{N}]&&[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]\p{M}*|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]][[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]*/gv;

/** Returns the words of a text in order, including repeated ones. */
export function wordsOf(text: string): string[] {
  const folded = text
    .replace(LONG_RUN, '$1')
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    // A mark may decompose into several.
    .replace(LONG_RUN, '$1')
    .normalize('NFC')
    .replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter);
  return (folded.match(WORD) ?? []).map(cut);
}

function cut(word: string): string {
  if (word.length <= LIMITS.searchWordLength) return word;
  // Cut by code points, so that no surrogate pair is split.
  return [...word].slice(0, LIMITS.searchWordLength).join('');
}

/** Something that can be searched. Without a body, it is found only by its title. */
interface Searchable {
  readonly org: string;
  readonly title: string;
  readonly body?: string;
}

/** Where a token comes from. It determines the token's first letter, so that the same word gives a separate token in a title. */
type Field = 'organisation' | 'title' | 'anywhere';

const LETTERS: Readonly<Record<Field, string>> = { organisation: 'o', title: 't', anywhere: 'w' };

/** The index token of a word in a field. It has only letters and digits. */
export const tokenOf = (field: Field, word: string): string => LETTERS[field] + word;

/** The token of an organisation, which all of its rows have. */
export const tokenOfOrganisation = (org: string): string =>
  tokenOf('organisation', Buffer.from(org).toString('hex'));

/** Returns all tokens under which something is indexed, without duplicates: first that of its organisation. */
export function tokensOf({ org, title, body }: Searchable): string[] {
  const tokens = new Set([tokenOfOrganisation(org)]);
  const titled = wordsOf(title);
  for (const word of titled) tokens.add(tokenOf('title', word));
  if (body !== undefined) {
    for (const word of titled) tokens.add(tokenOf('anywhere', word));
    for (const word of wordsOf(body)) tokens.add(tokenOf('anywhere', word));
  }
  return [...tokens];
}

export type SearchWords = readonly [...string[], string];

/** Parses a search, or returns its problem. Other characters, such as quotes and operators, count as spaces. */
export function readSearch(typed: string): SearchWords | { readonly problem: string } {
  const all = wordsOf(typed);
  // It may be a prefix, so it stays last.
  const last = all.at(-1);
  if (last === undefined) return { problem: 'must have a letter or a digit' };
  const before = [...new Set(all)].filter((word) => word !== last);
  if (before.length >= LIMITS.searchWords) {
    return { problem: `must have at most ${LIMITS.searchWords} distinct words` };
  }
  return [...before, last];
}
