/** The maximum of an organisation's keys and certificates: those that can no longer be used do not count. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';

const MINUTE = 60_000;

describeEachEngine('the maximum of', (engine) => {
  const app = startApp(engine);

  describe.each([
    { path: '/v1/api-keys', table: 'api_keys', most: LIMITS.apiKeys, own: ['secret_hash', 'secret_hash'] },
    {
      path: '/v1/client-certificates',
      table: 'client_certificates',
      most: LIMITS.clientCertificates,
      own: ['match', "match || '.' || number"],
    },
  ])('$table', ({ path, table, most, own: [column, value] }) => {
    let made = 0;
    const create = (lifetime: number) => {
      made += 1;
      const body = { name: 'Import', scopes: ['read:orders'], match: { san_dns: `m${made}.example` } };
      const expires_at = new Date(app.clock().getTime() + lifetime).toISOString();
      const { match, ...others } = body;
      return app.post<{ id: number }>(path, {
        as: 'ada',
        body: { ...others, expires_at, ...(table === 'client_certificates' && { match }) },
      });
    };

    /** Creates as many as an organisation may have: one, and copies of it that belong to this person. */
    async function reachMaximum(lifetime: number, userId: number): Promise<void> {
      const { body, status, text } = await create(lifetime);
      expect(status, text).toBe(201);
      await engine.place.query(
        `insert into ${table} (org, user_id, name, scopes, created_at, expires_at, ${column})
         with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${most - 1})
         select org, ${userId}, name, scopes, created_at, expires_at, ${value} from ${table}, numbers where id = ${body.id}`,
      );
      expectError(await create(lifetime), { status: 409, code: 'conflict' });
    }

    const letPass = () => {
      app.clock.advance(10 * MINUTE);
      app.signOutAll();
    };

    test('does not include expired ones', async () => {
      await reachMaximum(10 * MINUTE, 1);
      letPass();
      expect((await create(10 * MINUTE)).status).toBe(201);
      letPass();
    });

    test('does not include those of removed people', async () => {
      const input = {
        email: `${table}@acme.test`,
        name: 'Nia',
        role: 'editor',
        password: 'correct horse battery',
      };
      const { body } = await app.post<{ id: number }>('/v1/orgs/acme/users', { as: 'ada', body: input });
      await reachMaximum(10 * MINUTE, body.id);
      expect((await app.delete(`/v1/orgs/acme/users/${body.id}`, { as: 'ada' })).status).toBe(204);
      expect((await create(10 * MINUTE)).status).toBe(201);
    });
  });
});
