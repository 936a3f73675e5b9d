/** Outcomes under idempotency keys that a former version has stored, whose rows lack the columns that were added since. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'devalue';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { CHARGE, postCharge } from '../support/fixtures/charges.ts';
import { ROOT } from '../support/process.ts';
import type { Charge } from '../support/response-bodies.ts';

const REFUND = `mutation ($id: ID!, $key: String!) {
  refundCharge(id: $id, idempotencyKey: $key) { id status amountRefunded { value currency } }
}`;

describeEachEngine('an outcome of a former version', (engine) => {
  const app = startApp(engine);

  /** Removes members of the stored row. */
  async function forget(key: string, members: readonly string[]): Promise<void> {
    const where = `where key = '${key}'`;
    const [record] = await engine.place.query(`select outcome from idempotency_records ${where}`);
    const { value } = parse(Object(record).outcome);
    for (const member of members) {
      expect(value).toHaveProperty(member);
      delete value[member];
    }
    await engine.place.query(
      `update idempotency_records set outcome = '${stringify({ value }).replaceAll("'", "''")}' ${where}`,
    );
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
});

/**
 * The columns that a migration has added to a table and that cannot be null. If an outcome under an idempotency key is a row of the
 * table, `src/idempotency/former-outcomes.ts` has its former value, and a test above forgets it.
 */
const ADDED = {
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
