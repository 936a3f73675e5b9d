import { DEMO_PASSWORD } from '../src/cli/demo/data.ts';
import type { BenchRequest } from './cases.ts';

/** An administrator of the organisation that the seeded orders belong to. */
const EMAIL = 'ada@acme.test';

/** Signs in as a client would. */
export async function signIn(url: string, email = EMAIL): Promise<string> {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer !== null && 'access_token' in answer)
    return String(answer.access_token);
  throw new Error(`Signing in was answered with ${response.status}: ${JSON.stringify(answer)}`);
}

/** The headers of every request. */
export const headersOf = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export async function ask(url: string, token: string, { method, path, body }: BenchRequest): Promise<Answer> {
  const response = await fetch(url + path, { method, headers: headersOf(token), ...(body && { body }) });
  return { status: response.status, headers: response.headers, body: await response.text() };
}
