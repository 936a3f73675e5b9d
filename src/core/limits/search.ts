/** Full-text search. */
export const SEARCH = {
  /** Maximum characters of a search: a sentence. `schema/` has the same limit. */
  searchLength: 200,
  /** Maximum distinct words of a search. Each is looked up, and most people type three. */
  searchWords: 16,
  /** Characters of a word that are significant. Longer words are keys and addresses, which hardly differ after that. */
  searchWordLength: 64,
  /** Minimum characters of a search's last word that also matches as a prefix: shorter prefixes match too many words. */
  searchPrefix: 3,
  /** Matches that PostgreSQL collects and sorts at once. With more, it reads one range of ids at a time: 500 take about 5 ms. */
  searchMatches: 500,
} as const;
