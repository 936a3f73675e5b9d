/** Signs in as a client does, and reads the claims of its token. */
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import type { TestApp } from './app.ts';
import type { Answer } from './client.ts';
import type { Session } from './shapes.ts';

export const ADA = { email: 'ada@acme.test', password: DEMO_PASSWORD };

/** The login mutation. */
export const LOGIN = `mutation ($email: String!, $password: String!, $scopes: [String!]) {
  login(email: $email, password: $password, scopes: $scopes) { accessToken refreshToken tokenType expiresIn }
}`;

/** Signs in with the REST route. */
export const login = (
  app: TestApp,
  body: unknown = ADA,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Session>> => app.post('/v1/auth/login', { body, headers });

/** Decodes the claims of a token without verifying it. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
