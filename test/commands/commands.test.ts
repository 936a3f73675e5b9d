import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createKeyFile } from '../../src/auth/key-file.ts';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { manageServers } from '../support/process.ts';
import { type CommandResult, command } from './command.ts';

// Each test runs several commands and a server as processes, which is slow on a shared machine.
const servers = manageServers();

/** A database with an organisation and its first administrator, created by commands only. */
async function begin(engine: TestEngine) {
  const place = await engine.create('bare');
  const environment = { DATABASE_URL: place.url };
  const portico = (args: readonly string[], input?: string): Promise<CommandResult> =>
    command(args, { environment, ...(input !== undefined && { input }) });
  await succeeds(portico(['migrate']));
  await succeeds(portico(['org', 'add', 'initech', '--name', 'Initech']));
  const add = (name: string, role: string, ...more: string[]) => {
    const email = `${name}@initech.test`;
    return ['user', 'add', '--org', 'initech', '--email', email, '--name', name, '--role', role, ...more];
  };
  const { password } = JSON.parse((await succeeds(portico(add('bill', 'admin', '--json')))).out);
  return { place, environment, portico, add, password: String(password) };
}

async function succeeds(running: Promise<CommandResult>): Promise<CommandResult> {
  const result = await running;
  expect(result).toMatchObject({ code: 0, err: '' });
  return result;
}

/** The types and actors of the log's entries. */
async function loggedIn(place: TestDatabase) {
  const rows = await place.query('select type, actor_id from events order by id');
  return rows.map(({ type, actor_id }) => [type, actor_id]);
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describeEachEngine('commands', (engine) => {
  engine.testConcurrent(
    'create accounts and keys that a server accepts, and revoke them, with entries in the log',
    async () => {
      const { place, environment, portico, add, password } = await begin(engine);
      await succeeds(portico(add('milton', 'viewer', '--password-stdin'), 'red stapler\n'));
      const server = await servers.start({ env: { ...environment, DEMO: '0' } });
      const login = `${server.url}/v1/auth/login`;
      expect((await post(login, { email: 'bill@initech.test', password })).status).toBe(200);
      expect((await post(login, { email: 'milton@initech.test', password: 'red stapler' })).status).toBe(200);
      expect((await post(login, { email: 'milton@initech.test', password })).status).toBe(401);

      const invite = ['user', 'invite', '--org', 'initech', '--email', 'Peter@initech.test'];
      const invited = JSON.parse((await succeeds(portico([...invite, '--role', 'editor', '--json']))).out);
      expect(invited).toMatchObject({ org: 'initech', email: 'peter@initech.test', role: 'editor' });
      expect(invited.link).toMatch(/\/invitation#plt_[\w-]{43}$/);
      const again = await portico([...invite, '--role', 'editor']);
      expect([again.code, again.err]).toEqual([
        1,
        expect.stringMatching(/--email already has an open invitation/),
      ]);
      const joined = await fetch(`${server.url}/v1/auth/invitations/${invited.link.split('#')[1]}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Gibbons', password: 'two chicks at once' }),
      });
      expect(joined.status).toBe(200);
      expect(
        (await post(login, { email: 'peter@initech.test', password: 'two chicks at once' })).status,
      ).toBe(200);

      const create = ['api-key', 'create', '--owner', 'bill@initech.test', '--name', 'ci'];
      const made = await succeeds(portico([...create, '--scopes', 'read:users', '--json']));
      const { id, key, org } = JSON.parse(made.out);
      expect(org).toBe('initech');
      const list = () =>
        fetch(`${server.url}/v1/orgs/initech/users`, { headers: { authorization: `ApiKey ${key}` } });
      expect((await list()).status).toBe(200);
      // The key is limited to its scopes.
      const orders = await fetch(`${server.url}/v1/products`, {
        headers: { authorization: `ApiKey ${key}` },
      });
      expect(orders.status).toBe(403);
      await succeeds(portico(['api-key', 'revoke', String(id)]));
      expect((await list()).status).toBe(401);
      const shown = await succeeds(portico(['api-key', 'list', '--org', 'initech', '--json']));
      expect(JSON.parse(shown.out)).toMatchObject([{ id, name: 'ci', scopes: ['read:users'] }]);
      expect(shown.out).not.toContain(key);
      // No user of the organisation did it, so the entry has no actor.
      expect(await loggedIn(place)).toEqual([
        ['user.added', null],
        ['user.added', null],
        ['invitation.created', null],
        ['invitation.accepted', expect.anything()],
        ['user.added', expect.anything()],
        ['api_key.created', null],
        ['api_key.revoked', null],
      ]);
    },
  );

  test('apply the rules of the API', async () => {
    const { place, portico, add } = await begin(engine);
    const before = await loggedIn(place);
    const refused = async (args: readonly string[], said: RegExp, input?: string) => {
      const { code, out, err } = await portico(args, input);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(said);
    };
    await refused(['user', 'remove', 'bill@initech.test'], /the last administrator/);
    await refused(['user', 'set-role', 'bill@initech.test', 'viewer'], /the last administrator/);
    await refused(add('bill', 'viewer'), /--email already has an account/);
    await refused(add('x', 'viewer', '--password-stdin'), /^ {2}password must have at least 8/m, 'short');
    await refused(
      ['user', 'remove', 'unknown@initech.test'],
      /No account has the address unknown@initech\.test/,
    );
    await refused(
      ['user', 'add', '--org', 'initrode', '--email', 'a@b.test', '--name', 'A', '--role', 'admin'],
      /There is no organisation "initrode"/,
    );
    await refused(['org', 'add', 'initech', '--name', 'Again'], /The organisation "initech" already exists/);
    await refused(['org', 'add', 'In itech', '--name', ' '], /^ {2}<id> must be .*^ {2}--name must be/ms);
    const key = ['api-key', 'create', '--owner', 'bill@initech.test', '--name', 'ci'];
    await refused([...key, '--scopes', 'read:users,fly'], /--scopes, word 2, is not a scope/);
    await refused(
      [...key, '--scopes', 'read:users', '--expires-at', '2020-01-01'],
      /--expires-at must be in/,
    );
    await refused(['api-key', 'revoke', '99'], /There is no key 99/);
    expect(await loggedIn(place)).toEqual(before);
    // A key acts for a user who could create it: an administrator.
    await succeeds(portico(add('milton', 'viewer')));
    const his = ['api-key', 'create', '--owner', 'milton@initech.test', '--name', 'ci'];
    await refused(
      [...his, '--scopes', 'read:users'],
      /milton@initech\.test is not an administrator, but has the role viewer/,
    );
  });

  test('set a password, which ends existing sessions', async () => {
    const { place, portico, add } = await begin(engine);
    await succeeds(portico(add('milton', 'viewer')));
    const set = ['user', 'set-password', 'MILTON@initech.test'];
    const short = await portico([...set, '--password-stdin'], 'short');
    expect([short.code, short.err]).toEqual([1, expect.stringMatching(/^ {2}password must have 8 to 256/m)]);
    const hash = async () => (await place.query("select password_hash from users where name = 'milton'"))[0];
    const before = await hash();
    const given = await succeeds(portico([...set, '--password-stdin'], 'red swingline stapler\n'));
    expect(given.out).not.toContain('stapler');
    const after = await hash();
    expect(after).not.toEqual(before);
    const made = JSON.parse((await succeeds(portico([...set, '--json']))).out);
    expect(made).toMatchObject({
      email: 'milton@initech.test',
      password: expect.stringMatching(/^[\w-]{20}$/),
    });
    expect(await hash()).not.toEqual(after);
    expect((await loggedIn(place)).slice(2)).toEqual([
      ['user.password_changed', null],
      ['user.password_changed', null],
    ]);
  });

  test('refuse the address of an app, which has no password and no keys', async () => {
    const { place, portico } = await begin(engine);
    await place.query(`insert into users (org, email, name, role, kind, created_at, updated_at)
      select org, 'app_1.initech@apps.invalid', 'Ledger', role, 'app', created_at, updated_at from users`);
    const email = 'app_1.initech@apps.invalid';
    for (const args of [
      ['user', 'set-password', email],
      ['api-key', 'create', '--owner', email, '--name', 'ci', '--scopes', 'read:users'],
    ]) {
      const { code, err } = await portico(args);
      expect([code, err]).toEqual([1, expect.stringContaining(`No account has the address ${email}`)]);
    }
  });

  test('change roles, and remove and list users', async () => {
    const { place, portico, add } = await begin(engine);
    await succeeds(portico(add('milton', 'viewer')));
    await succeeds(portico(['user', 'set-role', 'MILTON@initech.test', 'editor']));
    const listed = await succeeds(portico(['user', 'list', '--org', 'initech']));
    expect(listed.out).toMatch(
      /^ID +EMAIL +NAME +ROLE +CREATED AT\n\d+ +bill@initech\.test +bill +admin +20/,
    );
    expect(listed.out).toMatch(/milton +editor/);
    await succeeds(portico(['user', 'remove', 'milton@initech.test']));
    const left = JSON.parse((await succeeds(portico(['user', 'list', '--org', 'initech', '--json']))).out);
    expect(left).toMatchObject([{ email: 'bill@initech.test', role: 'admin' }]);
    const orgs = await succeeds(portico(['org', 'list', '--json']));
    expect(JSON.parse(orgs.out)).toMatchObject([{ id: 'initech', name: 'Initech' }]);
    expect((await loggedIn(place)).slice(2)).toEqual([
      ['user.role_changed', null],
      ['user.removed', null],
    ]);
  });

  test('add orders to a new database, with the demo data first', async () => {
    const place = await engine.create('bare');
    const { out } = await succeeds(
      command(['seed', '--orders', '120'], { environment: { DATABASE_URL: place.url } }),
    );
    expect(out).toBe('Added 120 orders.\n');
    const [row] = await place.query('select count(*) as orders from orders');
    expect(Number(row?.['orders'])).toBe(65 + 120);
  });

  test('add nothing in production, whose accounts must not have a known password', async () => {
    const place = await engine.create('migrated');
    const environment = {
      DATABASE_URL: place.url,
      NODE_ENV: 'production',
      AUTH_KEYS_FILE: '/etc/keys.json',
    };
    const refused = await command(['seed', '--orders', '1'], { environment });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('NODE_ENV is production') });
    expect(await place.query('select id from users')).toEqual([]);
  });
});

describe('the other commands', () => {
  test('rotate the signing key, which a running server detects', async () => {
    const directory = await servers.directory();
    const file = join(directory, 'keys.json');
    await createKeyFile(file);
    const { out } = await succeeds(command(['keys', 'rotate'], { environment: { AUTH_KEYS_FILE: file } }));
    const { keys } = JSON.parse(await readFile(file, 'utf8'));
    expect(keys).toHaveLength(2);
    expect(out).toContain(keys[0].kid);
    const { code } = await command(['keys', 'rotate', '--file', file]);
    expect(code).toBe(0);
  });

  test('write a schema that can be built again', async () => {
    const directory = await servers.directory();
    await mkdir(directory, { recursive: true });
    const file = join(directory, 'schema.graphql');
    await succeeds(command(['schema', '--out', file]));
    const { out } = await succeeds(command(['schema']));
    expect(await readFile(file, 'utf8')).toBe(out);
    expect(buildSchema(out).getMutationType()?.getFields()).toHaveProperty('createOrder');
  });
});

describeEachEngine('the commands for webhooks', (engine) => {
  test('show the webhooks of an organisation and the outcomes of their deliveries', async () => {
    const place = await engine.create('bare');
    const environment = { DATABASE_URL: place.url };
    await succeeds(command(['seed', '--orders', '1'], { environment }));
    const now = engine.name === 'sqlite' ? 1_793_491_200_000 : '2026-11-01T00:00:00Z';
    const types = JSON.stringify(['order.*']);
    await place.query(
      `insert into webhooks (id, org, url, types, secret, last_event_id, last_good_at, created_at, updated_at)
       values (7, 'acme', 'https://receiver.test/hook', '${types}', 'whsec_of_nobody', 0, ${quoted(now)}, ${quoted(now)}, ${quoted(now)})`,
    );
    await place.query(
      `insert into webhook_deliveries (id, org, webhook_id, event_id, event_type, message_id, status, created_at)
       values (3, 'acme', 7, 1, 'order.created', 'msg_1', 'pending', ${quoted(now)})`,
    );
    const list = await succeeds(command(['webhook', 'list', '--org', 'acme', '--json'], { environment }));
    expect(JSON.parse(list.out)).toMatchObject([
      { id: 7, url: 'https://receiver.test/hook', types: ['order.*'] },
    ]);
    expect(list.out).not.toContain('whsec');
    const shown = await succeeds(command(['webhook', 'deliveries', '7'], { environment }));
    expect(shown.out).toMatch(
      /^ID +MESSAGE ID +TYPE .*\n3 +msg_1 +order\.created +1 +pending +2026-11-01T00:00/,
    );
    const tested = await succeeds(command(['webhook', 'test', '7'], { environment }));
    const [event] = await place.query(
      "select id from events where type = 'webhook.tested' and subject_id = 7",
    );
    expect(tested.out).toContain(
      `Event ${Number(event?.['id'])} will be sent to https://receiver.test/hook.`,
    );
    const again = await succeeds(command(['webhook', 'redeliver', '7', '3'], { environment }));
    expect(again.out).toMatch(
      /^Delivery 3 will be sent to https:\/\/receiver\.test\/hook again, as attempt \d\.$/m,
    );
    const [attempt] = await place.query('select count(*) as n from webhook_attempts where delivery_id = 3');
    expect(Number(attempt?.['n'])).toBeGreaterThan(0);
    for (const args of [
      ['deliveries', '8'],
      ['test', '8'],
      ['redeliver', '8', '3'],
    ]) {
      const missing = await command(['webhook', ...args], { environment });
      expect(missing).toMatchObject({ code: 1, err: 'There is no webhook 8.\n' });
    }
    const none = await command(['webhook', 'redeliver', '7', '999'], { environment });
    expect(none.code).toBe(1);
  });

  const quoted = (value: string | number) => (typeof value === 'number' ? value : `'${value}'`);
});
