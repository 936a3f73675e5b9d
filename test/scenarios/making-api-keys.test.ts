/** Creating API keys: their scopes and expiry, who may create them, and the list. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import {
  type CreatedKey,
  createKey,
  eventsSince,
  hashOf,
  type ListedKey,
  listKeys,
  secretOf,
  withKey,
} from '../support/fixtures/api-keys.ts';
import type { CursorPage } from '../support/response-bodies.ts';

const MINUTE = 60_000;
const SHAPE = /^pk_[1-9]\d*_[A-Za-z0-9_-]{43}$/;

describeEachEngine('API keys', (engine) => {
  const app = startApp(engine);

  describe('creating a key', () => {
    test('returns the key, its location and its scopes', async () => {
      const response = await app.post<CreatedKey>('/v1/api-keys', {
        as: 'ada',
        body: {
          name: 'ci',
          scopes: ['write:orders', 'read:orders'],
          expires_at: '2030-01-01T01:00:00+01:00',
        },
      });
      expect(response.status).toBe(201);
      expect(response.headers.get('location')).toBe(`/v1/api-keys/${response.body.id}`);
      expect(response.body).toEqual({
        id: expect.any(Number),
        name: 'ci',
        key: expect.stringMatching(SHAPE),
        scopes: ['read:orders', 'write:orders'],
        expires_at: '2030-01-01T00:00:00.000Z',
      });
      expect(response.body.key).toMatch(new RegExp(`^pk_${response.body.id}_`));
    });

    test('shows it only once: the list has its prefix, and the database a hash', async () => {
      const { id, key } = await createKey(app, { name: 'once' });
      const { text, body } = await app.get<CursorPage<ListedKey>>('/v1/api-keys?limit=100', { as: 'ada' });
      expect(body.data.find((one) => one.id === id)).toEqual({
        id,
        name: 'once',
        prefix: `pk_${id}_`,
        scopes: ['read:orders'],
        owner_id: 1,
        created_at: app.clock().toISOString(),
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      });
      const [row] = await engine.place.query(`select * from api_keys where id = ${id}`);
      const hash = hashOf(key);
      expect(row?.['secret_hash']).toBe(hash);
      for (const shown of [text, JSON.stringify(row)]) expect(shown).not.toContain(secretOf(key));
      expect(text).not.toContain(hash);
    });

    test('is written to the event log, without the secret', async () => {
      const { result, events } = await eventsSince(app, () => createKey(app, { name: 'told' }));
      expect(events).toEqual([
        {
          id: expect.any(Number),
          org: 'acme',
          type: 'api_key.created',
          actorId: 1,
          subjectType: 'api_key',
          subjectId: result.id,
          data: { name: 'told', scopes: ['read:orders'], expires_at: null },
        },
      ]);
    });

    test('returns the same through GraphQL, with its owner', async () => {
      const response = await app.graphql<{ createApiKey: CreatedKey & { expiresAt: string } }>(
        `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { id name key scopes expiresAt } }`,
        { input: { name: 'graph', scopes: ['read:users'], expiresAt: '2030-01-01T00:00:00Z' } },
        { as: 'ada' },
      );
      expect(response.body).toEqual({
        data: {
          createApiKey: {
            id: expect.any(String),
            name: 'graph',
            key: expect.stringMatching(SHAPE),
            scopes: ['read:users'],
            expiresAt: '2030-01-01T00:00:00.000Z',
          },
        },
      });
      const found = await app.graphql<{ apiKeys: { nodes: readonly { id: string; owner: unknown }[] } }>(
        '{ apiKeys(first: 100) { nodes { id ownerId owner { id email } } } }',
        {},
        { as: 'ada' },
      );
      const { id } = response.body.data?.createApiKey ?? {};
      expect(found.body.data?.apiKeys.nodes.find((node) => node.id === String(id))).toEqual({
        id,
        ownerId: '1',
        owner: { id: '1', email: 'ada@acme.test' },
      });
    });

    test.each([
      [
        'scopes with names of inherited object members',
        { scopes: ['__proto__', 'has'] },
        ['scopes.0', 'scopes.1'],
      ],
      ['an expiry that is now', { expires_at: '2026-09-01T12:00:00.000Z' }, ['expires_at']],
      ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
      ['an expiry beyond the year 9999', { expires_at: '9999-12-31T23:59:59-01:00' }, ['expires_at']],
      ['an expiry on a day that does not exist', { expires_at: '2030-02-30T00:00:00Z' }, ['expires_at']],
      ['several faults', { scopes: ['x'], expires_at: '2020-01-01T00:00:00Z' }, ['scopes.0', 'expires_at']],
      [
        'several faults that the schema refuses',
        { name: 'a\n', scopes: Array(33).fill('read:orders') },
        ['name', 'scopes'],
      ],
    ])('refuses %s, and names it', async (_name, wish, paths) => {
      const body = { name: 'refused', scopes: ['read:orders'], ...wish };
      const { events } = await eventsSince(app, async () => {
        const response = await app.post('/v1/api-keys', { as: 'ada', body });
        expectError(response, { status: 422, code: 'validation_failed', paths });
      });
      expect(events).toEqual([]);
    });

    test('cannot grant a scope that the token lacks', async () => {
      const narrow = await app.signIn('ada', ['read:orders', 'manage:api-keys']);
      const body = { name: 'more', scopes: ['read:orders', 'write:users'] };
      const response = await app.post('/v1/api-keys', { as: narrow, body });
      expectError(response, { status: 422, code: 'validation_failed', paths: ['scopes.1'] });
      await createKey(app, { scopes: ['read:orders'] }, narrow);
    });
  });

  describe('creating a key with a key', () => {
    const ends = (minutes: number) => new Date(app.clock().getTime() + minutes * MINUTE).toISOString();
    const inputWith = (end?: string | null) => ({
      name: 'heir',
      scopes: ['manage:api-keys'],
      ...(end !== undefined && { expires_at: end }),
    });
    const send = (key: string, end?: string | null) =>
      app.post<CreatedKey>('/v1/api-keys', { ...withKey(key), body: inputWith(end) });

    test('cannot outlive that key', async () => {
      const { key } = await createKey(app, { scopes: ['manage:api-keys'], expires_at: ends(10) });
      const later = new Date(Date.parse(ends(10)) + 1).toISOString();
      const { events } = await eventsSince(app, async () => {
        for (const end of [undefined, null, later, ends(11)]) {
          expectError(await send(key, end), {
            status: 422,
            code: 'validation_failed',
            paths: ['expires_at'],
          });
        }
        const mutation =
          'mutation ($end: DateTime) { createApiKey(input: { name: "x", scopes: ["manage:api-keys"], expiresAt: $end }) { id } }';
        for (const end of [undefined, null, later]) {
          const { body } = await app.graphql(mutation, { end }, withKey(key));
          expect(body.errors?.[0]?.extensions).toMatchObject({
            code: 'validation_failed',
            details: [{ path: 'input.expiresAt' }],
          });
        }
      });
      expect(events).toEqual([]);
      for (const end of [ends(10), ends(9)]) {
        const response = await send(key, end);
        expect([response.status, response.body.expires_at]).toEqual([201, end]);
      }
      const { body: heir } = await send(key, ends(9));
      expectError(await send(heir.key, ends(10)), {
        status: 422,
        code: 'validation_failed',
        paths: ['expires_at'],
      });
    });

    test('may set any expiry if that key has none, as a sign-in may', async () => {
      const { key } = await createKey(app, { scopes: ['manage:api-keys'] });
      for (const end of [undefined, ends(1000)]) expect((await send(key, end)).status).toBe(201);
      await createKey(app, { expires_at: ends(1000) });
      await createKey(app);
    });
  });

  describe('the list', () => {
    test("is paged, and has only keys of the caller's organisation", async () => {
      const foreign = await createKey(app, { name: 'of globex' }, 'gil');
      for (let n = 0; n < 3; n += 1) await createKey(app);
      const ids: number[] = [];
      let query = '';
      for (let next: string | null = ''; next !== null; query = `&cursor=${next}`) {
        const { body } = await app.get<CursorPage<ListedKey>>(`/v1/api-keys?limit=2${query}`, { as: 'ada' });
        expect(body.data.length).toBeLessThanOrEqual(2);
        ids.push(...body.data.map((key) => key.id));
        next = body.next_cursor;
      }
      expect(ids).toEqual((await listKeys(app)).map((key) => key.id));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(ids).not.toContain(foreign.id);
      expect((await listKeys(app, 'gil')).map((key) => key.id)).toEqual([foreign.id]);
    });
  });
});
