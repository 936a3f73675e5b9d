/** The days that people enter in the console, as limits of lists, in any time zone. */
import { expect, test } from 'vitest';

const MODULE = '../../src/http/routes/pages/console/filter-values.js';

/** Returns the variables of a list of the days from one to another. */
async function limitsOf(first: string, last: string): Promise<object> {
  const module: { limitsOf(first: string, last: string): object } = await import(MODULE);
  return module.limitsOf(first, last);
}

test('limits are the local start of a day, exclusive, and that of the day after another', async () => {
  expect(await limitsOf('2026-02-28', '2026-02-28')).toEqual({
    createdAfter: new Date(new Date('2026-02-28T00:00').getTime() - 1).toISOString(),
    createdBefore: new Date('2026-03-01T00:00').toISOString(),
  });
});

test('times that the server does not accept, which are before and after all others, are no limits', async () => {
  for (const day of ['0000-01-01', '0001-01-01', '9999-12-31', '275760-01-01', '']) {
    for (const limit of Object.values(await limitsOf(day, day)))
      expect(limit ?? '2026-').toMatch(/^(?!0000)\d{4}-/);
  }
  expect(await limitsOf('0000-01-01', '')).toEqual({ createdAfter: null, createdBefore: null });
});
