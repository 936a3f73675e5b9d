/** Routes that generate an idempotency key for requests without one. */
import { beforeAll, describe, expect, test } from 'vitest';
import { routeName, routes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { makeCharge } from '../support/fixtures/charges.ts';
import type { Charge } from '../support/response-bodies.ts';
import { FAULTS, type Fault, FaultyGateway, impatiently } from './faulty-gateway.ts';

describeEachEngine('a route that generates idempotency keys', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  const BODIES: Readonly<Record<string, object>> = {
    'POST /v1/charges': { amount: 1999, source: 'tok_visa' },
    'POST /v2/charges/{charge_id}/refunds': { amount: { value: 1, currency: 'USD' } },
  };
  const keyed = routes.filter(({ generatesKey }) => generatesKey);
  const ledger = async () => (await app.fingerprint()).sandboxPayments.rows;

  test('is one of these', () => {
    expect(keyed.map(routeName)).toEqual(Object.keys(BODIES));
  });

  describe.each(keyed.map((route) => [routeName(route), route] as const))('%s', (name, { method, path }) => {
    let url = path;
    beforeAll(async () => {
      const { id } = await makeCharge(app);
      url = path.replace('{charge_id}', String(id));
    });
    const send = (key?: string | null) =>
      app.request<Charge & ErrorBody>(method, url, {
        as: 'ada',
        body: BODIES[name],
        ...(key && { headers: { 'idempotency-key': key } }),
      });

    test.each([
      ['the gateway times out', FAULTS['moves the money and does not respond in time'], 503],
      ['the gateway sends an invalid response', FAULTS['moves the money and returns nonsense'], 502],
      [
        'the connection breaks',
        async <T>(move: () => Promise<T>): Promise<T> => {
          await move();
          throw new TypeError('fetch failed');
        },
        500,
      ],
    ] satisfies [string, Fault, number][])(
      'returns the key if %s, and a retry with it moves the money once',
      async (_, fault, status) => {
        const before = await ledger();
        gateway.next(fault);
        const failed = await (status === 503 ? impatiently(app, send) : send());
        expect(failed.status).toBe(status);
        const key = failed.headers.get('idempotency-key');
        expect(key).toMatch(/^[\da-f-]{36}$/);
        const again = await send(key);
        expect([again.status, again.headers.get('idempotency-key')]).toEqual([201, null]);
        expect(await ledger()).toBe(before + 1);
      },
    );

    test('returns the key with its response, a new one each time', async () => {
      const keys = [await send(), await send()].map(({ status, headers }) => {
        expect(status).toBe(201);
        return headers.get('idempotency-key');
      });
      expect(new Set(keys).size).toBe(2);
      const again = await send(keys[0]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    });
  });
});
