/** Keys for machines: making and listing them, and what happens around them. */
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

/** The secret of a key, which stands at its end. */
export const secretOf = (key: string) => key.slice(-43);

/** What the database has for the secret of a key. */
export const hashOf = (key: string) => createHash('sha256').update(secretOf(key)).digest('base64url');

export const withKey = (key: string) => ({ headers: { authorization: `ApiKey ${key}` } });

/** Makes a key, for reading orders when nothing else is wished for. */
export async function createKey(app: TestApp, wish: object = {}, as: Sender = 'ada'): Promise<CreatedKey> {
  const body = { name: 'nightly export', scopes: ['read:orders'], ...wish };
  const answer = await app.post<CreatedKey>('/v1/api-keys', { as, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** All keys of an organisation, page after page. */
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

/** A key as the list has it. */
export const listedKey = async (app: TestApp, id: number, as: Sender = 'ada') =>
  (await listKeys(app, as)).find((key) => key.id === id);

/** What came of some work, and the events that were written meanwhile. */
export async function eventsSince<T>(
  app: TestApp,
  work: () => Promise<T>,
): Promise<{ result: T; events: LoggedEvent[] }> {
  const before = (await app.events()).at(-1)?.id ?? 0;
  const result = await work();
  return { result, events: await app.events(before) };
}

/** Lets time pass. The tokens of the demo's people end long before what keys wait for. */
export function letPass(app: TestApp, milliseconds: number): void {
  app.clock.advance(milliseconds);
  app.signOutAll();
}

/** Another administrator, to whom things may happen. */
export async function addAdministrator(engine: TestEngine, app: TestApp, email: string, org = 'acme') {
  const id = await addPerson(engine, { email, role: 'admin', org });
  const sender: Sender = await signIn(app, { email, password: DEMO_PASSWORD });
  const set = (assignment: string) => engine.place.query(`update users set ${assignment} where id = ${id}`);
  return { id, sender, set };
}
