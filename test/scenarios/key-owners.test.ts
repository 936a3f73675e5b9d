/** An idempotency key belongs to the user behind the credentials, whichever credentials they use. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { CHARGE } from '../support/fixtures/charges.ts';
import { FAULTS, FaultyGateway } from './faulty-gateway.ts';

const CREATE = `mutation ($input: CreateChargeInput!, $key: String) {
  createCharge(input: $input, idempotencyKey: $key) { id }
}`;

/** Charges with these credentials. @returns the id of the charge, or NaN if it was refused. */
const DOORS: Readonly<Record<string, (app: TestApp, authorization: string, key: string) => Promise<number>>> =
  {
    REST: async (app, authorization, key) => {
      const headers = { authorization, 'idempotency-key': key };
      return Number((await app.post<{ id?: number }>('/v2/charges', { body: CHARGE, headers })).body.id);
    },
    GraphQL: async (app, authorization, key) => {
      const { body } = await app.graphql<{ createCharge: { id: string } }>(
        CREATE,
        { input: CHARGE, key },
        { headers: { authorization } },
      );
      return Number(body.data?.createCharge.id);
    },
  };

describeEachEngine('an idempotency key', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });
  const movements = async () => (await app.fingerprint()).sandboxPayments.rows;
  const apiKey = async () => {
    const { id, key } = await createKey(app, { scopes: ['write:charges'] });
    return { id, authorization: `ApiKey ${key}` };
  };
  const token = async () => `Bearer ${(await app.signIn('ada')).token}`;

  /** A record of an API key as earlier versions stored it. */
  const makeFormer = (key: string, apiKeyId: number) =>
    engine.place.query(
      `update idempotency_records set principal = 'api_key:${apiKeyId}' where key = '${key}'`,
    );

  describe.each(Object.entries(DOORS))('through %s', (_, charge) => {
    test('is shared by all credentials of one user', async () => {
      const key = randomUUID();
      const before = await movements();
      const ids: number[] = [];
      for (const authorization of [
        (await apiKey()).authorization,
        await token(),
        (await apiKey()).authorization,
      ]) {
        ids.push(await charge(app, authorization, key));
      }
      expect(new Set(ids).size).toBe(1);
      expect(await movements()).toBe(before + 1);
    });

    test('is separate for another user', async () => {
      const key = randomUUID();
      const mine = await charge(app, await token(), key);
      const theirs = await charge(app, `Bearer ${(await app.signIn('ed')).token}`, key);
      expect(theirs).toBeGreaterThan(mine);
    });

    test('that an earlier version stored for an API key stays valid for it', async () => {
      const { id, authorization } = await apiKey();
      const key = randomUUID();
      const first = await charge(app, authorization, key);
      await makeFormer(key, id);
      const before = await movements();
      expect(await charge(app, authorization, key)).toBe(first);
      expect(await movements()).toBe(before);
    });

    test('that an earlier version stored without an outcome is adopted', async () => {
      const { id, authorization } = await apiKey();
      const key = randomUUID();
      const before = await movements();
      gateway.next(FAULTS['answers nonsense after it moved the money']);
      expect(await charge(app, authorization, key)).toBeNaN();
      await makeFormer(key, id);
      app.clock.advance(LIMITS.idempotencyLease);
      expect(await charge(app, authorization, key)).toBeGreaterThan(0);
      expect(await movements()).toBe(before + 1);
    });
  });
});
