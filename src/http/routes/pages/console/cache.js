/** Results of this sign-in, by operation and variables: a page shows them at once, and reads them again. */
const known = new Map();

/** Maximum number of results. The oldest ones are dropped first. */
const MAX_KNOWN = 100;

export const recall = (key) => known.get(key);

export function remember(key, value) {
  known.delete(key);
  known.set(key, value);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value);
}

export const forget = () => known.clear();
