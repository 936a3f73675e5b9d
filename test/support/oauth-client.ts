/** Apps as clients of the authorization server, with `oauth4webapi`, a certified library that validates the responses. */
import * as oauth from 'oauth4webapi';
import { beforeAll, expect } from 'vitest';
import { PUBLIC_URL, type TestApp } from './app.ts';
import type { Person } from './client.ts';
import { Browser, fetchFrom } from './oauth.ts';

/** The redirect URI of apps. */
export const REDIRECT = 'https://ledger.example/callback';

export interface AppBody {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret: string;
}

export const basic = ({ client_secret }: AppBody) => oauth.ClientSecretBasic(client_secret);
export const clientOf = ({ client_id }: AppBody): oauth.Client => ({ client_id });

/** Creates a client for a suite. Call it once per suite. */
export function oauthClient(app: TestApp) {
  const http = { [oauth.customFetch]: fetchFrom(app) };
  /** The server's metadata, which is read before the first test. */
  const server: oauth.AuthorizationServer = { issuer: PUBLIC_URL };

  beforeAll(async () => {
    const issuer = new URL(PUBLIC_URL);
    const response = await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' });
    Object.assign(server, await oauth.processDiscoveryResponse(issuer, response));
  });

  const createApp = async (part: object = {}): Promise<AppBody> => {
    const body = {
      name: 'Ledger',
      type: 'web',
      redirect_uris: [REDIRECT],
      scopes: ['read:orders', 'read:users', 'write:orders'],
    };
    const made = await app.post<AppBody>('/v1/apps', { as: 'ada', body: { ...body, ...part } });
    expect(made.status, made.text).toBe(201);
    return made.body;
  };

  /** Returns an authorization URL and its PKCE code verifier. */
  const authorization = async (made: AppBody, params: Record<string, string> = {}) => {
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint ?? '');
    const all = {
      client_id: made.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'read:orders read:users',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'state-1',
      ...params,
    };
    for (const [name, value] of Object.entries(all)) if (value !== '') url.searchParams.set(name, value);
    return { verifier, url };
  };

  const exchange = async (made: AppBody, back: URL, verifier: string, options = {}) => {
    const params = oauth.validateAuthResponse(server, clientOf(made), back, 'state-1');
    return oauth.authorizationCodeGrantRequest(
      server,
      clientOf(made),
      basic(made),
      params,
      REDIRECT,
      verifier,
      {
        ...http,
        ...options,
      },
    );
  };

  /** Returns the tokens that the app receives after a user has consented. */
  const tokensFor = async (made: AppBody, person: Person, scope: string) => {
    const { verifier, url } = await authorization(made, { scope });
    const back = await new Browser(app).consent(url.href, person);
    return oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      await exchange(made, back, verifier),
    );
  };

  const get = (path: string, token: string) =>
    app.get(path, { headers: { authorization: `Bearer ${token}` } });

  return { http, server, createApp, authorization, exchange, tokensFor, get };
}
