/** Tabs of a browser with the pages of a server, as far as their session is concerned: `session.js`, run outside of a browser. */
import { vi } from 'vitest';
import type { TestApp } from './app.ts';

export interface Session {
  readonly accessToken: string;
  readonly email: string;
}

/** The used exports of `session.js`. */
export interface Tab {
  signIn(email: string, password: string): Promise<void>;
  signOut(): Promise<void>;
  accessToken(): Promise<string | null>;
  fetchSignedIn(path: string, options?: RequestInit): Promise<Response>;
  onSession(listener: (session: Session | null, why: string) => void): void;
}

/** The `Storage` of a browser, as far as the pages use it. */
const storage = () => {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
};

/** The number of opened tabs: each is a module of its own. */
let tabs = 0;
let browsers = 0;
const send = fetch;
const Channel = BroadcastChannel;

/**
 * Starts a browser, until globals are restored. Its tabs share a `BroadcastChannel`.
 *
 * @param headers returns the headers that all requests have in addition.
 * @returns a function that opens a tab.
 */
export function startBrowser(app: Pick<TestApp, 'url'>, headers: () => object = () => ({})) {
  browsers += 1;
  const browser = browsers;
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(`${name} of browser ${browser}`);
      }
    },
  );
  // URLs of requests are relative to the module, which is a file here.
  vi.stubGlobal('fetch', (url: URL | string, init: RequestInit = {}) => {
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers())) all.set(name, value);
    return send(new URL(url instanceof URL ? '/graphql' : url, app.url), { ...init, headers: all });
  });
  return async (): Promise<Tab> => {
    vi.stubGlobal('sessionStorage', storage());
    tabs += 1;
    return import(`../../src/http/routes/pages/assets/session.js?${tabs}`);
  };
}
