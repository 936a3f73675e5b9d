/**
 * Words, as search knows them. Both engines are given what is made here and split nothing by themselves, so that they find the same.
 *
 * A word is a run of letters and digits, in lower case and without accents. Scripts that put no spaces between words are searched by
 * character.
 */
import { LIMITS } from './limits.ts';

/**
 * The version of what is made here. With another one every row is indexed again when the database is migrated: raise it whenever a text
 * would give other tokens.
 */
export const SEARCH_VERSION = 1;

/** Letters that Unicode does not take apart into a letter and an accent, and that people type without. */
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

/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are vowels. */
const ACCENTS = /[\u0300-\u036f]/gu;

/** A character of a script without spaces, or a run of letters and digits with their marks. */
const WORD =
  /[[\p{L}\p{N}]&&[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]\p{M}*|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]][[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]*/gv;

/** The words of a text in their order, each as often as it is there. */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter);
  return (folded.match(WORD) ?? []).map(cut);
}

function cut(word: string): string {
  if (word.length <= LIMITS.searchWordLength) return word;
  // By characters, so that none is cut in two.
  return [...word].slice(0, LIMITS.searchWordLength).join('');
}

/** What can be searched. Without a body it is searched by its title alone. */
export interface Searchable {
  readonly org: string;
  readonly title: string;
  readonly body?: string;
}

/** One of the letters that tokens begin with, so that a word of a title is another token than the same word elsewhere. */
type Field = 'organisation' | 'title' | 'anywhere';

const LETTERS: Readonly<Record<Field, string>> = { organisation: 'o', title: 't', anywhere: 'w' };

/** What an index has of a word in a field: letters and digits alone. */
export const tokenOf = (field: Field, word: string): string => LETTERS[field] + word;

/** The token of an organisation, which every row of it has. */
export const tokenOfOrganisation = (org: string): string =>
  tokenOf('organisation', Buffer.from(org).toString('hex'));

/** The tokens by which something is found, each once. */
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

/** The different words of a search. */
export type SearchWords = readonly [string, ...string[]];

/** The words of what a person has typed, or what is wrong with it. Whatever else it has (quotes, operators) is no more than a space. */
export function readSearch(typed: string): SearchWords | { readonly problem: string } {
  const all = wordsOf(typed);
  // The last one may be the beginning of a word, so it stays where it is.
  const [last, ...others] = all.toReversed();
  if (last === undefined) return { problem: 'must have a letter or a digit' };
  const before = [...new Set(others.toReversed())].filter((word) => word !== last);
  if (before.length >= LIMITS.searchWords) {
    return { problem: `must have at most ${LIMITS.searchWords} different words` };
  }
  const [first, ...rest] = [...before, last];
  return first === undefined ? { problem: 'must have a letter or a digit' } : [first, ...rest];
}
