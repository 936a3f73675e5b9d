/** Values of filters in the URL, as variables of queries and as options. */

/** Returns the local start of a day plus some days, in milliseconds since the epoch; undefined if the text is not a date. */
export function dayAfter(text, days) {
  const time = new Date(`${text}T00:00`);
  if (!text || Number.isNaN(time.getTime())) return undefined;
  time.setDate(time.getDate() + days);
  return time.getTime();
}

/** The years of four digits in UTC, in milliseconds since the epoch. Times before and after them are no limits. */
const [FIRST, LAST] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map(Date.parse);

const at = (time) => (time >= FIRST && time <= LAST ? new Date(time).toISOString() : null);

/** Returns two days, both inclusive, as the limits of queries, both exclusive. They are null for texts that are not dates. */
export function limitsOf(firstDay, lastDay) {
  const from = dayAfter(firstDay, 0);
  return {
    // Exclusive, so one millisecond before the start of the day.
    createdAfter: at(from === undefined ? undefined : from - 1),
    createdBefore: at(dayAfter(lastDay, 1)),
  };
}

/** Returns the variables of the filters that are set. */
export const givenOf = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== null));

/**
 * Returns the options, with the chosen one, which may not be among the listed ones or may no longer exist.
 *
 * @param list the result of `useWhole`.
 */
export function optionsOf({ rows, isCut }, chosen, kind) {
  const options = rows.map(({ id, name }) => [id, name]);
  const isMissing = chosen && !rows.some(({ id }) => id === chosen);
  return [
    ['', 'All'],
    ...(isMissing ? [[chosen, `${kind} ${chosen}`]] : []),
    ...options,
    ...(isCut ? [['…', `Only the first ${rows.length} are listed`, true]] : []),
  ];
}
