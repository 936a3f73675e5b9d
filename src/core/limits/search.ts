/** Searching for words. */
export const SEARCH = {
  /** Characters of a search: a sentence. `schema/` has the same bound. */
  searchLength: 200,
  /** Different words of a search: each is looked up, and most people type three. */
  searchWords: 16,
  /** Characters of a word that count. Longer ones are keys and addresses, which hardly differ behind that. */
  searchWordLength: 64,
  /** Characters from which on the last word of a search is also the beginning of a longer one: fewer begin too many words. */
  searchPrefix: 3,
  /**
   * Matches that PostgreSQL collects at once to put them in order. Where there are more, it looks at a part of the ids at a time: 500 are
   * some 5 ms.
   */
  searchMatches: 500,
} as const;
