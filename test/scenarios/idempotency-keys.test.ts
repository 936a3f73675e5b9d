/** Idempotency keys: their format, their owner, and the replayed response. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { CHARGE, makeCharge, postCharge } from '../support/fixtures/charges.ts';
import { TWO_LAMPS } from '../support/fixtures/orders.ts';
import { exchange } from '../support/raw-clients.ts';
import type { Charge, Document, Order } from '../support/response-bodies.ts';

const OTHER = { ...CHARGE, amount: { value: 20, currency: 'USD' } };

const CREATE = `mutation ($input: CreateChargeInput!, $key: String) {
  createCharge(input: $input, idempotencyKey: $key) { id amount { value currency } status }
}`;

describeEachEngine('an idempotency key', (engine) => {
  const app = startApp(engine);

  const records = async () =>
    Number((await engine.place.query('select count(*) as n from idempotency_records'))[0]?.['n']);
  const ledger = async () =>
    Number((await engine.place.query('select count(*) as n from sandbox_payments'))[0]?.['n']);

  test('is required for a charge', async () => {
    const response = await app.post<ErrorBody>('/v2/charges', { as: 'ada', body: CHARGE });
    expect([response.status, response.body.error.code]).toEqual([400, 'idempotency_key_required']);
    const graph = await app.graphql(CREATE, { input: CHARGE }, { as: 'ada' });
    expect(codesOf(graph)).toEqual(['idempotency_key_required']);
    const none = await app.graphql(CREATE, { input: CHARGE, key: null }, { as: 'ada' });
    expect(codesOf(none)).toEqual(['idempotency_key_required']);
  });

  describe('is refused, and nothing is written,', () => {
    test.each([
      ['when it is empty', ''],
      ['when it is an empty string in quotes', '""'],
      ['of 256 characters', 'k'.repeat(256)],
      ['of 256 characters in quotes', `"${'k'.repeat(256)}"`],
      ['with a blank in it', 'a b'],
      ['with a tab in it', 'a\tb'],
      ['with a letter beyond ASCII', 'clé'],
      ['when its quotes are not closed', '"abc'],
      ['with a quote in it that is not escaped', '"a"b"'],
      ['with an escape that is none', '"a\\b"'],
    ])('%s', async (_, key) => {
      const before = [await records(), await ledger()];
      const rest = await postCharge<ErrorBody>(app, { key });
      expect([rest.status, rest.body.error.code]).toEqual([400, 'invalid_idempotency_key']);
      const graph = await app.graphql(CREATE, { input: CHARGE, key }, { as: 'ada' });
      expect(codesOf(graph)).toEqual(['invalid_idempotency_key']);
      expect([await records(), await ledger()]).toEqual(before);
    });

    test.each([
      ['sent twice', ['idempotency-key: one', 'idempotency-key: two']],
      ['sent twice with the same value', ['idempotency-key: one', 'Idempotency-Key: one']],
      ['sent twice in quotes', ['idempotency-key: "one"', 'idempotency-key: "one"']],
      ['with a control character', ['idempotency-key: on\x01e']],
    ])('%s', async (_, headers) => {
      const before = [await records(), await ledger()];
      const body = JSON.stringify(CHARGE);
      const { token } = await app.signIn('ada');
      const response = await exchange(
        app.port,
        [
          'POST /v2/charges HTTP/1.1',
          'host: portico.test',
          'connection: close',
          `authorization: Bearer ${token}`,
          'content-type: application/json',
          `content-length: ${body.length}`,
          ...headers,
        ],
        body,
      );
      expect(response.status).toBe(400);
      expect([await records(), await ledger()]).toEqual(before);
    });
  });

  test.each([
    ['bare', 'k1', 'quoted', '"k1"'],
    ['with a quote in it', 'k"2', 'escaped', '"k\\"2"'],
    ['with a backslash in it', 'k\\3', 'escaped', '"k\\\\3"'],
    ['of 255 characters', 'k'.repeat(255), 'in quotes', `"${'k'.repeat(255)}"`],
  ])('%s and %s are the same', async (_a, one, _b, other) => {
    const first = await postCharge(app, { key: one });
    const second = await postCharge(app, { key: other });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    const graph = await app.graphql<{ createCharge: { id: string } }>(
      CREATE,
      { input: CHARGE, key: one },
      { as: 'ada' },
    );
    expect(graph.body.data?.createCharge.id).toBe(String(first.body.id));
  });

  test('replays the same status, body and headers, marked as a replay', async () => {
    const key = randomUUID();
    const first = await postCharge(app, { key });
    const movements = await ledger();
    app.clock.advance(60_000);
    const second = await postCharge(app, { key });
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    for (const name of ['location', 'etag', 'content-type']) {
      expect(second.headers.get(name), name).toBe(first.headers.get(name));
    }
    expect(first.headers.get('location')).toBe(`/v2/charges/${first.body.id}`);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await ledger()).toBe(movements);
    expect(app.statements).not.toContain('charges.insert');
  });

  test('replays the original response, not the current state', async () => {
    const key = randomUUID();
    const first = await postCharge(app, { key });
    await app.post(`/v2/charges/${first.body.id}/refunds`, { as: 'ada' });
    expect((await app.get<Charge>(`/v2/charges/${first.body.id}`, { as: 'ada' })).body.status).toBe(
      'refunded',
    );
    expect((await postCharge(app, { key })).text).toBe(first.text);
  });

  test('with another body returns 422, without affecting the first request', async () => {
    const key = randomUUID();
    const first = await postCharge(app, { key });
    const other = await postCharge<ErrorBody>(app, { key, body: OTHER });
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await postCharge(app, { key })).text).toBe(first.text);
  });

  test('ignores the order of members', async () => {
    const key = randomUUID();
    const first = await postCharge(app, { key });
    const text = '{ "source":"tok_visa","amount" : {"currency":"USD","value":1.999e1} }';
    const second = await postCharge(app, { key, text });
    expect(second.text).toBe(first.text);
  });

  test('is shared by both doors, and a null member counts as omitted', async () => {
    const key = randomUUID();
    const { id } = await makeCharge(app, { key });
    const amount = { value: 19.99, currency: 'USD' };
    for (const input of [
      { amount, source: 'tok_visa' },
      { amount, source: 'tok_visa', orderId: null },
    ]) {
      const response = await app.graphql<{ createCharge: { id: string } }>(
        CREATE,
        { input, key },
        { as: 'ada' },
      );
      expect(response.body.data?.createCharge.id).toBe(String(id));
    }
  });

  test('is separate for another user, organisation and mutation', async () => {
    const key = randomUUID();
    const { id } = await makeCharge(app, { key });
    const ed = await makeCharge(app, { key, as: 'ed' });
    const gil = await makeCharge(app, { key, as: 'gil' });
    const order = await app.post<Order>('/v1/users/1/orders', {
      as: 'ada',
      body: { items: TWO_LAMPS },
      headers: { 'idempotency-key': key },
    });
    expect(order.status).toBe(201);
    expect(new Set([id, ed.id, gil.id]).size).toBe(3);
    expect((await makeCharge(app, { key })).id).toBe(id);
  });

  test('in two fields of one operation counts as one', async () => {
    const key = randomUUID();
    const document = `mutation ($input: CreateChargeInput!, $other: CreateChargeInput!, $key: String) {
      first: createCharge(input: $input, idempotencyKey: $key) { id }
      second: createCharge(input: $input, idempotencyKey: $key) { id status }
      third: createCharge(input: $other, idempotencyKey: $key) { id }
    }`;
    const before = await ledger();
    const response = await app.graphql<Record<string, { id: string }>>(
      document,
      { input: CHARGE, other: OTHER, key },
      { as: 'ada' },
    );
    expect(codesOf(response)).toEqual(['idempotency_key_reused']);
    expect(await ledger()).toBe(before + 1);
  });

  test('replayed through GraphQL is reported in a header and by member name', async () => {
    const key = randomUUID();
    const run = () =>
      app.graphql(
        CREATE.replace('createCharge(', 'mine: createCharge('),
        { input: CHARGE, key },
        { as: 'ada' },
      );
    const first = await run();
    const second = await run();
    expect(second.body.data).toEqual(first.body.data);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toMatchObject({ extensions: { idempotentReplayed: ['mine'] } });
  });

  test('creates an order once, whichever door the retry uses', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const place = () =>
      app.post<Order>('/v1/users/1/orders', { as: 'ada', body: { items: TWO_LAMPS }, headers });
    const before = await app.fingerprint();
    const first = await place();
    const after = await app.fingerprint();
    expect(after.orders.rows).toBe(before.orders.rows + 1);
    app.clock.advance(60_000);
    const second = await place();
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await app.fingerprint()).toEqual(after);
  });

  test('creates a document once, and a share', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { title: 'Once', body: 'Only.' };
    const create = () => app.post<Document>('/v1/orgs/acme/docs', { as: 'ed', body, headers });
    const first = await create();
    const second = await create();
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    const share = () =>
      app.post(`/v1/orgs/acme/docs/${first.body.id}/shares`, {
        as: 'ed',
        body: { user_id: 3, relation: 'reader' },
        headers,
      });
    const shared = await share();
    expect(shared.status).toBe(201);
    expect((await share()).text).toBe(shared.text);
  });

  test('is not used up by a refused request', async () => {
    const key = randomUUID();
    for (const body of [
      { ...CHARGE, amount: { value: 0, currency: 'USD' } },
      { ...CHARGE, amount: { value: 1.999, currency: 'USD' } },
      { ...CHARGE, source: '' },
      { ...CHARGE, source: 'tok_nobody' },
      { ...CHARGE, order_id: 999_999 },
    ]) {
      const response = await postCharge<ErrorBody>(app, { key, body });
      expect([response.status, response.body.error.code]).toEqual([422, 'validation_failed']);
    }
    const forbidden = await postCharge<ErrorBody>(app, { key, as: 'vic' });
    expect(forbidden.status).toBe(403);
    const right = await postCharge(app, { key });
    expect([right.status, right.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const missing = await app.post<ErrorBody>('/v1/users/999999/orders', {
      as: 'ada',
      body: { items: TWO_LAMPS },
      headers: { 'idempotency-key': key },
    });
    expect(missing.status).toBe(404);
    const order = await app.post('/v1/users/1/orders', {
      as: 'ada',
      body: { items: TWO_LAMPS },
      headers: { 'idempotency-key': key },
    });
    expect(order.status).toBe(201);
  });

  engine.testConcurrent('of fifty requests at once moves the money once', async () => {
    const key = randomUUID();
    const before = await ledger();
    const body = { ...CHARGE, source: 'tok_slow' };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => postCharge<Charge & ErrorBody>(app, { key, body })),
    );
    expect(await ledger()).toBe(before + 1);
    const made = responses.filter(({ status }) => status === 201);
    const waiting = responses.filter(({ status }) => status === 409);
    expect(made.length + waiting.length).toBe(50);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    for (const { body: refused, headers } of waiting) {
      expect(refused.error.code).toBe('idempotency_in_progress');
      expect(headers.get('retry-after')).toBe('1');
    }
    expect((await postCharge(app, { key, body })).text).toBe(made[0]?.text);
  });

  engine.testConcurrent('of fifty requests at once places one order', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const before = await app.fingerprint();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        app.post<Order>('/v1/users/1/orders', { as: 'ada', body: { items: TWO_LAMPS }, headers }),
      ),
    );
    expect((await app.fingerprint()).orders.rows).toBe(before.orders.rows + 1);
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    const first = responses.filter((response) => response.headers.get('idempotent-replayed') === null);
    expect(first).toHaveLength(1);
  });
});
