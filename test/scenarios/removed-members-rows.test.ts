/** What remains of a removed member: each column that refers to a user has a decision, and rows without a purpose end. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { postgresTables } from '../../src/db/postgres/columns.ts';
import { startApp } from '../support/app.ts';
import { getTableConfig, getTableName } from '../support/drizzle.ts';
import { describeEachEngine } from '../support/engines.ts';
import { pathOf, writeDocument } from '../support/fixtures/documents.ts';
import { addMember, signIn } from '../support/fixtures/members.ts';
import { addGrant } from '../support/fixtures/rows.ts';

/** A reason to keep the rows of removed users, or how they end: `deleted`, or the column that is set. */
const KEPT = {
  'orders.user_id': 'Past orders.',
  'order_counts.user_id': 'The number of past orders.',
  'charges.user_id': 'Past charges.',
  'refunds.user_id': 'Past refunds.',
  'documents.author_id': 'Documents belong to the organisation.',
  'events.actor_id': 'The log.',
  'audit_entries.actor_id': 'The log.',
  'deprecated_uses.actor_id': 'Past use.',
  'api_keys.user_id': 'Listed with their owner. They are refused, since their owner was removed.',
  'client_certificates.user_id': 'As for API keys.',
  'link_tokens.user_id': 'Refused, since their user was removed; deleted when they expire.',
  'installations.user_id': 'The member of an app is removed together with its installation.',
} as const;

const ENDED = {
  'shares.user_id': 'deleted',
  'sessions.user_id': 'revoked_at',
  'grants.user_id': 'revoked_at',
  'invitations.invited_by_id': 'revoked_at',
} as const;

test('each column that refers to a user has a decision', () => {
  const references = Object.values(postgresTables).flatMap((table) =>
    getTableConfig(table).foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference();
      const [column] = columns;
      return foreignTable === postgresTables.users && column ? [`${getTableName(table)}.${column.name}`] : [];
    }),
  );
  expect(references.toSorted()).toEqual(Object.keys({ ...KEPT, ...ENDED }).toSorted());
});

describeEachEngine('a member who leaves', (engine) => {
  const app = startApp(engine);

  /** The numbers of current rows of a user, by column. */
  const currentRows = async (id: number): Promise<Record<string, number>> => {
    const counts: [string, number][] = [];
    for (const [reference, end] of Object.entries(ENDED)) {
      const [table, column] = reference.split('.');
      const isCurrent = end === 'deleted' ? '' : `and ${end} is null`;
      const rows = await engine.place.query(`select id from ${table} where ${column} = ${id} ${isCurrent}`);
      counts.push([reference, rows.length]);
    }
    return Object.fromEntries(counts);
  };

  async function addBusyAdministrator(): Promise<number> {
    const member = await addMember(app, 'admin');
    const { id } = member;
    const { token } = await signIn(app, member);
    const document = await writeDocument(app);
    await app.post(`${pathOf(document)}/shares`, { as: 'ada', body: { user_id: id, relation: 'reader' } });
    const invitation = await app.post('/v1/orgs/acme/invitations', {
      as: { token },
      body: { email: `${randomUUID()}@people.test`, role: 'viewer' },
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(invitation.status, invitation.text).toBe(201);
    const body = {
      name: 'Ledger',
      type: 'web',
      scopes: ['read:orders'],
      redirect_uris: ['https://a.example/'],
    };
    const made = await app.post<{ id: number }>('/v1/apps', { as: 'ada', body });
    const grant = await addGrant(engine, made.body.id);
    await engine.place.query(`update grants set user_id = ${id} where id = ${grant}`);
    expect(await currentRows(id)).toEqual(Object.fromEntries(Object.keys(ENDED).map((name) => [name, 1])));
    return id;
  }

  const NONE = Object.fromEntries(Object.keys(ENDED).map((name) => [name, 0]));

  test('has no current rows of these tables afterwards', async () => {
    const id = await addBusyAdministrator();
    await app.delete(`/v1/orgs/acme/users/${id}`, { as: 'ada' });
    expect(await currentRows(id)).toEqual(NONE);
  });

  test('keeps the shares but not the open invitations as an editor', async () => {
    const id = await addBusyAdministrator();
    await app.patch(`/v1/orgs/acme/users/${id}`, { as: 'ada', body: { role: 'editor' } });
    expect(await currentRows(id)).toMatchObject({ 'shares.user_id': 1, 'invitations.invited_by_id': 0 });
  });

  test('makes place for other people with whom a document is shared', async () => {
    const document = await writeDocument(app);
    const { id } = await addMember(app, 'viewer');
    const shares = `${pathOf(document)}/shares`;
    await app.post(shares, { as: 'ada', body: { user_id: id, relation: 'reader' } });
    await app.delete(`/v1/orgs/acme/users/${id}`, { as: 'ada' });
    expect((await app.get(shares, { as: 'ada' })).body).toEqual({ data: [] });
  });

  test('and whose app is uninstalled, has no shares afterwards', async () => {
    const body = { name: 'Ledger', type: 'service', scopes: ['read:docs'] };
    const made = await app.post<{ id: number; client_id: string }>('/v1/apps', { as: 'ada', body });
    const [installation] = await engine.place.query(
      `select id, user_id from installations where app_id = ${made.body.id}`,
    );
    const userId = Number(installation?.['user_id']);
    const document = await writeDocument(app);
    const share = { user_id: userId, relation: 'reader' };
    expect((await app.post(`${pathOf(document)}/shares`, { as: 'ada', body: share })).status).toBe(201);
    await app.delete(`/v1/installations/${installation?.['id']}`, { as: 'ada' });
    expect(await engine.place.query(`select id from shares where user_id = ${userId}`)).toEqual([]);
  });

  test('was removed by an earlier version: the migration ends their rows, and only theirs', async () => {
    const [removed, demoted, present] = [
      await addBusyAdministrator(),
      await addBusyAdministrator(),
      await addBusyAdministrator(),
    ];
    await engine.place.query(`update users set removed_at = created_at where id = ${removed}`);
    await engine.place.query(`update users set role = 'editor' where id = ${demoted}`);
    // The clock of the suite is fixed, but migrations use that of the database.
    const later = engine.name === 'sqlite' ? '32503680000000' : "timestamptz '3000-01-01T00:00:00Z'";
    await engine.place.query(`update invitations set expires_at = ${later}`);
    const file = `../../src/db/${engine.name}/migrations/0021_removed_users.sql`;
    const statements = (await readFile(new URL(file, import.meta.url), 'utf8')).split(
      '--> statement-breakpoint',
    );
    for (const statement of statements)
      if (/^(delete|update)/im.test(statement)) await engine.place.query(statement);
    const columns = ['shares.user_id', 'invitations.invited_by_id'] as const;
    const rows = await Promise.all([removed, demoted, present].map(currentRows));
    expect(rows.map((counts) => columns.map((column) => counts[column]))).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
  });
});
