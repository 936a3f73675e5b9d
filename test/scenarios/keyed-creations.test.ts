/** Every request that creates something takes an idempotency key, and creates it once. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { returnsSecret, takesSecret } from '../../src/graphql/directives/secret.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { ROUTE_CALLS } from '../access/shared/rules.ts';
import { distinctRoutes, rootFields, routeName } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { createKey, withKey } from '../support/fixtures/api-keys.ts';
import { keyLookups } from '../support/key-lookups.ts';

const creating = distinctRoutes.filter(({ method, status }) => method === 'POST' && status === 201);

const ofSecrets = creating.filter(({ root: { field } }) => returnsSecret(field) || takesSecret(field));

/** A request that was sent with a key, and a function that sends it again. */
interface Sent {
  readonly key: string;
  readonly text: string;
  again(headers?: Readonly<Record<string, string>>): ReturnType<ReturnType<typeof startApp>['request']>;
}

test('every mutation that creates something takes a key', () => {
  const keyless = rootFields.filter(
    ({ operation, field }) =>
      operation === 'mutation' &&
      field.name.startsWith('create') &&
      field.args.every(({ name }) => name !== 'idempotencyKey'),
  );
  expect(keyless.map(({ name }) => name)).toEqual([]);
  expect(creating.length).toBeGreaterThan(10);
});

describeEachEngine('an idempotency key', (engine) => {
  const lookups = keyLookups();
  const app = startApp(engine, { around: lookups.around });
  const fixtures = createFixtures(app, engine);

  async function request(route: (typeof creating)[number]) {
    const call = await ROUTE_CALLS[routeName(route)]?.(fixtures);
    if (!call) throw new Error(`There is no request for ${routeName(route)} in test/access/.`);
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(call.params?.[name]));
    const { body } = call;
    return (headers: Readonly<Record<string, string>>) =>
      app.request('POST', path, {
        ...('authorization' in headers ? {} : { as: 'ada' }),
        ...(body !== undefined && { body }),
        headers,
      });
  }

  async function create(route: (typeof creating)[number]): Promise<Sent> {
    const send = await request(route);
    const key = randomUUID();
    const again = (headers = {}) => send({ 'idempotency-key': key, ...headers });
    const { status, text } = await again();
    expect(status, text).toBe(201);
    return { key, text, again };
  }

  const stored = async (key: string) =>
    String(
      (await engine.place.query(`select outcome from idempotency_records where key = '${key}'`))[0]?.[
        'outcome'
      ],
    );

  describe.each(creating.map((route) => [routeName(route), route] as const))('for %s', (_, route) => {
    test('creates one row, and a retry gets the same response', async () => {
      const { text, again } = await create(route);
      const second = await writesNothing(app, () => again());
      expect([second.status, second.text]).toEqual([201, text]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    });

    test('whose first request ends during the retry gets its response', async () => {
      const send = await request(route);
      const headers = { 'idempotency-key': randomUUID() };
      let first: Awaited<ReturnType<typeof send>> | undefined;
      lookups.afterNext(async () => {
        first = await send(headers);
      });
      const second = await send(headers);
      expect([second.status, second.text]).toEqual([201, first?.text]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    });

    test('is refused when it is malformed, and nothing is written', async () => {
      const send = await request(route);
      const refused = await writesNothing(app, () => send({ 'idempotency-key': 'a b' }));
      expectError(refused, { status: 400, code: 'invalid_idempotency_key' });
    });
  });

  describe.each(ofSecrets.map((route) => [routeName(route), route] as const))('for %s', (_, route) => {
    test('stores the credentials encrypted, for this record only', async () => {
      const { key, again } = await create(route);
      expect(await stored(key)).toMatch(/^sealed:v1:/);
      const other = await create(route);
      await engine.place.query(
        `update idempotency_records set outcome = '${await stored(other.key)}' where key = '${key}'`,
      );
      expect((await again()).status).toBe(500);
    });

    test('replays the response after a rotation of the signing keys', async () => {
      const { text, again } = await create(route);
      await app.rotateKeys();
      app.signOutAll();
      expect((await again()).text).toBe(text);
    });
  });

  describe.each(
    creating
      .filter(({ root }) => returnsSecret(root.field))
      .map((route) => [routeName(route), route] as const),
  )('for %s', (_, route) => {
    test('gives the credentials only to a caller with the same scopes', async () => {
      const { again } = await create(route);
      const { token } = await app.signIn('ada', ['manage:api-keys', 'manage:apps', 'manage:webhooks']);
      const narrowed = { authorization: `Bearer ${token}` };
      const refused = await writesNothing(app, () => again(narrowed));
      expectError(refused, { status: 422, code: 'idempotency_key_reused' });
    });
  });

  test('gives the credentials to another API key with the same scopes', async () => {
    const scopes = ['manage:api-keys', 'read:orders'];
    const [first, second] = [await createKey(app, { scopes }), await createKey(app, { scopes })];
    const create = ({ key }: { readonly key: string }) =>
      app.post('/v1/api-keys', {
        body: { name: 'deploy', scopes: ['read:orders'] },
        headers: { ...withKey(key).headers, 'idempotency-key': 'deploy-1' },
      });
    const made = await create(first);
    expect(made.status).toBe(201);
    expect((await create(second)).text).toBe(made.text);
  });
});
