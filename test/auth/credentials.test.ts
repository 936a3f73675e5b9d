import { expect, test } from 'vitest';
import { parseAuthorization } from '../../src/auth/credentials.ts';
import { LIMITS } from '../../src/core/limits.ts';

test.each([
  ['Bearer abc.def.ghi', { scheme: 'bearer', token: 'abc.def.ghi' }],
  ['bearer abc', { scheme: 'bearer', token: 'abc' }],
  ['BEARER   abc', { scheme: 'bearer', token: 'abc' }],
  ['ApiKey pk_1_x-Y~z', { scheme: 'api_key', key: 'pk_1_x-Y~z' }],
  ['apikey abc==', { scheme: 'api_key', key: 'abc==' }],
])('reads %j', (header, credentials) => {
  expect(parseAuthorization(header)).toEqual(credentials);
});

test('a request without the header is anonymous', () => {
  expect(parseAuthorization(undefined)).toBeNull();
});

test.each([
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'Bearer\tabc',
  ' Bearer abc',
  'Bearer abc ',
  'Bearer abc def',
  'Bearer abc, Bearer def',
  'Bearer "abc"',
  'Bearer a=b',
  'Bearer äbc',
  'Bearer abc\r\nX: y',
  'Basic YWRhOnB3',
  'Token abc',
  'Bearerabc',
  'abc.def.ghi',
  '__proto__ abc',
  `Bearer ${'a'.repeat(LIMITS.authorizationLength)}`,
  ' '.repeat(100_000),
])('refuses %j', (header) => {
  expect(() => parseAuthorization(header)).toThrow(
    expect.objectContaining({ name: 'ApiError', code: 'invalid_token', status: 401 }),
  );
});

test.each(['Bearer', 'DPoP'])('an API key as %s is refused with its own scheme', (scheme) => {
  expect(() => parseAuthorization(`${scheme} pk_1_${'a'.repeat(42)}A`)).toThrow(/ApiKey <key>/);
});

test('reads a header of the maximum length', () => {
  const token = 'a'.repeat(LIMITS.authorizationLength - 'Bearer '.length);
  expect(parseAuthorization(`Bearer ${token}`)).toEqual({ scheme: 'bearer', token });
});
