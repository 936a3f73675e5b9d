/** The end of an API key: by expiry, by revocation or with its owner, and who may not revoke it. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import {
  addAdministrator,
  createKey,
  eventsSince,
  letPass,
  listedKey,
  listKeys,
  secretOf,
  withKey,
} from '../support/fixtures/api-keys.ts';
import { codeIn, DOORS, expectRefused } from './credential-doors.ts';

const MINUTE = 60_000;

describeEachEngine('API keys', (engine) => {
  const app = startApp(engine);

  describe.each(DOORS)('expiry and revocation over $name', (door) => {
    const works = async (key: string) => {
      const reply = await door.ask(app, `ApiKey ${key}`);
      expect(reply.status, reply.text).toBe(200);
      expect(codeIn(reply)).toBeUndefined();
    };

    test('an expiry is exact to the millisecond', async () => {
      const end = new Date(app.clock().getTime() + 10 * MINUTE);
      const { key } = await createKey(app, { scopes: ['read:users'], expires_at: end.toISOString() });
      letPass(app, 10 * MINUTE - 1);
      await works(key);
      letPass(app, 1);
      expectRefused(await door.ask(app, `ApiKey ${key}`), 'token_expired');
      // A response to a guessed key must not reveal that the key existed.
      expectRefused(await door.ask(app, `ApiKey ${key.replace(secretOf(key), 'A'.repeat(43))}`));
    });

    test('a revocation is immediate and final', async () => {
      const { id, key } = await createKey(app, { scopes: ['read:users'] });
      await works(key);
      const revoke = () => app.delete(`/v1/api-keys/${id}`, { as: 'ada' });

      const first = await eventsSince(app, revoke);
      expect(first.result.status).toBe(204);
      expect(first.result.text).toBe('');
      expect(first.events).toEqual([
        expect.objectContaining({
          type: 'api_key.revoked',
          actorId: 1,
          subjectType: 'api_key',
          subjectId: id,
          data: { name: 'nightly export', user_id: 1 },
        }),
      ]);
      expectRefused(await door.ask(app, `ApiKey ${key}`));

      const revokedAt = app.clock().toISOString();
      letPass(app, MINUTE);
      const again = await eventsSince(app, revoke);
      expect(again.result.status).toBe(204);
      expect(again.events).toEqual([]);
      expect((await listedKey(app, id))?.revoked_at).toBe(revokedAt);
    });

    test('a revocation does not affect another key', async () => {
      const [ended, kept] = [
        await createKey(app, { scopes: ['read:users'] }),
        await createKey(app, { scopes: ['read:users'] }),
      ];
      await app.delete(`/v1/api-keys/${ended.id}`, { as: 'ada' });
      await works(kept.key);
    });

    test('a key ends when its owner is removed or moves to another organisation', async () => {
      const email = `leaving-${door.name.toLowerCase()}@globex.test`;
      const owner = await addAdministrator(engine, app, email, 'globex');
      const { id, key } = await createKey(app, { scopes: ['read:users', 'read:orders'] }, owner.sender);
      const open = async () => (await app.get('/v1/products', withKey(key))).status;
      expect(await open()).toBe(200);
      await owner.set("org = 'acme'");
      expectRefused(await door.ask(app, `ApiKey ${key}`));
      await owner.set("org = 'globex'");
      expect(await open()).toBe(200);
      await owner.set('removed_at = created_at');
      expectRefused(await door.ask(app, `ApiKey ${key}`));
      expect(await open()).toBe(401);
      // Remaining members still see the key and its owner.
      const response = await app.graphql<{ apiKeys: { nodes: readonly { id: string; owner: unknown }[] } }>(
        '{ apiKeys(first: 100) { nodes { id owner { id } } } }',
        {},
        { as: 'gil' },
      );
      const node = response.body.data?.apiKeys.nodes.find((one) => one.id === String(id));
      expect(node).toEqual({ id: String(id), owner: { id: String(owner.id) } });
    });
  });

  describe('revoking', () => {
    test.each([
      ['an unknown key', '999999', 404, 'not_found'],
      ['an id that is not a number', 'pk_1', 400, 'invalid_parameter'],
      ['an id that is too large', '99999999999999999999', 400, 'invalid_parameter'],
    ])('%s is refused over REST', async (_name, id, status, code) => {
      const response = await writesNothing(app, () => app.delete(`/v1/api-keys/${id}`, { as: 'ada' }));
      expectError(response, { status, code, ...(status === 400 && { paths: ['api_key_id'] }) });
    });

    test.each([
      ['an unknown key', '999999'],
      ['an id that is not a number', 'pk_1'],
    ])('%s is refused over GraphQL', async (_name, id) => {
      const mutation = 'mutation ($id: ID!) { revokeApiKey(id: $id) }';
      expect(codesOf(await app.graphql(mutation, { id }, { as: 'ada' }))).toEqual(['not_found']);
    });

    test('returns the id over GraphQL, also when repeated', async () => {
      const { id } = await createKey(app);
      for (let times = 0; times < 2; times += 1) {
        const response = await app.graphql(`mutation { revokeApiKey(id: ${id}) }`, {}, { as: 'ada' });
        expect(response.body).toEqual({ data: { revokeApiKey: String(id) } });
      }
    });

    test('by ten simultaneous requests writes one event', async () => {
      const { id } = await createKey(app);
      const { result, events } = await eventsSince(app, () =>
        Promise.all(Array.from({ length: 10 }, () => app.delete(`/v1/api-keys/${id}`, { as: 'ada' }))),
      );
      expect(result.map((response) => response.status)).toEqual(Array(10).fill(204));
      expect(events.map((event) => event.type)).toEqual(['api_key.revoked']);
    });
  });

  describe('a former administrator', () => {
    test.each([
      { how: 'demoted', set: "role = 'editor'", status: 403, code: 'insufficient_role' },
      { how: 'removed', set: 'removed_at = created_at', status: 401, code: 'invalid_token' },
    ])(
      '$how: cannot create or revoke keys with a token that is still valid',
      async ({ how, set, status, code }) => {
        const former = await addAdministrator(engine, app, `${how}@acme.test`);
        const { id: own } = await createKey(app, {}, former.sender);
        const { id, key } = await createKey(app, { scopes: ['read:orders'] });
        const { id: ended } = await createKey(app);
        await app.delete(`/v1/api-keys/${ended}`, { as: 'ada' });
        await former.set(set);

        const as = former.sender;
        const graph = (mutation: string) => app.graphql(`mutation { ${mutation} }`, {}, { as });
        const body = { name: 'back door', scopes: ['read:orders'] };
        const { events } = await eventsSince(app, async () => {
          for (const response of [
            await app.post('/v1/api-keys', { as, body }),
            await app.delete(`/v1/api-keys/${id}`, { as }),
            await app.delete(`/v1/api-keys/${own}`, { as }),
            await app.delete(`/v1/api-keys/${ended}`, { as }),
          ]) {
            expectError(response, { status, code });
          }
          const made = await graph('createApiKey(input: { name: "x", scopes: ["read:orders"] }) { key }');
          const revoked = await graph(`revokeApiKey(id: ${id})`);
          expect([codesOf(made), codesOf(revoked)]).toEqual([[code], [code]]);
        });
        expect(events).toEqual([]);
        expect((await listKeys(app)).some(({ id: each }) => each > ended)).toBe(false);
        expect((await app.get('/v1/products', withKey(key))).status).toBe(200);
      },
    );
  });
});
