import { expect } from 'vitest';
import { PUBLIC_URL, type TestApp } from './app.ts';
import type { Answer, ErrorBody } from './client.ts';

/** Makes a request and sees to it that it left no trace: no row was added, changed or removed, and no event recorded it. */
export async function writesNothing<T>(app: TestApp, request: () => Promise<T>): Promise<T> {
  const before = await app.fingerprint();
  const answer = await request();
  expect(await app.fingerprint(), 'something was written').toEqual(before);
  return answer;
}

export interface ExpectedError {
  readonly status: number;
  readonly code: string;
  /** Where each of `details` points, in their order. Without it there must be no details. */
  readonly paths?: readonly string[] | undefined;
}

/** The answer is this error, in the one form that errors have, and says nothing that clients are not meant to see. */
export function expectError(answer: Answer<unknown>, { status, code, paths }: ExpectedError): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  // Checked right here.
  const { error, ...others } = answer.body as ErrorBody;
  expect(others).toEqual({});
  expect(error).toEqual({
    code,
    message: expect.stringMatching(/\S.*\.$/),
    ...(paths && { details: expect.any(Array) }),
  });
  if (paths) expect(error.details?.map((detail) => detail.path)).toEqual(paths);
  expect(answer.text).not.toMatch(/node_modules|\.ts\b|select |insert |SQLITE_/);
}

/** How a server asks for credentials, and where it says who gives them (RFC 6750, RFC 9728). */
export const challenge = (error?: string): string =>
  `Bearer realm="portico", resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"${
    error === undefined ? '' : `, error="${error}"`
  }, ApiKey realm="portico"`;
