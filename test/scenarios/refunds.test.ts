/** Partial refunds: the remaining amount, refusals, and concurrent refunds. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { makeCharge, postCharge } from '../support/fixtures/charges.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import type { Charge, CursorPage, Refund, RefundedCharge } from '../support/response-bodies.ts';
import { membersOf } from '../support/test-doubles.ts';

const usd = (value: number) => ({ value, currency: 'USD' });

describeEachEngine('refunds of a charge of 19.99', (engine) => {
  /** Called once, before the next transaction. */
  let interrupt: (() => Promise<unknown>) | undefined;
  const interrupted = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    transaction: async (...work) => {
      const now = interrupt;
      interrupt = undefined;
      await now?.();
      return database.transaction(...work);
    },
  });
  const app = startApp(engine, { around: interrupted });

  const refund = (id: number, amount?: object, key?: string) =>
    app.post<RefundedCharge>(`/v2/charges/${id}/refunds`, {
      as: 'ada',
      ...(amount && { body: { amount } }),
      ...(key && { headers: { 'idempotency-key': key } }),
    });
  const listed = async (id: number) =>
    (await app.get<{ data: Refund[] }>(`/v2/charges/${id}/refunds`, { as: 'vic' })).body.data;
  const eventsOf = async (id: number) =>
    (await app.events())
      .filter(({ subjectType, subjectId }) => subjectType === 'charge' && subjectId === id)
      .map(({ type, data }) => ({ type, data }));
  /** The minor units of a charge that the gateway returned. */
  async function returned(id: number): Promise<number> {
    const [row] = await engine.place.query(`select coalesce(-sum(p.moved), 0) as moved from sandbox_payments p
      join refunds r on p.key = r.reference where r.charge_id = ${id}`);
    return Number(row?.['moved']);
  }

  test('are listed page by page, beyond the largest page', async () => {
    const { id } = await makeCharge(app);
    await engine.place.query(`insert into refunds
      (org, charge_id, user_id, amount, currency, status, reference, created_at, updated_at)
      ${Array.from(
        { length: 103 },
        (_, n) =>
          `select org, id, user_id, 1, currency, 'succeeded', 'page-${n}', created_at, created_at from charges where id = ${id}`,
      ).join(' union all ')}`);
    const found: number[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor && `&cursor=${cursor}`;
      const { body } = await app.get<CursorPage<Refund>>(`/v2/charges/${id}/refunds?limit=100${query}`, {
        as: 'vic',
      });
      sizes.push(body.data.length);
      found.push(...body.data.map((each) => each.id));
      cursor = body.next_cursor;
    }
    expect(sizes).toEqual([100, 3]);
    expect(new Set(found).size).toBe(103);
    expect(found).toEqual(found.toSorted((a, b) => b - a));
  });

  test('in two parts: each has its row and event, and the last completes the refund', async () => {
    const { id } = await makeCharge(app);
    const first = await refund(id, usd(5));
    const made = first.body.refund;
    const location = `/v2/charges/${id}/refunds/${made.id}`;
    expect([first.status, first.headers.get('location')]).toEqual([201, location]);
    expect((await app.get(location, { as: 'vic' })).body).toEqual(made);
    expect(made).toMatchObject({ charge_id: id, amount: usd(5), status: 'succeeded', user_id: 1 });
    expect(first.body).toMatchObject({ status: 'succeeded', amount: usd(19.99), amount_refunded: usd(5) });
    const last = await refund(id);
    expect(last.body).toMatchObject({ status: 'refunded', amount: usd(19.99), amount_refunded: usd(19.99) });
    const refunds = await listed(id);
    expect(refunds).toMatchObject([
      { charge_id: id, amount: usd(14.99), status: 'succeeded', user_id: 1 },
      { charge_id: id, amount: usd(5), status: 'succeeded', user_id: 1 },
    ]);
    const [charged, partly, wholly] = await eventsOf(id);
    expect(charged?.type).toBe('charge.succeeded');
    expect(partly).toMatchObject({
      type: 'charge.partially_refunded',
      data: { status: 'succeeded', refund: { id: refunds[1]?.id, amount: usd(5) } },
    });
    expect(wholly).toMatchObject({
      type: 'charge.refunded',
      data: { status: 'refunded', refund: { id: refunds[0]?.id, amount: usd(14.99) } },
    });
    expect(await returned(id)).toBe(1999);
    expectError(await writesNothing(app, () => refund(id, usd(0.01))), {
      status: 409,
      code: 'invalid_transition',
    });
  });

  test('are read only by the id of their own charge', async () => {
    const [{ id }, other] = [await makeCharge(app), await makeCharge(app)];
    const made = (await refund(id)).body.refund;
    const missing = { status: 404, code: 'not_found' };
    expectError(await app.get(`/v2/charges/${other.id}/refunds/${made.id}`, { as: 'ada' }), missing);
    expectError(await app.get(`/v2/charges/999999/refunds/${made.id}`, { as: 'ada' }), missing);
    expectError(await app.get(`/v2/charges/${id}/refunds/999999`, { as: 'ada' }), missing);
    const { body } = await app.graphql(
      'query ($id: ID!) { charge(id: $id) { refund { id } } }',
      { id },
      { as: 'ada' },
    );
    expect(body.data).toEqual({ charge: { refund: { id: String(made.id) } } });
  });

  test('whose outcome a former version has stored without the refund have that of the charge when they are repeated', async () => {
    const { id } = await makeCharge(app);
    const key = randomUUID();
    const first = await refund(id, usd(5), key);
    const [kept] = await engine.place.query(`select outcome from idempotency_records where key = '${key}'`);
    const former = String(kept?.['outcome']).replace('"refund":', '"unknown":');
    expect(former).not.toBe(kept?.['outcome']);
    await engine.place.query(`update idempotency_records set outcome = '${former}' where key = '${key}'`);
    const again = await refund(id, usd(5), key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  test('GraphQL refunds a part, and shows it', async () => {
    const { id } = await makeCharge(app);
    const response = await app.graphql(
      `mutation ($id: ID!, $amount: MoneyInput) { refundCharge(id: $id, amount: $amount) {
        status amountRefunded { value currency } refunds { amount { value } status userId } } }`,
      { id, amount: usd(9.99) },
      { as: 'ada' },
    );
    expect(response.body.data).toEqual({
      refundCharge: {
        status: 'succeeded',
        amountRefunded: usd(9.99),
        refunds: [{ amount: { value: 9.99 }, status: 'succeeded', userId: '1' }],
      },
    });
    const over = await app.graphql(
      'mutation ($id: ID!, $amount: MoneyInput) { refundCharge(id: $id, amount: $amount) { id } }',
      { id, amount: usd(10.01) },
      { as: 'ada' },
    );
    expect(codesOf(over)).toEqual(['invalid_transition']);
  });

  describe('are refused, and write nothing,', () => {
    for (const { given, amount, paths } of [
      { given: 'of nothing', amount: usd(0), paths: ['amount.value'] },
      { given: 'below 0', amount: usd(-5), paths: ['amount.value'] },
      { given: 'of more than the charge', amount: usd(20), paths: ['amount.value'] },
      { given: 'of a fraction of a cent', amount: usd(0.001), paths: ['amount.value'] },
      { given: 'in another currency', amount: { value: 5, currency: 'EUR' }, paths: ['amount.currency'] },
      { given: 'without a currency', amount: { value: 5 }, paths: ['amount.currency'] },
      { given: 'of a number', amount: 5 as unknown as object, paths: ['amount'] },
    ]) {
      test(given, async () => {
        const { id } = await makeCharge(app);
        expectError(await writesNothing(app, () => refund(id, amount)), {
          status: 422,
          code: 'validation_failed',
          paths,
        });
      });
    }

    test('of a pending charge, unless it succeeds before the refund begins', async () => {
      await postCharge(app, { body: { amount: usd(5), source: 'tok_bad_gateway' } });
      const { data } = (await app.get<{ data: Charge[] }>('/v2/charges?limit=1', { as: 'ada' })).body;
      const id = data[0]?.id ?? 0;
      expectError(await refund(id), { status: 409, code: 'invalid_transition' });
      interrupt = () =>
        engine.place.query(
          `update charges set status = 'succeeded', payment_id = 'sandbox_late', check_at = null where id = ${id}`,
        );
      expect((await refund(id)).body).toMatchObject({ status: 'refunded', refund: { amount: usd(5) } });
    });

    test('of a declined charge', async () => {
      await postCharge(app, { body: { amount: usd(5), source: 'tok_declined' } });
      const { data } = (await app.get<{ data: Charge[] }>('/v2/charges?limit=1', { as: 'ada' })).body;
      const id = data[0]?.id ?? 0;
      expectError(await writesNothing(app, () => refund(id, usd(1))), {
        status: 409,
        code: 'invalid_transition',
      });
    });
  });

  test('with a key run once, and another amount with the same key is refused', async () => {
    const { id } = await makeCharge(app);
    const key = randomUUID();
    const first = await refund(id, usd(5), key);
    const again = await refund(id, usd(5), key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expectError(await refund(id, usd(6), key), { status: 422, code: 'idempotency_key_reused' });
    expect(await returned(id)).toBe(500);
  });

  test('50 at once never exceed the charge', async () => {
    const { id } = await makeCharge(app);
    const responses = await Promise.all(Array.from({ length: 50 }, () => refund(id, usd(3), randomUUID())));
    const codes = responses.map(({ status }) => status).toSorted();
    expect(codes).toEqual([...Array(6).fill(201), ...Array(44).fill(409)]);
    expect(await returned(id)).toBe(1800);
    expect((await app.get(`/v2/charges/${id}`, { as: 'ada' })).body).toMatchObject({
      status: 'succeeded',
      amount_refunded: usd(18),
    });
    expect((await eventsOf(id)).filter(({ type }) => type === 'charge.partially_refunded')).toHaveLength(6);
  });

  test('of the full amount at once: one succeeds, whatever the keys', async () => {
    const { id } = await makeCharge(app);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => refund(id, undefined, randomUUID())),
    );
    const succeeded = responses.filter(({ status }) => status === 201);
    expect(succeeded).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => !succeeded.includes(response))) {
      // All others got an error.
      expect([status, (body as unknown as ErrorBody).error.code]).toEqual([409, 'invalid_transition']);
    }
    expect(await returned(id)).toBe(1999);
  });

  test('of parts and of the remaining amount at once: together they equal the charge', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await makeCharge(app);
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          refund(id, index % 4 === 0 ? undefined : usd(1.5), randomUUID()),
        ),
      );
      expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
      // A refund of the remaining amount came last.
      expect(await returned(id)).toBe(1999);
      const { body } = await app.get<object>(`/v2/charges/${id}`, { as: 'ada' });
      expect(body).toMatchObject({ status: 'refunded', amount_refunded: usd(19.99) });
    }
  });

  test.each([
    { currency: 'JPY', digits: 0 },
    { currency: 'USD', digits: 2 },
    { currency: 'BHD', digits: 3 },
  ])(
    'of the largest charge in $currency at once: they end exactly at its amount',
    async ({ currency, digits }) => {
      const money = (minorUnits: number) => ({ value: minorUnits / 10 ** digits, currency });
      const most = LIMITS.chargeAmount;
      const { id } = await makeCharge(app, { body: { amount: money(most), source: 'tok_visa' } });
      const wanted = [1, 2, most - 3, most - 2, most - 1, most];
      const responses = await Promise.all(wanted.map((part) => refund(id, money(part), randomUUID())));
      for (const { status } of responses) expect([201, 409]).toContain(status);
      // Whichever came first, the rest is what they have left.
      expect([201, 409]).toContain((await refund(id, undefined, randomUUID())).status);
      expect(await returned(id)).toBe(most);
      const { text } = await app.get(`/v2/charges/${id}`, { as: 'vic' });
      expect(text).toContain(`"amount_refunded":${JSON.stringify(money(most))},"status":"refunded"`);
      const [, ...events] = await eventsOf(id);
      const types = events.map(({ type }) => type);
      expect(types).toEqual([...types.slice(1).map(() => 'charge.partially_refunded'), 'charge.refunded']);
    },
  );

  test('reduce the paid amount of an order', async () => {
    const { id: orderId, total } = await placeOrder(app);
    const paid = async () => {
      const { body } = await app.graphql<{ order: { paid: boolean } }>(
        `{ order(id: ${orderId}) { paid } }`,
        {},
        { as: 'ada' },
      );
      return body.data?.order.paid;
    };
    const { id } = await makeCharge(app, {
      body: { amount: usd(total), source: 'tok_visa', order_id: orderId },
    });
    expect(await paid()).toBe(true);
    await refund(id, usd(0.01));
    expect(await paid()).toBe(false);
  });
});
