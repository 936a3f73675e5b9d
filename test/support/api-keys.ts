/** Helpers for API keys. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import type { LoggedEvent, TestApp } from './app.ts';
import type { Sender } from './client.ts';
import type { TestEngine } from './engines.ts';
import { signIn } from './members.ts';
import { addPerson } from './rows.ts';
import type { CursorPage } from './shapes.ts';

export interface CreatedKey {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

export interface ListedKey {
  readonly id: number;
  readonly prefix: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** The secret at the end of a key. */
export const secretOf = (key: string) => key.slice(-43);

/** The hash of a key's secret, as the database stores it. */
export const hashOf = (key: string) => createHash('sha256').update(secretOf(key)).digest('base64url');

export const withKey = (key: string) => ({ headers: { authorization: `ApiKey ${key}` } });

/** Creates a key, by default with the scope read:orders. */
export async function createKey(
  app: TestApp,
  overrides: object = {},
  as: Sender = 'ada',
): Promise<CreatedKey> {
  const body = { name: 'nightly export', scopes: ['read:orders'], ...overrides };
  const response = await app.post<CreatedKey>('/v1/api-keys', { as, body });
  expect(response.status, response.text).toBe(201);
  return response.body;
}

/** Reads all keys of an organisation, page by page. */
export async function listKeys(app: TestApp, as: Sender = 'ada'): Promise<readonly ListedKey[]> {
  const found: ListedKey[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor && `&cursor=${cursor}`;
    const { body } = await app.get<CursorPage<ListedKey>>(`/v1/api-keys?limit=100${query}`, { as });
    found.push(...body.data);
    cursor = body.next_cursor;
  }
  return found;
}

/** Returns a key from the list. */
export const listedKey = async (app: TestApp, id: number, as: Sender = 'ada') =>
  (await listKeys(app, as)).find((key) => key.id === id);

/** Returns the result of some work, and the events that were recorded meanwhile. */
export async function eventsSince<T>(
  app: TestApp,
  work: () => Promise<T>,
): Promise<{ result: T; events: LoggedEvent[] }> {
  const before = (await app.events()).at(-1)?.id ?? 0;
  const result = await work();
  return { result, events: await app.events(before) };
}

/** Advances the clock, and discards the access tokens, which expire much earlier than API keys. */
export function letPass(app: TestApp, milliseconds: number): void {
  app.clock.advance(milliseconds);
  app.signOutAll();
}

/** Adds an administrator that a test may change. */
export async function addAdministrator(engine: TestEngine, app: TestApp, email: string, org = 'acme') {
  const id = await addPerson(engine, { email, role: 'admin', org });
  const sender: Sender = await signIn(app, { email, password: DEMO_PASSWORD });
  const set = (assignment: string) => engine.place.query(`update users set ${assignment} where id = ${id}`);
  return { id, sender, set };
}
