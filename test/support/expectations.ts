import { expect } from 'vitest';
import { PUBLIC_URL, type TestApp } from './app.ts';
import type { Answer, ErrorBody } from './client.ts';

/** Runs a request and expects that it wrote nothing: no row was inserted, updated or deleted, and no event was recorded. */
export async function writesNothing<T>(app: TestApp, request: () => Promise<T>): Promise<T> {
  const before = await app.fingerprint();
  const response = await request();
  expect(await app.fingerprint(), `something was written${outcomeOf(response)}`).toEqual(before);
  return response;
}

/** The status and the body of a response, for the message of a failed test: they usually explain what was written. */
const outcomeOf = (response: unknown): string =>
  typeof response === 'object' && response !== null && 'status' in response && 'text' in response
    ? ` by a request with the response ${response.status} ${response.text}`
    : '';

interface ExpectedError {
  readonly status: number;
  readonly code: string;
  /** The paths in `details`, in order. If omitted, there must be no details. */
  readonly paths?: readonly string[] | undefined;
}

/** Expects that the response is this error in the standard format, without internal information. */
export function expectError(response: Answer<unknown>, { status, code, paths }: ExpectedError): void {
  expect(response.status, response.text).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  // The next assertions verify the type.
  const { error, ...others } = response.body as ErrorBody;
  expect(others).toEqual({});
  expect(error).toEqual({
    code,
    message: expect.stringMatching(/\S.*\.$/),
    ...(paths && { details: expect.any(Array) }),
  });
  if (paths) expect(error.details?.map((detail) => detail.path)).toEqual(paths);
  expect(response.text).not.toMatch(/node_modules|\.ts\b|select |insert |SQLITE_/);
}

/** The expected `WWW-Authenticate` header, with the URL of the resource metadata (RFC 6750, RFC 9728). */
export const challenge = (error?: string): string =>
  `Bearer realm="portico", resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"${
    error === undefined ? '' : `, error="${error}"`
  }, ApiKey realm="portico", DPoP realm="portico", algs="ES256 EdDSA Ed25519"`;
