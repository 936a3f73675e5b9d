/**
 * The authorization server from outside: a minimal browser with cookies, redirects and forms, and apps as its clients, with `oauth4webapi`,
 * a certified library that validates the responses.
 */
import * as oauth from 'oauth4webapi';
import { beforeAll, expect } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { PUBLIC_URL, type TestApp } from './app.ts';
import { PEOPLE, type Person } from './client.ts';

/** Returns a fetch function that sends requests for the public URL to the server of the test. */
export const fetchFrom =
  (app: Pick<TestApp, 'url'>) =>
  // Libraries pass fetch options with undefined members.
  (url: string, init: object): Promise<Response> =>
    fetch(url.replace(PUBLIC_URL, app.url), init as RequestInit);

interface Visit {
  readonly status: number;
  readonly url: string;
  readonly text: string;
  readonly headers: Headers;
}

/** The used part of `fetch`. */
export type Fetch = (url: string, init?: object) => Promise<Response>;

/** The credentials of a user outside of the demo data. */
export interface SignedIn {
  readonly email: string;
  readonly password: string;
}

export class Browser {
  readonly #app: Pick<TestApp, 'url'>;
  readonly #publicUrl: string;
  readonly #fetch: Fetch;
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();

  /**
   * @param publicUrl the public URL of the server.
   * @param send a replacement for `fetch`, for a server with a private certificate.
   */
  constructor(app: Pick<TestApp, 'url'>, publicUrl = PUBLIC_URL, send: Fetch = fetch) {
    this.#app = app;
    this.#publicUrl = publicUrl;
    this.#fetch = send;
  }

  /** Requests a URL of the server, and follows redirects until a response without one, or until a URL outside of the server. */
  async visit(address: string, form?: URLSearchParams, headers: Record<string, string> = {}): Promise<Visit> {
    let url = new URL(address, this.#publicUrl).href;
    let body = form;
    for (let hops = 0; hops < 10; hops += 1) {
      const response = await this.#fetch(url.replace(this.#publicUrl, this.#app.url), {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          cookie: this.#cookiesFor(url),
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        ...(body && { body }),
      });
      this.#keep(response.headers.getSetCookie(), url);
      const location = response.headers.get('location');
      const text = await response.text();
      if (location === null) return { status: response.status, url, text, headers: response.headers };
      url = new URL(location, url).href;
      body = undefined;
      if (!url.startsWith(this.#publicUrl))
        return { status: response.status, url, text, headers: response.headers };
    }
    throw new Error(`Too many redirects from ${address}.`);
  }

  /** Signs in if the page has a login form. */
  async signIn(at: Visit, person: Person | SignedIn): Promise<Visit> {
    if (!at.text.includes('name="password"')) return at;
    const { email, password } =
      typeof person === 'string' ? { email: PEOPLE[person], password: DEMO_PASSWORD } : person;
    return this.visit(at.url, new URLSearchParams({ email, password }));
  }

  /** Grants the requested scopes except for some. */
  allow(at: Visit, without: readonly string[] = []): Promise<Visit> {
    const form = new URLSearchParams({ action: 'allow' });
    for (const scope of scopesIn(at)) if (!without.includes(scope)) form.append('scope', scope);
    return this.visit(at.url, form);
  }

  deny(at: Visit): Promise<Visit> {
    return this.visit(at.url, new URLSearchParams({ action: 'deny' }));
  }

  /** Signs in and grants everything except for some scopes. @returns the redirect URL with the authorization response. */
  async consent(address: string, person: Person | SignedIn, without: readonly string[] = []): Promise<URL> {
    const signedIn = await this.signIn(await this.visit(address), person);
    const done = signedIn.url.startsWith(this.#publicUrl) ? await this.allow(signedIn, without) : signedIn;
    if (done.url.startsWith(this.#publicUrl)) throw new Error(`${done.status} ${done.url}\n${done.text}`);
    return new URL(done.url);
  }

  #cookiesFor(url: string): string {
    const { pathname } = new URL(url);
    return [...this.#cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
      .join('; ');
  }

  #keep(cookies: readonly string[], url: string): void {
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const path =
        attributes.find((each) => each.toLowerCase().startsWith('path='))?.slice(5) ?? new URL(url).pathname;
      const key = `${pair.slice(0, at)} ${path}`;
      const value = pair.slice(at + 1);
      if (value === '') this.#cookies.delete(key);
      else this.#cookies.set(key, { value, path });
    }
  }
}

/** Returns the scopes on a consent page. */
export const scopesIn = ({ text }: Visit): string[] =>
  [...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope ?? '');

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
