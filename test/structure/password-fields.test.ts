import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PASSWORD_FIELDS = /<[^<]*(?:type="password"|autocomplete="(?:new|current)-password")[^<]*/g;

test('no page shortens a password: browsers count UTF-16 code units, and cut what is pasted without a message', () => {
  const fields = globSync('src/http/**/*.{html,js,ts}').flatMap(
    (file) => readFileSync(file, 'utf8').match(PASSWORD_FIELDS) ?? [],
  );
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter((field) => /maxlength/i.test(field))).toEqual([]);
});
