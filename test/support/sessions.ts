/** Signing in as a client does, and what is in the token that it gets. */
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import type { TestApp } from './app.ts';
import type { Answer } from './client.ts';
import type { Session } from './shapes.ts';

export const ADA = { email: 'ada@acme.test', password: DEMO_PASSWORD };

/** Signs in through the graph. */
export const LOGIN = `mutation ($email: String!, $password: String!, $scopes: [String!]) {
  login(email: $email, password: $password, scopes: $scopes) { accessToken refreshToken tokenType expiresIn }
}`;

/** Signs in over the route, with whatever is sent to it. */
export const login = (
  app: TestApp,
  body: unknown = ADA,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Session>> => app.post('/v1/auth/login', { body, headers });

/** The claims of a token, unchecked. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
