import { DEMO_PASSWORD } from '../src/cli/demo/data.ts';
import type { BenchRequest } from './cases.ts';

/** An administrator of the organisation that owns the seeded orders. */
const EMAIL = 'ada@acme.test';

/** Signs in with the demo password. @returns the access token. */
export async function signIn(url: string, email = EMAIL): Promise<string> {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  });
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token);
  throw new Error(`The response to the login has status ${response.status}: ${JSON.stringify(body)}`);
}

/** The headers of an authenticated JSON request. */
export const headersOf = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

export interface BenchResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export async function sendRequest(
  url: string,
  token: string,
  { method, path, body }: BenchRequest,
): Promise<BenchResponse> {
  const response = await fetch(url + path, { method, headers: headersOf(token), ...(body && { body }) });
  return { status: response.status, headers: response.headers, body: await response.text() };
}
