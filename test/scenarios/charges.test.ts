/** Charges in both API versions, invalid charges, and failures of the gateway. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reserveRefund } from '../../src/db/queries/refunds.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { CHARGE, makeCharge, postCharge } from '../support/fixtures/charges.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { waitUntil } from '../support/process.ts';
import type { Charge, ChargeV1, CursorPage } from '../support/response-bodies.ts';

describeEachEngine('a charge', (engine) => {
  const app = startApp(engine);

  test('is the same in both versions, each in its own shape', async () => {
    const v1 = await app.post<ChargeV1>('/v1/charges', {
      as: 'ada',
      body: { amount: 1999, source: 'tok_visa' },
    });
    const v2 = await postCharge(app);
    expect([v1.status, v2.status]).toEqual([201, 201]);
    expect(v1.headers.get('location')).toBe(`/v1/charges/${v1.body.id}`);
    expect(v1.body).toMatchObject({ amount: 1999, currency: 'USD', status: 'succeeded', source: 'tok_****' });
    expect(v2.body.amount).toEqual({ value: 19.99, currency: 'USD' });
    const other = await app.get<Charge>(`/v2/charges/${v1.body.id}`, { as: 'ada' });
    expect(other.body.amount).toEqual({ value: 19.99, currency: 'USD' });
    expect((await app.get<ChargeV1>(`/v1/charges/${v2.body.id}`, { as: 'ada' })).body.amount).toBe(1999);
    for (const [version, headers] of [
      ['v1', v1.headers],
      ['v2', v2.headers],
    ] as const) {
      for (const name of ['deprecation', 'sunset', 'link']) {
        expect(headers.get(name) !== null, `${name} of ${version}`).toBe(version === 'v1');
      }
    }
  });

  test('is refused with the amount format of the other version', async () => {
    const v1 = await app.post<ErrorBody>('/v1/charges', { as: 'ada', body: CHARGE });
    const v2 = await postCharge<ErrorBody>(app, { body: { amount: 1999, source: 'tok_visa' } });
    expect([v1.status, v1.body.error.details?.[0]?.path]).toEqual([422, 'amount']);
    expect([v2.status, v2.body.error.details?.[0]?.path]).toEqual([422, 'amount']);
  });

  describe('is refused with the path of the fault, without using up its key, for', () => {
    const amount = (value: string, currency = 'USD') =>
      `{"amount":{"value":${value},"currency":"${currency}"},"source":"tok_visa"}`;

    test.each([
      ['0', amount('0'), 422, 'amount.value'],
      ['-1', amount('-1'), 422, 'amount.value'],
      ['a fraction of a cent', amount('19.999'), 422, 'amount.value'],
      ['1e400', amount('1e400'), 422, 'amount.value'],
      ['9007199254740993', amount('9007199254740993'), 422, 'amount.value'],
      ['a number with too many digits for a double', amount('19.990000000000000001'), 422, 'amount.value'],
      ['a text', amount('"10"'), 422, 'amount.value'],
      ['half a yen', amount('1.5', 'JPY'), 422, 'amount.value'],
      ['BHD with four digits', amount('1.0001', 'BHD'), 422, 'amount.value'],
      ['an amount above the maximum', amount('10000000'), 422, 'amount.value'],
      ['an unknown currency', amount('1', 'ABC'), 422, 'amount.currency'],
      ['a currency in lower case', amount('1', 'usd'), 422, 'amount.currency'],
      ['gold', amount('1', 'XAU'), 422, 'amount.currency'],
      ['a withdrawn currency', amount('1', 'BGN'), 422, 'amount.currency'],
      [
        'a duplicate member',
        '{"amount":{"value":1,"value":2,"currency":"USD"},"source":"tok_visa"}',
        400,
        'amount.value',
      ],
      [
        'a duplicate member in two spellings',
        '{"source":"tok_visa","s\\u006furce":"tok_visa"}',
        400,
        'source',
      ],
      ['no source', '{"amount":{"value":1,"currency":"USD"}}', 422, 'source'],
    ])('%s', async (_, text, status, path) => {
      const before = await app.fingerprint();
      const key = randomUUID();
      const response = await postCharge<ErrorBody>(app, { key, text });
      expect(
        [response.status, response.body.error.details?.map((detail) => detail.path)],
        response.text,
      ).toEqual([status, [path]]);
      expect(await app.fingerprint()).toEqual(before);
      expect((await postCharge(app, { key })).status).toBe(201);
    });

    test.each(['0', '-1', '1.5', '1e400', '9007199254740993', '"10"', '2147483648'])(
      '%s in v1',
      async (value) => {
        const response = await app.post<ErrorBody>('/v1/charges', {
          as: 'ada',
          text: `{"amount":${value},"source":"tok_visa"}`,
        });
        expect([response.status, response.body.error.details?.[0]?.path], response.text).toEqual([
          422,
          'amount',
        ]);
      },
    );
  });

  test.each([
    ['19.99', 'USD', 1999],
    ['0.07', 'USD', 7],
    ['1.1e1', 'USD', 1100],
    ['4503.99', 'EUR', 450_399],
    ['500', 'JPY', 500],
    ['1.234', 'BHD', 1234],
  ])('of %s %s charges exactly that amount', async (value, currency, minor) => {
    const text = `{"amount":{"value":${value},"currency":"${currency}"},"source":"tok_visa"}`;
    const { body } = await postCharge(app, { text });
    const [row] = await engine.place.query(`select amount from charges where id = ${body.id}`);
    expect(Number(row?.['amount'])).toBe(minor);
    expect(body.amount).toEqual({ value: Number(value), currency });
  });

  test('that is declined is 422, stored and replayed', async () => {
    const key = randomUUID();
    const body = { ...CHARGE, source: 'tok_declined' };
    const first = await postCharge<ErrorBody>(app, { key, body });
    expect([first.status, first.body.error.code]).toEqual([422, 'card_declined']);
    expect((await app.events()).at(-1)).toMatchObject({ type: 'charge.failed' });
    const before = await app.fingerprint();
    const second = await postCharge<ErrorBody>(app, { key, body });
    expect([second.status, second.text]).toEqual([422, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await app.fingerprint()).toEqual(before);
  });

  test.each([
    ['returns an invalid response', 'tok_bad_gateway', 502, 'payment_gateway_failed'],
    ['is down', 'tok_unavailable', 503, 'payment_gateway_unavailable'],
  ])('whose gateway %s can be retried at once', async (_, source, status, code) => {
    const key = randomUUID();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await postCharge<ErrorBody>(app, { key, body: { ...CHARGE, source } });
      expect([response.status, response.body.error.code]).toEqual([status, code]);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('idempotent-replayed')).toBeNull();
    }
  });

  test('in another currency does not pay for an order whose currency was replaced', async () => {
    const [yen = [], dollars] = await Promise.all(
      ['JPY', 'USD'].map(async (currency) => {
        const product = {
          name: `Priced in ${currency}`,
          unit_price: currency === 'JPY' ? 10_000 : 200,
          currency,
        };
        const { body } = await app.post<{ id: number }>('/v1/products', { as: 'ada', body: product });
        return [{ product_id: body.id, qty: 1 }];
      }),
    );
    const place = async () => {
      const [line] = yen;
      const { body } = await app.graphql<{ createOrder: { id: string } }>(
        `mutation { createOrder(input: { userId: 1, items: [{ productId: ${line?.product_id}, qty: ${line?.qty} }] }, idempotencyKey: "yen") {
          id total currency paid } }`,
        {},
        { as: 'ada' },
      );
      return body.data?.createOrder;
    };
    const id = Number((await place())?.id);
    const pay = async (value: number, currency: string) => {
      await makeCharge(app, { body: { amount: { value, currency }, source: 'tok_visa', order_id: id } });
      const document = `{ order(id: ${id}) { paid total currency } }`;
      return (await app.graphql(document, {}, { as: 'ada' })).body.data?.['order'];
    };
    expect(await pay(10_000, 'JPY')).toEqual({ paid: true, total: 10_000, currency: 'JPY' });
    await app.put(`/v1/orders/${id}`, { as: 'ada', body: { items: dollars } });
    expect(await pay(199.99, 'USD')).toEqual({ paid: false, total: 200, currency: 'USD' });
    expect(await place(), 'a retry of the first request').toMatchObject({ total: 10_000, paid: false });
    expect(await pay(0.01, 'USD')).toEqual({ paid: true, total: 200, currency: 'USD' });
  });

  test('pays for an order of the same organisation and currency, unless it is cancelled', async () => {
    const order = await placeOrder(app);
    const document = `{ order(id: ${order.id}) { paid charges { status amount { value } } } }`;
    const shown = async () => (await app.graphql(document, {}, { as: 'ada' })).body.data?.['order'];
    expect(await shown()).toEqual({ paid: false, charges: [] });
    const amount = { value: order.total, currency: order.currency };
    const { id } = await makeCharge(app, { body: { amount, source: 'tok_visa', order_id: order.id } });
    expect(await shown()).toEqual({
      paid: true,
      charges: [{ status: 'succeeded', amount: { value: order.total } }],
    });
    await app.post(`/v2/charges/${id}/refunds`, { as: 'ada' });
    expect(await shown()).toMatchObject({ paid: false });

    const euro = { amount: { value: 1, currency: 'EUR' }, source: 'tok_visa', order_id: order.id };
    const other = await postCharge<ErrorBody>(app, { body: euro });
    expect([other.status, other.body.error.details?.[0]?.path]).toEqual([422, 'amount.currency']);
    const foreign = await postCharge<ErrorBody>(app, { as: 'gil', body: { ...CHARGE, order_id: order.id } });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'forbidden']);
    await app.patch(`/v1/orders/${order.id}`, { as: 'ada', body: { status: 'cancelled' } });
    const cancelled = await postCharge<ErrorBody>(app, { body: { ...CHARGE, order_id: order.id } });
    expect([cancelled.status, cancelled.body.error.code]).toEqual([409, 'conflict']);
  });

  test('is refunded once, also by simultaneous requests', async () => {
    const { id } = await makeCharge(app);
    const before = await app.fingerprint();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => app.post<ErrorBody>(`/v2/charges/${id}/refunds`, { as: 'ada' })),
    );
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const after = await app.fingerprint();
    expect(after.sandboxPayments.rows).toBe(before.sandboxPayments.rows + 1);
    expect(after.events.newest).toBe(before.events.newest + 1);
  });

  test('is found by its order and its state, page by page', async () => {
    const [order, other] = [await placeOrder(app), await placeOrder(app)];
    const made: { id: number; status: string }[] = [];
    for (const source of ['tok_visa', 'tok_declined', 'tok_visa', 'tok_declined', 'tok_visa']) {
      await postCharge(app, { body: { ...CHARGE, source, order_id: order.id } });
      const { data } = (await app.get<{ data: Charge[] }>('/v2/charges?limit=1', { as: 'vic' })).body;
      made.unshift(...data);
    }
    await makeCharge(app, { body: { ...CHARGE, order_id: other.id } });
    const listed = async (query: string) => {
      const ids: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `/v2/charges?limit=2${query}${cursor && `&cursor=${cursor}`}`;
        const { body } = await app.get<CursorPage<Charge>>(path, { as: 'vic' });
        ids.push(...body.data.map(({ id }) => id));
        cursor = body.next_cursor;
      }
      return ids;
    };
    const idsOf = (...states: string[]) =>
      made.filter(({ status }) => states.includes(status)).map(({ id }) => id);
    expect(await listed(`&order_id=${order.id}`)).toEqual(idsOf('succeeded', 'failed'));
    expect(await listed(`&order_id=${order.id}&status=failed`)).toEqual(idsOf('failed'));
    expect(await listed(`&order_id=${order.id}&status=pending`)).toEqual([]);
    const all = (await app.get<CursorPage<Charge>>('/v2/charges?limit=100', { as: 'vic' })).body.data;
    for (const state of ['failed', 'succeeded']) {
      const wanted = all.filter(({ status }) => status === state).map(({ id }) => id);
      expect(await listed(`&status=${state}`)).toEqual(wanted);
    }
    const { next_cursor: cursor } = (
      await app.get<CursorPage<Charge>>('/v2/charges?status=failed&limit=1', { as: 'vic' })
    ).body;
    for (const query of ['', 'status=succeeded&', `order_id=${order.id}&status=failed&`]) {
      const response = await app.get(`/v2/charges?${query}cursor=${cursor}`, { as: 'vic' });
      expectError(response, { status: 400, code: 'invalid_cursor' });
    }
  });

  test('of an order with many others in another state is found behind them', async () => {
    const order = await placeOrder(app);
    const first = await makeCharge(app, { body: { ...CHARGE, order_id: order.id } });
    await engine.place.query(`insert into charges
      (org, user_id, order_id, amount, currency, source, status, reference, created_at, updated_at)
      ${Array.from(
        { length: 260 },
        (_, n) =>
          `select org, user_id, order_id, 1, currency, source, 'failed', 'many-${n}', created_at, created_at from charges where id = ${first.id}`,
      ).join(' union all ')}`);
    const path = `/v2/charges?order_id=${order.id}&status=succeeded`;
    const { body } = await app.get<CursorPage<Charge>>(path, { as: 'vic' });
    expect(body).toEqual({ data: [], next_cursor: expect.any(String) });
    const next = await app.get<CursorPage<Charge>>(`${path}&cursor=${body.next_cursor}`, { as: 'vic' });
    expect(next.body.data.map(({ id }) => id)).toEqual([first.id]);
  });

  test('appears in a list that starts with the newest', async () => {
    for (let index = 0; index < 3; index += 1) await makeCharge(app);
    const first = await app.get<{ data: Charge[]; next_cursor: string }>('/v2/charges?limit=2', {
      as: 'vic',
    });
    const cursor = encodeURIComponent(first.body.next_cursor);
    const second = await app.get<{ data: Charge[] }>(`/v2/charges?limit=2&cursor=${cursor}`, { as: 'vic' });
    const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(4);
  });
});

describeEachEngine(
  'a refund',
  (engine) => {
    const app = startApp(engine);

    engine.testConcurrent('locks its charge before the event log, as settling a charge does', async () => {
      const { id } = await makeCharge(app);
      const refund = await engine.database.transaction(async (tx) => {
        // Locks the charge as a transaction that settles a refund does, up to the point where it records
        // its event.
        await reserveRefund(tx, { org: 'acme', chargeId: id, amount: 1 });
        const response = app.post(`/v2/charges/${id}/refunds`, { as: 'ada' });
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await waitUntil(
          async () => (await engine.place.query(waiting)).length === 1,
          'the refund to wait for the charge',
        );
        const [turn] = await engine.place.query(
          `select pg_try_advisory_xact_lock(1, hashtext('acme')) as free`,
        );
        expect(turn).toEqual({ free: true });
        return { response };
      });
      expect((await refund.response).status).toBe(201);
    });
  },
  'postgres',
);
