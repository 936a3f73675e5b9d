/** The catalogue of errors matches the code. The types ensure that only its codes are used. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ApiError, CATALOGUE, type ErrorCode } from '../../src/core/errors.ts';
import { errorHeaders } from '../../src/http/headers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** All code except the catalogue itself and generated files. */
const CODE = ['src', 'resolvers']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter(
    (name) => name.endsWith('.ts') && !name.startsWith('src/generated/') && name !== 'src/core/errors.ts',
  )
  .map((name) => readFileSync(join(ROOT, name), 'utf8'))
  .join('\n')
  // `@throws` in a comment does not count as a use.
  .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

// The catalogue's keys are codes.
const CODES = Object.keys(CATALOGUE) as ErrorCode[];

describe('the catalogue of errors', () => {
  for (const code of CODES) {
    const { status, message, retryable } = CATALOGUE[code];

    test(`${code} is used`, () => {
      expect(CODE.includes(`'${code}'`)).toBe(true);
    });

    test(`${code} has a standard status and a message`, () => {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(message).not.toMatch(/sql|stack|\.ts/i);
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    });

    test(`${code} declares whether a retry makes sense`, () => {
      // A 4xx can be corrected by the client, except those that are temporary; a 5xx may be retried
      // (specification: Errors).
      expect(retryable).toBe(
        // A method that is not implemented now will not be implemented soon.
        (status >= 500 && status !== 501 && status !== 505) ||
          status === 408 ||
          status === 429 ||
          code === 'idempotency_in_progress',
      );
    });
  }

  test('every status of the specification has a code', () => {
    const statuses = new Set(CODES.map((code) => CATALOGUE[code].status));
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 503]) expect(statuses).toContain(status);
  });
});

describe('the headers of an error', () => {
  for (const code of CODES) {
    test(`${code} ${CATALOGUE[code].status === 401 ? 'has a challenge' : 'has no challenge'}`, () => {
      const header = errorHeaders(new ApiError(code))['www-authenticate'];
      if (CATALOGUE[code].status !== 401) expect(header).toBeUndefined();
      else
        expect(header).toMatch(
          /^Bearer realm="portico"(, error="invalid_token")?, ApiKey realm="portico", DPoP realm="portico", algs="[\w ]+"$/,
        );
    });
  }

  test('missing credentials are not an invalid token', () => {
    expect(errorHeaders(new ApiError('unauthenticated'))['www-authenticate']).not.toContain('error=');
    expect(errorHeaders(new ApiError('token_expired'))['www-authenticate']).toContain(
      'error="invalid_token"',
    );
  });

  test('Retry-After has whole seconds', () => {
    expect(errorHeaders(new ApiError('unavailable', { retryAfter: 3 }))).toEqual({ 'retry-after': '3' });
    expect(errorHeaders(new ApiError('unavailable'))).toEqual({ 'retry-after': '1' });
    expect(errorHeaders(new ApiError('not_found'))).toEqual({});
  });
});

describe('an error', () => {
  test('has the message of the catalogue unless a more specific one is given', () => {
    expect(new ApiError('not_found').message).toBe(CATALOGUE.not_found.message);
    expect(new ApiError('not_found', { message: 'There is no order 7.' }).message).toBe(
      'There is no order 7.',
    );
  });

  test('does not expose its cause', () => {
    const error = new ApiError('internal_error', { cause: new Error('secret') });
    expect(error.message).not.toContain('secret');
    expect(error.status).toBe(500);
  });
});
