/** Keys for machines, on every door: how they are made, what they open, and how they end. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/demo/data.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody, type Sender } from '../support/client.ts';
import { codeIn, DOORS, expectRefused } from '../support/doors.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { addPerson } from '../support/rows.ts';
import type { CursorPage, Session } from '../support/shapes.ts';

const MINUTE = 60_000;
const SHAPE = /^pk_[1-9]\d*_[A-Za-z0-9_-]{43}$/;

interface CreatedKey {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

interface ListedKey {
  readonly id: number;
  readonly prefix: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** What is done besides looking a key up; when the last one was used is written at a time of its own. */
const isBesideKeys = (name: string) => name !== 'apiKeys.usable' && name !== 'apiKeys.touch';

const secretOf = (key: string) => key.slice(-43);
const withKey = (key: string) => ({ headers: { authorization: `ApiKey ${key}` } });

describeEachEngine('API keys', (engine) => {
  const app = startApp(engine);

  async function create(wish: object = {}, as: Sender = 'ada'): Promise<CreatedKey> {
    const body = { name: 'nightly export', scopes: ['read:orders'], ...wish };
    const answer = await app.post<CreatedKey>('/v1/api-keys', { as, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  }

  async function list(as: Sender = 'ada'): Promise<readonly ListedKey[]> {
    const found: ListedKey[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor && `&cursor=${cursor}`;
      const { body } = await app.get<CursorPage<ListedKey>>(`/v1/api-keys?limit=100${query}`, { as });
      found.push(...body.data);
      cursor = body.next_cursor;
    }
    return found;
  }

  const listed = async (id: number, as: Sender = 'ada') => (await list(as)).find((key) => key.id === id);

  async function eventsSince<T>(work: () => Promise<T>) {
    const before = (await app.events()).at(-1)?.id ?? 0;
    const result = await work();
    return { result, events: await app.events(before) };
  }

  /** The tokens of the demo's people end long before what is waited for here. */
  function wait(milliseconds: number): void {
    app.clock.advance(milliseconds);
    app.signOutAll();
  }

  async function signInAs(email: string): Promise<{ token: string }> {
    const { body } = await app.post<Session>('/v1/auth/login', { body: { email, password: DEMO_PASSWORD } });
    return { token: body.access_token };
  }

  /** Another administrator, to whom things may happen. */
  async function administrator(email: string, org = 'acme') {
    const id = await addPerson(engine, { email, role: 'admin', org });
    const sender = await signInAs(email);
    const set = (assignment: string) => engine.place.query(`update users set ${assignment} where id = ${id}`);
    return { id, sender, set };
  }

  describe('making one', () => {
    test('answers with the key, where it is, and what it may do', async () => {
      const answer = await app.post<CreatedKey>('/v1/api-keys', {
        as: 'ada',
        body: {
          name: 'ci',
          scopes: ['write:orders', 'read:orders'],
          expires_at: '2030-01-01T01:00:00+01:00',
        },
      });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('location')).toBe(`/v1/api-keys/${answer.body.id}`);
      expect(answer.body).toEqual({
        id: expect.any(Number),
        name: 'ci',
        key: expect.stringMatching(SHAPE),
        scopes: ['read:orders', 'write:orders'],
        expires_at: '2030-01-01T00:00:00.000Z',
      });
      expect(answer.body.key).toMatch(new RegExp(`^pk_${answer.body.id}_`));
    });

    test('shows it this once: the list has what it begins with, and the database a hash', async () => {
      const { id, key } = await create({ name: 'once' });
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
      const hash = createHash('sha256').update(secretOf(key)).digest('base64url');
      expect(row?.['secret_hash']).toBe(hash);
      for (const shown of [text, JSON.stringify(row)]) expect(shown).not.toContain(secretOf(key));
      expect(text).not.toContain(hash);
    });

    test('is written to the log of events, without the secret', async () => {
      const { result, events } = await eventsSince(() => create({ name: 'told' }));
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

    test('gives the same through GraphQL, with the person it acts for', async () => {
      const answer = await app.graphql<{ createApiKey: CreatedKey & { expiresAt: string } }>(
        `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { id name key scopes expiresAt } }`,
        { input: { name: 'graph', scopes: ['read:users'], expiresAt: '2030-01-01T00:00:00Z' } },
        { as: 'ada' },
      );
      expect(answer.body).toEqual({
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
      const { id } = answer.body.data?.createApiKey ?? {};
      expect(found.body.data?.apiKeys.nodes.find((node) => node.id === String(id))).toEqual({
        id,
        ownerId: '1',
        owner: { id: '1', email: 'ada@acme.test' },
      });
    });

    test.each([
      ['no name', { name: undefined }, ['name']],
      ['an empty name', { name: '' }, ['name']],
      ['a name of 101 characters', { name: 'n'.repeat(101) }, ['name']],
      ['a name that is a number', { name: 7 }, ['name']],
      ['a name with a NUL', { name: 'a\0b' }, ['name']],
      ['a name with a line break', { name: 'a\nb' }, ['name']],
      ['no scopes', { scopes: undefined }, ['scopes']],
      ['an empty list of scopes', { scopes: [] }, ['scopes']],
      ['scopes that are a string', { scopes: 'read:orders' }, ['scopes']],
      ['a scope that is null', { scopes: [null] }, ['scopes.0']],
      ['an unknown scope', { scopes: ['read:orders', 'read:everything'] }, ['scopes.1']],
      ['scopes named like members of objects', { scopes: ['__proto__', 'has'] }, ['scopes.0', 'scopes.1']],
      ['more scopes than there are', { scopes: Array(33).fill('read:orders') }, ['scopes']],
      ['an end that is now', { expires_at: '2026-09-01T12:00:00.000Z' }, ['expires_at']],
      ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
      ['an end that is no time', { expires_at: 'tomorrow' }, ['expires_at']],
      ['an end that is a number', { expires_at: 1893456000 }, ['expires_at']],
      ['an end beyond four digits of years', { expires_at: '9999-12-31T23:59:59-01:00' }, ['expires_at']],
      ['an end on a day that is not', { expires_at: '2030-02-30T00:00:00Z' }, ['expires_at']],
      ['a member that is not known', { scope: 'read:orders' }, ['scope']],
      [
        'several things',
        { name: 'a\n', scopes: ['x'], expires_at: '2020-01-01T00:00:00Z' },
        ['name', 'scopes.0', 'expires_at'],
      ],
    ])('with %s is refused, and named', async (_name, wish, paths) => {
      const body = { name: 'refused', scopes: ['read:orders'], ...wish };
      const { events } = await eventsSince(async () => {
        const answer = await app.post('/v1/api-keys', { as: 'ada', body });
        expectError(answer, { status: 422, code: 'validation_failed', paths });
      });
      expect(events).toEqual([]);
    });

    test('names of 1 and of 100 characters in any script are kept as they are', async () => {
      for (const name of ['k', '鍵'.repeat(100), 'clé d’accès 🔑']) {
        expect((await create({ name })).name).toBe(name);
      }
    });

    test('takes an administrator', async () => {
      for (const as of ['ed', 'vic'] as const) {
        const answer = await app.post('/v1/api-keys', { as, body: { name: 'x', scopes: ['read:orders'] } });
        expectError(answer, { status: 403, code: 'insufficient_role' });
        expectError(await app.get('/v1/api-keys', { as }), { status: 403, code: 'insufficient_role' });
      }
    });

    test('takes a token that may, and gives no scope that this token does not carry', async () => {
      const cut = await app.signIn('ada', ['read:orders', 'write:orders']);
      expectError(await app.get('/v1/api-keys', { as: cut }), { status: 403, code: 'insufficient_scope' });

      const narrow = await app.signIn('ada', ['read:orders', 'manage:api-keys']);
      const body = { name: 'more', scopes: ['read:orders', 'write:users'] };
      const answer = await app.post('/v1/api-keys', { as: narrow, body });
      expectError(answer, { status: 422, code: 'validation_failed', paths: ['scopes.1'] });
      await create({ scopes: ['read:orders'] }, narrow);
    });
  });

  describe('making one with a key', () => {
    const ends = (minutes: number) => new Date(app.clock().getTime() + minutes * MINUTE).toISOString();
    const wish = (end?: string | null) => ({
      name: 'heir',
      scopes: ['manage:api-keys'],
      ...(end !== undefined && { expires_at: end }),
    });
    const send = (key: string, end?: string | null) =>
      app.post<CreatedKey>('/v1/api-keys', { ...withKey(key), body: wish(end) });

    test('gives none that outlives it', async () => {
      const { key } = await create({ scopes: ['manage:api-keys'], expires_at: ends(10) });
      const later = new Date(Date.parse(ends(10)) + 1).toISOString();
      const { events } = await eventsSince(async () => {
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
        const answer = await send(key, end);
        expect([answer.status, answer.body.expires_at]).toEqual([201, end]);
      }
      const { body: heir } = await send(key, ends(9));
      expectError(await send(heir.key, ends(10)), {
        status: 422,
        code: 'validation_failed',
        paths: ['expires_at'],
      });
    });

    test('that has no end gives any, and so does a sign-in, which ends sooner', async () => {
      const { key } = await create({ scopes: ['manage:api-keys'] });
      for (const end of [undefined, ends(1000)]) expect((await send(key, end)).status).toBe(201);
      await create({ expires_at: ends(1000) });
      await create();
    });
  });

  describe('an administrator who is none any more', () => {
    test.each([
      { how: 'demoted', set: "role = 'editor'" },
      { how: 'removed', set: 'removed_at = created_at' },
    ])('$how: neither makes nor ends keys with the rest of a token', async ({ how, set }) => {
      const former = await administrator(`${how}@acme.test`);
      const { id: own } = await create({}, former.sender);
      const { id, key } = await create({ scopes: ['read:orders'] });
      const { id: ended } = await create();
      await app.delete(`/v1/api-keys/${ended}`, { as: 'ada' });
      await former.set(set);

      const as = former.sender;
      const graph = (mutation: string) => app.graphql(`mutation { ${mutation} }`, {}, { as });
      const body = { name: 'back door', scopes: ['read:orders'] };
      const { events } = await eventsSince(async () => {
        for (const answer of [
          await app.post('/v1/api-keys', { as, body }),
          await app.delete(`/v1/api-keys/${id}`, { as }),
          await app.delete(`/v1/api-keys/${own}`, { as }),
          await app.delete(`/v1/api-keys/${ended}`, { as }),
        ]) {
          expectError(answer, { status: 403, code: 'insufficient_role' });
        }
        const made = await graph('createApiKey(input: { name: "x", scopes: ["read:orders"] }) { key }');
        const revoked = await graph(`revokeApiKey(id: ${id})`);
        expect([codesOf(made), codesOf(revoked)]).toEqual([['insufficient_role'], ['insufficient_role']]);
      });
      expect(events).toEqual([]);
      expect((await list()).some(({ id: each }) => each > ended)).toBe(false);
      expect((await app.get('/v1/products', withKey(key))).status).toBe(200);
    });
  });

  describe('the list', () => {
    test('goes on page by page, and is the own organisation’s only', async () => {
      const foreign = await create({ name: 'of globex' }, 'gil');
      for (let n = 0; n < 3; n += 1) await create();
      const ids: number[] = [];
      let query = '';
      for (let next: string | null = ''; next !== null; query = `&cursor=${next}`) {
        const { body } = await app.get<CursorPage<ListedKey>>(`/v1/api-keys?limit=2${query}`, { as: 'ada' });
        expect(body.data.length).toBeLessThanOrEqual(2);
        ids.push(...body.data.map((key) => key.id));
        next = body.next_cursor;
      }
      expect(ids).toEqual((await list()).map((key) => key.id));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(ids).not.toContain(foreign.id);
      expect((await list('gil')).map((key) => key.id)).toEqual([foreign.id]);
    });

    test('takes no cursor of another list', async () => {
      const { body } = await app.get<CursorPage<unknown>>('/v1/products?limit=1', { as: 'ada' });
      const answer = await app.get(`/v1/api-keys?cursor=${body.next_cursor}`, { as: 'ada' });
      expectError(answer, { status: 400, code: 'invalid_cursor' });
    });
  });

  describe('using one', () => {
    let key = '';
    beforeAll(async () => {
      ({ key } = await create({ scopes: ['read:orders'] }));
    });

    test.each([
      ['GET', '/v1/users/1/orders', undefined],
      ['GET', '/v1/orders/1', undefined],
      ['GET', '/v1/products', undefined],
      ['GET', '/v1/users/1', 'read:users'],
      ['POST', '/v1/users/1/orders', 'write:orders'],
      ['DELETE', '/v1/orders/1', 'write:orders'],
      ['GET', '/v1/api-keys', 'manage:api-keys'],
      ['POST', '/v1/api-keys', 'manage:api-keys'],
    ])('with read:orders: %s %s lacks %s', async (method, path, lacks) => {
      const answer = await app.request<ErrorBody>(method, path, withKey(key));
      if (lacks === undefined) return expect(answer.status, answer.text).toBe(200);
      expectError(answer, { status: 403, code: 'insufficient_scope' });
      expect(answer.body.error.message).toContain(`"${lacks}"`);
    });

    test.each([
      ['{ order(id: 1) { id items { product { name } } } }', undefined],
      ['{ products { nodes { id } } }', undefined],
      ['{ order(id: 1) { user { name } } }', 'read:users'],
      ['{ me { id } }', 'read:users'],
      ['mutation { deleteOrder(id: 1) }', 'write:orders'],
      ['{ apiKeys { nodes { id } } }', 'manage:api-keys'],
      ['mutation { createApiKey(input: {name: "x", scopes: ["read:orders"]}) { key } }', 'manage:api-keys'],
      ['mutation { revokeApiKey(id: 1) }', 'manage:api-keys'],
    ])('with read:orders: %s lacks %s', async (document, lacks) => {
      const answer = await app.graphql(document, {}, withKey(key));
      expect(answer.status).toBe(200);
      if (lacks === undefined) return expect(answer.body.errors).toBeUndefined();
      expect(codesOf(answer)).toEqual(['insufficient_scope']);
      expect(answer.body.errors?.[0]?.message).toContain(`"${lacks}"`);
    });

    test('acts for the person who made it, in that organisation', async () => {
      const { key: mine } = await create({ scopes: ['read:users', 'write:orders'] });
      const me = await app.graphql('{ me { id org } }', {}, withKey(mine));
      expect(me.body).toEqual({ data: { me: { id: '1', org: 'acme' } } });
      expectError(await app.get('/v1/users/4', withKey(mine)), { status: 403, code: 'forbidden' });
      const { events } = await eventsSince(async () => {
        const body = { items: [{ product_id: 1, qty: 1 }] };
        expect((await app.post('/v1/users/2/orders', { ...withKey(mine), body })).status).toBe(201);
      });
      expect(events).toEqual([expect.objectContaining({ type: 'order.created', actorId: 1, org: 'acme' })]);
    });

    test('may not rename its owner, who could not be told from it then', async () => {
      const { key: mine } = await create({ scopes: ['read:users', 'write:orders'] });
      const answer = await app.patch('/v1/users/1', { ...withKey(mine), body: { name: 'Mallory' } });
      expectError(answer, { status: 403, code: 'forbidden' });
    });

    test('looks at the key and its owner in one statement', async () => {
      for (const spelling of ['ApiKey', 'apikey', 'APIKEY']) {
        const headers = { authorization: `${spelling} ${key}` };
        expect((await app.get('/v1/orders/1', { headers })).status).toBe(200);
        expect(app.statements.filter((name) => name !== 'apiKeys.touch')[0]).toBe('apiKeys.usable');
        expect(app.statements.filter((name) => /^(apiKeys|users)\.(?!touch)/.test(name))).toHaveLength(1);
      }
    });
  });

  describe('a key that is none', () => {
    const other = 'A'.repeat(43);

    const MALFORMED: readonly (readonly [name: string, from: (key: string, id: number) => string])[] = [
      ['another prefix', (key) => key.replace('pk_', 'sk_')],
      ['its prefix in capitals', (key) => key.replace('pk_', 'PK_')],
      ['no prefix', (key) => key.replace('pk_', '')],
      ['only the secret', secretOf],
      ['the id of no key', (key) => key.replace(/^pk_\d+/, 'pk_999999')],
      ['the id of another key', (key, id) => key.replace(/^pk_\d+/, `pk_${id - 1}`)],
      ['the id 0', (key) => key.replace(/^pk_\d+/, 'pk_0')],
      ['an id with a zero before', (key) => key.replace('pk_', 'pk_0')],
      ['an id below 0', (key) => key.replace('pk_', 'pk_-')],
      ['an id with a fraction', (key) => key.replace(/^pk_(\d+)/, 'pk_$1.0')],
      ['an id with an exponent', (key) => key.replace(/^pk_(\d+)/, 'pk_$1e0')],
      ['an id in another base', (key, id) => key.replace(/^pk_\d+/, `pk_0x${id.toString(16)}`)],
      ['an id beyond exact integers', (key) => key.replace(/^pk_\d+/, 'pk_9007199254740993')],
      ['an id beyond 64 bits', (key) => key.replace(/^pk_\d+/, 'pk_99999999999999999999')],
      ['no id', (key) => key.replace(/^pk_\d+_/, 'pk__')],
      ['another secret', (key) => key.replace(secretOf(key), other)],
      ['the secret in other case', (key) => key.replace(secretOf(key), swapCase(secretOf(key)))],
      ['no secret', (key) => key.replace(secretOf(key), '')],
      ['its last character missing', (key) => key.slice(0, -1)],
      ['its second half missing', (key) => key.slice(0, 20)],
      ['one character more', (key) => `${key}A`],
      ['padding', (key) => `${key}=`],
      ['the last character in another spelling', (key) => key.replace(/.$/, nextSpelling)],
      ['the key twice', (key) => `${key}.${key}`],
      [
        'the hash of the secret',
        (key) => key.replace(secretOf(key), createHash('sha256').update(secretOf(key)).digest('base64url')),
      ],
      ['10 KB', (key) => key + 'A'.repeat(10_240)],
      ['an id of 10 KB', (key) => key.replace('pk_', `pk_${'1'.repeat(10_240)}`)],
      ['SQL', (key) => `${key}'--`],
      ['a quoted key', (key) => `"${key}"`],
      ['a space within', (key) => key.replace('_', ' _')],
      ['a list', (key) => `${key}, ${key}`],
      ['nothing', () => ''],
    ];

    describe.each(DOORS)('over $name', (door) => {
      let id = 0;
      let key = '';
      beforeAll(async () => {
        await create();
        ({ id, key } = await create({ scopes: ['read:users'] }));
      });

      test.each(MALFORMED)('with %s', async (_name, from) => {
        expectRefused(await door.ask(app, `ApiKey ${from(key, id)}`));
        expect(app.statements.filter(isBesideKeys)).toEqual([]);
        expect((await door.ask(app, `ApiKey ${key}`)).status).toBe(200);
      });

      test.each([
        ['as a Bearer token', (key: string) => `Bearer ${key}`],
        ['under the name of another scheme', (key: string) => `Basic ${key}`],
        ['without a scheme', (key: string) => key],
        ['beside its scheme', (key: string) => `ApiKey=${key}`],
      ])('that is sent %s', async (_name, header) => {
        expectRefused(await door.ask(app, header(key)));
      });

      test('with characters that are not ASCII', async () => {
        for (const sent of [`${key}é`, key.replace('p', 'р'), `${key}\u200b`, '🔑']) {
          expectRefused(await door.askRaw(app, [`Authorization: ApiKey ${sent}`]));
        }
      });

      test('unknown, revoked and wrong ones get the same answer', async () => {
        const { id: doomed, key: own } = await create({ scopes: ['read:users'] });
        const wrong = await door.ask(app, `ApiKey ${own.replace(secretOf(own), other)}`);
        const unknown = await door.ask(app, `ApiKey pk_999999_${other}`);
        await app.delete(`/v1/api-keys/${doomed}`, { as: 'ada' });
        const revoked = await door.ask(app, `ApiKey ${own}`);
        const revokedAndWrong = await door.ask(app, `ApiKey ${own.replace(secretOf(own), other)}`);
        for (const reply of [unknown, revoked, revokedAndWrong]) expect(reply).toEqual(wrong);
        expectRefused(wrong);
      });
    });
  });

  describe.each(DOORS)('the end of a key over $name', (door) => {
    const works = async (key: string) => {
      const reply = await door.ask(app, `ApiKey ${key}`);
      expect(reply.status, reply.text).toBe(200);
      expect(codeIn(reply)).toBeUndefined();
    };

    test('comes to the millisecond at the time that was set', async () => {
      const end = new Date(app.clock().getTime() + 10 * MINUTE);
      const { key } = await create({ scopes: ['read:users'], expires_at: end.toISOString() });
      wait(10 * MINUTE - 1);
      await works(key);
      wait(1);
      expectRefused(await door.ask(app, `ApiKey ${key}`), 'token_expired');
      // Who only guesses is not told that there was such a key.
      expectRefused(await door.ask(app, `ApiKey ${key.replace(secretOf(key), 'A'.repeat(43))}`));
    });

    test('comes at once when it is revoked, and only once', async () => {
      const { id, key } = await create({ scopes: ['read:users'] });
      await works(key);
      const revoke = () => app.delete(`/v1/api-keys/${id}`, { as: 'ada' });

      const first = await eventsSince(revoke);
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
      wait(MINUTE);
      const again = await eventsSince(revoke);
      expect(again.result.status).toBe(204);
      expect(again.events).toEqual([]);
      expect((await listed(id))?.revoked_at).toBe(revokedAt);
    });

    test('is not the end of another key', async () => {
      const [ended, kept] = [
        await create({ scopes: ['read:users'] }),
        await create({ scopes: ['read:users'] }),
      ];
      await app.delete(`/v1/api-keys/${ended.id}`, { as: 'ada' });
      await works(kept.key);
    });

    test('comes when its owner is removed, or leaves for another organisation', async () => {
      const email = `leaving-${door.name.toLowerCase()}@globex.test`;
      const owner = await administrator(email, 'globex');
      const { id, key } = await create({ scopes: ['read:users', 'read:orders'] }, owner.sender);
      const open = async () => (await app.get('/v1/products', withKey(key))).status;
      expect(await open()).toBe(200);
      await owner.set("org = 'acme'");
      expectRefused(await door.ask(app, `ApiKey ${key}`));
      await owner.set("org = 'globex'");
      expect(await open()).toBe(200);
      await owner.set('removed_at = created_at');
      expectRefused(await door.ask(app, `ApiKey ${key}`));
      expect(await open()).toBe(401);
      // Those who stay still see it, and whose it was.
      const answer = await app.graphql<{ apiKeys: { nodes: readonly { id: string; owner: unknown }[] } }>(
        '{ apiKeys(first: 100) { nodes { id owner { id } } } }',
        {},
        { as: 'gil' },
      );
      const node = answer.body.data?.apiKeys.nodes.find((one) => one.id === String(id));
      expect(node).toEqual({ id: String(id), owner: { id: String(owner.id) } });
    });
  });

  test('a change of its owner’s role counts from the next request on, both ways', async () => {
    const owner = await administrator('changing@acme.test');
    const scopes = ['read:orders', 'write:orders', 'write:users', 'manage:api-keys'];
    const { key } = await create({ scopes }, owner.sender);
    const body = { items: [{ product_id: 1, qty: 1 }] };
    const attempts = async () => ({
      read: (await app.get('/v1/orders/1', withKey(key))).status,
      order: (await app.post('/v1/users/1/orders', { ...withKey(key), body })).status,
      rename: (await app.patch('/v1/users/3', { ...withKey(key), body: { name: 'Vic' } })).status,
      keys: (await app.get('/v1/api-keys', withKey(key))).status,
    });
    const all = { read: 200, order: 201, rename: 200, keys: 200 };

    expect(await attempts()).toEqual(all);
    await owner.set("role = 'editor'");
    expect(await attempts()).toEqual({ ...all, rename: 403, keys: 403 });
    await owner.set("role = 'viewer'");
    expect(await attempts()).toEqual({ read: 200, order: 403, rename: 403, keys: 403 });
    const answer = await app.post<ErrorBody>('/v1/users/1/orders', { ...withKey(key), body });
    expectError(answer, { status: 403, code: 'insufficient_scope' });
    expect(answer.body.error.message).toContain('"write:orders"');
    expectError(await app.get('/v1/api-keys', withKey(key)), { status: 403, code: 'insufficient_role' });
    await owner.set("role = 'admin'");
    expect(await attempts()).toEqual(all);
  });

  describe('revoking', () => {
    test.each([
      ['a key of another organisation', (foreign: number) => String(foreign), 403, 'forbidden'],
      ['a key that never was', () => '999999', 404, 'not_found'],
      ['what cannot be a key', () => 'pk_1', 400, 'invalid_parameter'],
      ['an id that is too large', () => '99999999999999999999', 400, 'invalid_parameter'],
    ])('%s is refused over REST', async (_name, idOf, status, code) => {
      const foreign = await create({}, 'gil');
      const { events } = await eventsSince(async () => {
        const answer = await app.delete(`/v1/api-keys/${idOf(foreign.id)}`, { as: 'ada' });
        expectError(answer, { status, code, ...(status === 400 && { paths: ['api_key_id'] }) });
      });
      expect(events).toEqual([]);
      expect((await listed(foreign.id, 'gil'))?.revoked_at).toBeNull();
    });

    test.each([
      ['a key of another organisation', (foreign: number) => String(foreign), 'forbidden'],
      ['a key that never was', () => '999999', 'not_found'],
      ['what cannot be a key', () => 'pk_1', 'not_found'],
    ])('%s is refused over GraphQL', async (_name, idOf, code) => {
      const foreign = await create({}, 'gil');
      const variables = { id: idOf(foreign.id) };
      const answer = await app.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) }', variables, {
        as: 'ada',
      });
      expect(codesOf(answer)).toEqual([code]);
    });

    test('gives the id over GraphQL, also again', async () => {
      const { id } = await create();
      for (let times = 0; times < 2; times += 1) {
        const answer = await app.graphql(`mutation { revokeApiKey(id: ${id}) }`, {}, { as: 'ada' });
        expect(answer.body).toEqual({ data: { revokeApiKey: String(id) } });
      }
    });

    test('ten times at once writes one event', async () => {
      const { id } = await create();
      const { result, events } = await eventsSince(() =>
        Promise.all(Array.from({ length: 10 }, () => app.delete(`/v1/api-keys/${id}`, { as: 'ada' }))),
      );
      expect(result.map((answer) => answer.status)).toEqual(Array(10).fill(204));
      expect(events.map((event) => event.type)).toEqual(['api_key.revoked']);
    });
  });

  describe('the last use', () => {
    const use = async (key: string) => expect((await app.get('/v1/orders/1', withKey(key))).status).toBe(200);
    const lastUse = async (id: number) => (await listed(id))?.last_used_at ?? null;

    test('is written, and once a minute is enough', async () => {
      const { id, key } = await create();
      const first = app.clock();
      await Promise.all(Array.from({ length: 10 }, () => use(key)));
      await expect.poll(() => lastUse(id)).toBe(first.toISOString());

      wait(MINUTE - 1);
      await use(key);
      expect(app.statements).not.toContain('apiKeys.touch');
      expect(await lastUse(id)).toBe(first.toISOString());

      wait(1);
      await use(key);
      await expect.poll(() => lastUse(id)).toBe(app.clock().toISOString());
    });

    test('is not written for a key that was refused', async () => {
      const { id, key } = await create({ expires_at: new Date(app.clock().getTime() + 1).toISOString() });
      wait(1);
      expect((await app.get('/v1/orders/1', withKey(key))).status).toBe(401);
      expect((await app.get('/v1/orders/1', withKey(`pk_${id}_${'A'.repeat(43)}`))).status).toBe(401);
      expect(await lastUse(id)).toBeNull();
    });

    test('when it cannot be written, the request does not notice and the operator does', async () => {
      const { id, key } = await create();
      const failures = () => app.log.filter((line) => line.includes('use of an API key could not be noted'));
      await engine.place.query(REFUSE_WRITES[engine.name]);
      await Promise.all(Array.from({ length: 5 }, () => use(key)));
      await expect.poll(failures).toHaveLength(1);
      // It is not tried again with each request, but after the minute.
      await use(key);
      expect(failures()).toHaveLength(1);

      await engine.place.query(ALLOW_WRITES[engine.name]);
      wait(MINUTE);
      await use(key);
      await expect.poll(() => lastUse(id)).toBe(app.clock().toISOString());
    });
  });

  test('the log says who called by id, and never shows a key', async () => {
    const { id, key } = await create({ scopes: ['read:users', 'manage:api-keys'] });
    const callers = () =>
      app.log
        .map((line): { route?: string; principal?: unknown } => JSON.parse(line))
        .filter(({ route }) => route === '/v1/users/:user_id')
        .map(({ principal }) => principal);
    const before = callers().length;
    await app.get('/v1/users/1', withKey(key));
    await app.get('/v1/users/1', { as: 'vic' });
    await app.get('/v1/users/1', withKey(`${key}x`));
    await app.get('/v1/users/1');
    await expect
      .poll(() => callers().slice(before))
      .toEqual([{ kind: 'api_key', id }, { kind: 'user', id: 3 }, undefined, undefined]);

    await app.graphql('{ me { id } }', {}, withKey(key));
    await app.graphql('{ me { nothing } }', {}, withKey(key));
    await app.request('GET', `/v1/users/${key}`, withKey(key));
    await app.delete(`/v1/api-keys/${id}`, withKey(key));
    await app.get('/v1/users/1', withKey(key));
    const log = app.log.join('');
    expect(log).toContain('/v1/api-keys/:api_key_id');
    for (const secret of [secretOf(key), createHash('sha256').update(secretOf(key)).digest('base64url')]) {
      expect(log).not.toContain(secret);
    }
  });
});

describeEachEngine('a server that stops', (engine) => {
  const app = startApp(engine);

  test('has written when its keys were last used before it lets go of the database', async () => {
    const body = { name: 'last', scopes: ['read:orders'] };
    const { body: made } = await app.post<CreatedKey>('/v1/api-keys', { as: 'ada', body });
    if (engine.name === 'postgres') await engine.place.query(SLOW_WRITES);
    expect((await app.get('/v1/orders/1', withKey(made.key))).status).toBe(200);
    await app.stop();
    const [row] = await engine.place.query(`select last_used_at from api_keys where id = ${made.id}`);
    expect(row?.['last_used_at']).not.toBeNull();
  });
});

/** On SQLite nothing runs beside writing that could overtake it. */
const SLOW_WRITES = `
  create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
  create trigger slowly before update of last_used_at on api_keys for each row execute function slowly()`;

/** Gets in the way of writing the last use, and of nothing else. */
const REFUSE_WRITES = {
  sqlite: `create trigger in_the_way before update of last_used_at on api_keys begin select raise(abort, 'no'); end`,
  postgres: `
    create function in_the_way() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger in_the_way before update of last_used_at on api_keys for each row execute function in_the_way()`,
};
const ALLOW_WRITES = { sqlite: 'drop trigger in_the_way', postgres: 'drop trigger in_the_way on api_keys' };

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

/** The same bytes: the last of 43 characters has 2 bits that mean nothing. */
function nextSpelling(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
