/** Fields whose values browsers must pass on as people enter them. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = globSync('src/http/**/*.{html,js,ts}').map((file) => readFileSync(file, 'utf8'));

const fieldsLike = (pattern: RegExp) => sources.flatMap((source) => source.match(pattern) ?? []);

test('no page shortens a password: browsers count UTF-16 code units, and cut what is pasted without a message', () => {
  const fields = fieldsLike(/<[^<]*(?:type="password"|autocomplete="(?:new|current)-password")[^<]*/g);
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter((field) => /maxlength/i.test(field))).toEqual([]);
});

test('no page reads an address from a field of type email, in which browsers refuse letters beyond ASCII', () => {
  expect(fieldsLike(/inputmode="email"|inputMode: 'email'|<\$\{EmailField\}/g).length).toBeGreaterThan(5);
  const fields = fieldsLike(/<[^<]*type="email"[^<]*|type: 'email'/g);
  // For password managers only.
  expect(fields).toEqual([expect.stringContaining('readonly hidden')]);
});

test('each input of a day has a maximum, without which browsers accept years of six digits', () => {
  const fields = fieldsLike(/<[^<]*type="date[^<]*/g);
  expect(fields.length).toBeGreaterThan(4);
  expect(fields.filter((field) => !/max="?\$\{.*LAST_DAY\}/.test(field))).toEqual([]);
});
