/**
 * Changes that need the same locks take them in the same order. Otherwise each of two could wait for a lock of the other, until PostgreSQL
 * undoes one of them after a second, in which the organisation's other writers wait as well.
 */
import pg from 'pg';
import { describe, expect } from 'vitest';
import type { OpenDatabase } from '../../src/db/database.ts';
import { WEBHOOK } from '../access/shared/fixtures.ts';
import { startApp } from '../support/app.ts';
import type { Sender } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { addWebhook } from '../support/fixtures/webhooks.ts';
import { waitUntil } from '../support/process.ts';
import { membersOf } from '../support/test-doubles.ts';

interface Made {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret: string;
}

type Change = () => Promise<{ readonly status: number }>;

/** The transactions of the database that wait for a lock. */
const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

// On SQLite, transactions that write do not overlap.
describeEachEngine(
  'at the same time, without a deadlock:',
  (engine) => {
    let undone = 0;
    /** Counts transactions that were undone and run again, as after a deadlock. */
    const counting = (database: OpenDatabase): OpenDatabase => ({
      ...membersOf(database),
      transaction: (work, ...others) => {
        let runs = 0;
        return database.transaction(
          (tx) => {
            runs += 1;
            if (runs > 1) undone += 1;
            return work(tx);
          },
          ...others,
        );
      },
    });
    const app = startApp(engine, { realTime: true, around: counting });

    const createApp = async (as: Sender, scopes: readonly string[] = ['read:orders']): Promise<Made> => {
      const body = { name: 'Ledger', type: 'service', scopes };
      return (await app.post<Made>('/v1/apps', { as, body })).body;
    };
    const installInAcme = (client_id: string) =>
      app.post('/v1/installations', {
        as: 'ada',
        body: { client_id, scopes: ['read:orders'], role: 'viewer' },
      });
    const addSecret = (as: Sender, { id }: Made) => app.post(`/v1/apps/${id}/secrets`, { as });
    const uninstall = async ({ id }: Made) => {
      const [row] = await engine.place.query(`select id from installations where app_id = ${id}`);
      return app.delete(`/v1/installations/${row?.['id']}`, { as: 'ada' });
    };
    const deleteApp = (as: Sender, { id }: Made) => app.delete(`/v1/apps/${id}`, { as });
    const oauth = ({ client_id, client_secret }: Made, path: string, form: Record<string, string>) =>
      fetch(`${app.url}/oauth/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ client_id, client_secret, ...form }),
      });
    const tokenOf = async (made: Made, org: string): Promise<string> => {
      const response = await oauth(made, 'token', { grant_type: 'client_credentials', org });
      return Object(await response.json()).access_token;
    };

    /**
     * Starts two changes while acme's writers wait for their turn, the second one when the first one waits. So each of them has the locks
     * that it takes before its turn, and the first one has its turn first.
     */
    async function collide(...changes: readonly [Change, Change]): Promise<readonly number[]> {
      const holder = new pg.Client({ connectionString: engine.place.url });
      await holder.connect();
      const running: ReturnType<Change>[] = [];
      undone = 0;
      try {
        await holder.query("begin; select pg_advisory_xact_lock(1, hashtext('acme'))");
        for (const change of changes) {
          running.push(change());
          const isWaiting = async () => (await engine.place.query(WAITING)).length === running.length;
          await waitUntil(isWaiting, `${running.length} changes to wait`);
        }
      } finally {
        await holder.end();
      }
      const statuses = (await Promise.all(running)).map(({ status }) => status);
      expect(undone).toBe(0);
      return statuses;
    }

    engine.testConcurrent('an app writes, and revokes its own token', async () => {
      const made = await createApp('ada', ['write:orders']);
      const token = await tokenOf(made, 'acme');
      const statuses = await collide(
        () => app.post('/v1/users/2/orders', { as: { token }, body: { items: [{ product_id: 1, qty: 1 }] } }),
        () => oauth(made, 'revoke', { token }),
      );
      expect(statuses).toEqual([201, 200]);
    });

    engine.testConcurrent('an app is changed, and gets another secret', async () => {
      const made = await createApp('ada');
      const statuses = await collide(
        () => app.patch(`/v1/apps/${made.id}`, { as: 'ada', body: { name: 'Renamed' } }),
        () => addSecret('ada', made),
      );
      expect(statuses).toEqual([200, 201]);
    });

    engine.testConcurrent('an app is installed, and deleted', async () => {
      const made = await createApp('ada');
      await engine.place.query(`update installations set removed_at = now() where app_id = ${made.id}`);
      await engine.place.query(
        `update users set removed_at = now(), email = '' where email like '${made.client_id}.%'`,
      );
      const statuses = await collide(
        () => installInAcme(made.client_id),
        () => deleteApp('ada', made),
      );
      expect(statuses).toEqual([201, 204]);
    });

    engine.testConcurrent(
      'of two apps in two organisations, one is deleted, and one gets another secret',
      async () => {
        const deleted = await createApp('gil');
        const rotated = await createApp('gil');
        for (const { client_id } of [deleted, rotated]) await installInAcme(client_id);
        await tokenOf(rotated, 'acme');
        await addSecret('gil', rotated);
        const statuses = await collide(
          () => deleteApp('gil', deleted),
          // It ends the first secret, and with it the grant in acme.
          () => addSecret('gil', rotated),
        );
        expect(statuses).toEqual([204, 201]);
      },
    );

    describe.each<[string, (made: Made) => Promise<{ readonly status: number }>, number]>([
      ['is deleted', (made) => deleteApp('ada', made), 204],
      ['is uninstalled', uninstall, 204],
      ['loses its secret', (made) => addSecret('ada', made), 201],
    ])('an app gets a grant of its own, and %s', (_title, end, ended) => {
      for (const isFirst of [true, false]) {
        engine.testConcurrent(isFirst ? 'afterwards' : 'before', async () => {
          const made = await createApp('ada');
          await addSecret('ada', made);
          const ask = () => oauth(made, 'token', { grant_type: 'client_credentials' });
          const last = () => end(made);
          const statuses = await (isFirst ? collide(ask, last) : collide(last, ask));
          expect(statuses).toEqual(isFirst ? [200, ended] : [ended, 400]);
          const left = `select id from grants where app_id = ${made.id} and revoked_at is null`;
          expect(await engine.place.query(left)).toEqual([]);
        });
      }
    });

    engine.testConcurrent('an app redirects a webhook, and is uninstalled', async () => {
      const made = await createApp('ada', ['manage:webhooks', 'read:feed', 'read:orders']);
      const token = await tokenOf(made, 'acme');
      const { id } = await addWebhook(app, { types: ['order.created'] });
      const url = 'https://hooks.example.com/app';
      const statuses = await collide(
        () => app.patch(`/v1/webhooks/${id}`, { as: { token }, body: { url } }),
        () => uninstall(made),
      );
      expect(statuses).toEqual([200, 204]);
      expect((await app.get(`/v1/webhooks/${id}`, { as: 'ada' })).status).toBe(404);
    });

    engine.testConcurrent('a role is changed, and a webhook is created', async () => {
      const statuses = await collide(
        () => app.patch('/v1/orgs/acme/users/3', { as: 'ada', body: { role: 'editor' } }),
        () => app.post('/v1/webhooks', { as: 'ada', body: WEBHOOK }),
      );
      expect(statuses).toEqual([200, 201]);
    });
  },
  'postgres',
);
