/** Outcomes under idempotency keys that a former version has stored, whose rows lack the columns that were added since. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'devalue';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { CHARGE, postCharge } from '../support/fixtures/charges.ts';
import { addWebhook } from '../support/fixtures/webhooks.ts';
import { ROOT } from '../support/process.ts';
import type { Charge } from '../support/response-bodies.ts';

const REFUND = `mutation ($id: ID!, $key: String!) {
  refundCharge(id: $id, idempotencyKey: $key) { id status amountRefunded { value currency } }
}`;

interface NewSecret {
  readonly secret: string;
  readonly formerSecretUntil: string;
}

const NEW_SECRET = `mutation ($id: ID!, $key: String!) {
  createWebhookSecret(webhookId: $id, idempotencyKey: $key) { id secret formerSecretUntil webhook { id url version } }
}`;

describeEachEngine('an outcome of a former version', (engine) => {
  const app = startApp(engine);

  /** Stores another outcome. One with secrets may be plaintext, as before outcomes were sealed. */
  async function store(key: string, value: unknown): Promise<void> {
    const outcome = stringify({ value }).replaceAll("'", "''");
    await engine.place.query(`update idempotency_records set outcome = '${outcome}' where key = '${key}'`);
  }

  /** Removes members of the stored row. */
  async function forget(key: string, members: readonly string[]): Promise<void> {
    const query = `select id, org, outcome from idempotency_records where key = '${key}'`;
    const { id, org, outcome } = Object((await engine.place.query(query))[0]);
    const text = await app.keys.createVault().open(outcome, `idempotency_records/${org}/${id}/outcome`);
    const { value } = parse(text);
    for (const member of members) {
      expect(value).toHaveProperty(member);
      delete value[member];
    }
    await store(key, value);
  }

  const SINCE = ['amountRefunded', 'amountReserved'];

  test('is replayed for a charge without the amounts of refunds', async () => {
    const first = await postCharge<Charge>(app, { key: 'former-charge', body: CHARGE });
    await forget('former-charge', SINCE);
    const again = await postCharge<Charge>(app, { key: 'former-charge', body: CHARGE });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('is replayed for a refund of the whole charge', async () => {
    const { body } = await postCharge<Charge>(app, { key: 'refunded-charge', body: CHARGE });
    const refund = () => app.graphql(REFUND, { id: body.id, key: 'former-refund' }, { as: 'ada' });
    const first = await refund();
    expect(first.body).toMatchObject({ data: { refundCharge: { status: 'refunded' } } });
    await forget('former-refund', SINCE);
    expect((await refund()).body).toMatchObject(first.body);
  });

  test('is replayed for an app without addresses to go to after a sign-out', async () => {
    const body = { name: 'Former', type: 'native', scopes: ['read:orders'] };
    const create = () =>
      app.post('/v1/apps', { as: 'ada', body, headers: { 'idempotency-key': 'former-app' } });
    const first = await create();
    await forget('former-app', ['postLogoutRedirectUris']);
    expect((await create()).body).toEqual(first.body);
  });

  test('is replayed for a new secret without the row of its webhook, which is read until it is deleted', async () => {
    const { id } = await addWebhook(app);
    const replace = () =>
      app.graphql<{ createWebhookSecret: NewSecret }>(
        NEW_SECRET,
        { id, key: 'former-secret' },
        { as: 'ada' },
      );
    const first = await replace();
    const { secret, formerSecretUntil } = first.body.data?.createWebhookSecret ?? {};
    await store('former-secret', { id, secret, formerSecretUntil: new Date(formerSecretUntil ?? '') });
    expect((await replace()).body).toMatchObject({ data: first.body.data });
    expect((await app.delete(`/v1/webhooks/${id}`, { as: 'ada' })).status).toBe(204);
    expect(codesOf(await replace())).toEqual(['not_found']);
  });
});

/**
 * The columns that a migration has added to a table and that cannot be null. If an outcome under an idempotency key is a row of the
 * table, `src/idempotency/former-outcomes.ts` has its former value, and a test above forgets it.
 */
const ADDED = {
  'apps.post_logout_redirect_uris': 'tested above',
  'charges.amount_refunded': 'tested above',
  'charges.amount_reserved': 'tested above',
  'products.version': 'products were not created under a key before',
  'users.kind': 'people were not created under a key before',
};

test('every added column that cannot be null has a former value', () => {
  const folder = join(ROOT, 'src/db/postgres/migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const added = files.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /ALTER TABLE "(\w+)" ADD COLUMN "(\w+)" [^;]* NOT NULL/g,
      ),
    ].map(([, table, column]) => `${table}.${column}`),
  );
  expect(
    added.toSorted(),
    'Give outcomes the value in src/idempotency/former-outcomes.ts, forget the column in a test above, and add it to ADDED in order.',
  ).toEqual(Object.keys(ADDED).toSorted());
});
