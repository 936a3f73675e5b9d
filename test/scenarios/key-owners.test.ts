/** An idempotency key belongs to the user behind the credentials, whichever credentials they use. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { CHARGE } from '../support/fixtures/charges.ts';

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
  const app = startApp(engine);
  const movements = async () => (await app.fingerprint()).sandboxPayments.rows;
  const apiKey = async () => `ApiKey ${(await createKey(app, { scopes: ['write:charges'] })).key}`;
  const token = async () => `Bearer ${(await app.signIn('ada')).token}`;

  describe.each(Object.entries(DOORS))('through %s', (_, charge) => {
    test('is shared by all credentials of one user', async () => {
      const key = randomUUID();
      const before = await movements();
      const ids: number[] = [];
      for (const authorization of [await apiKey(), await token(), await apiKey()]) {
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
  });
});
