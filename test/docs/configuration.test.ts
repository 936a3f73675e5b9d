/** docs/configuration.md describes exactly the settings that the server reads, with their defaults. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { readApi } from '../../src/rest/api.ts';
import { routes } from '../support/api.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');

/** The rows of its tables: the variable, its default, if any, and its range, if it is a whole number. */
const rows = [...guide.matchAll(/^\| `([A-Z_]+)` \|(?: `([^`]+)`)?[^|]*\|(.*)\|$/gm)].map(
  ([, name = '', fallback, meaning = '']) => ({
    name,
    fallback: fallback?.replace('<PORT>', '4000'),
    range: /\(([\d,]+ to [\d,]+)\)/.exec(meaning)?.[1],
  }),
);

/** Stripe's key is read only if Stripe is the provider. */
const STRIPE = { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_abc' };

function variablesRead(): string[] {
  const names = new Set<string>();
  const environment: Record<string, string> = STRIPE;
  loadConfig(
    new Proxy(environment, {
      get(target, name) {
        names.add(String(name));
        return target[String(name)];
      },
    }),
  );
  return [...names];
}

/** The range of a setting, as the server describes it when it refuses a value; undefined if the setting is no whole number. */
function rangeOf(name: string): string | undefined {
  try {
    loadConfig({ ...STRIPE, [name]: 'x' });
  } catch (error) {
    const [, least, most] = /must be a whole number from (\d+) to (\d+)/.exec(String(error)) ?? [];
    return least && most && `${Number(least).toLocaleString('en')} to ${Number(most).toLocaleString('en')}`;
  }
  return undefined;
}

/** The lowest and the highest values of the settings that the operation documents are priced with. */
const limitsOfOperations = rows
  .filter(({ name }) => /^(OPERATION_|PAGE_|DOCUMENT_)/.test(name))
  .flatMap(({ name, range = '' }) =>
    [...range.matchAll(/[\d,]+/g)].map(([value]) => ({ name, value: value.replaceAll(',', '') })),
  );

describe('docs/configuration.md', () => {
  test.each(rows)('the range of $name is $range', ({ name, range }) => {
    expect(range).toBe(rangeOf(name));
  });

  test.each(limitsOfOperations)('the server has its whole API with $name=$value', ({ name, value }) => {
    expect(readApi(loadConfig({ [name]: value })).routes.length).toBe(routes.length);
  });

  test('lists every variable exactly once, and no others', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(variablesRead().toSorted());
  });

  test.each(rows.filter(({ fallback }) => fallback !== undefined))(
    'the default of $name is $fallback',
    ({ name, fallback }) => {
      // Some defaults depend on whether there is demo data, as there is by default.
      const environment = name === 'DEMO' ? {} : { DEMO: '0' };
      expect(loadConfig({ ...environment, [name]: fallback })).toEqual(loadConfig(environment));
    },
  );
});
