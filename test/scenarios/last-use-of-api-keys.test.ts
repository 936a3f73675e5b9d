/** The last use of an API key: written at most once a minute, without delaying the request. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey, letPass, listedKey, withKey } from '../support/fixtures/api-keys.ts';

const MINUTE = 60_000;

describeEachEngine('API keys', (engine) => {
  const app = startApp(engine);

  describe('the last use', () => {
    const use = async (key: string) => expect((await app.get('/v1/orders/1', withKey(key))).status).toBe(200);
    const lastUse = async (id: number) => (await listedKey(app, id))?.last_used_at ?? null;

    test('is written at most once a minute', async () => {
      const { id, key } = await createKey(app);
      const first = app.clock();
      await Promise.all(Array.from({ length: 10 }, () => use(key)));
      await expect.poll(() => lastUse(id)).toBe(first.toISOString());

      letPass(app, MINUTE - 1);
      await use(key);
      expect(app.statements).not.toContain('apiKeys.touch');
      expect(await lastUse(id)).toBe(first.toISOString());

      letPass(app, 1);
      await use(key);
      await expect.poll(() => lastUse(id)).toBe(app.clock().toISOString());
    });

    test('is not written for a refused key', async () => {
      const { id, key } = await createKey(app, {
        expires_at: new Date(app.clock().getTime() + 1).toISOString(),
      });
      letPass(app, 1);
      expect((await app.get('/v1/orders/1', withKey(key))).status).toBe(401);
      expect((await app.get('/v1/orders/1', withKey(`pk_${id}_${'A'.repeat(43)}`))).status).toBe(401);
      expect(await lastUse(id)).toBeNull();
    });

    test('when it cannot be written, the request succeeds and the failure is logged', async () => {
      const { id, key } = await createKey(app);
      const failures = () =>
        app.log.filter((line) => line.includes('use of an API key could not be recorded'));
      await engine.place.query(REFUSE_WRITES[engine.name]);
      await Promise.all(Array.from({ length: 5 }, () => use(key)));
      await expect.poll(failures).toHaveLength(1);
      // It is retried after a minute, and not with each request.
      await use(key);
      expect(failures()).toHaveLength(1);

      await engine.place.query(ALLOW_WRITES[engine.name]);
      letPass(app, MINUTE);
      await use(key);
      await expect.poll(() => lastUse(id)).toBe(app.clock().toISOString());
    });
  });
});

describeEachEngine('a stopping server', (engine) => {
  const app = startApp(engine);

  test('writes pending last uses before it closes the database', async () => {
    const made = await createKey(app);
    if (engine.name === 'postgres') await engine.place.query(SLOW_WRITES);
    expect((await app.get('/v1/orders/1', withKey(made.key))).status).toBe(200);
    await app.stop();
    const [row] = await engine.place.query(`select last_used_at from api_keys where id = ${made.id}`);
    expect(row?.['last_used_at']).not.toBeNull();
  });
});

/** On SQLite no other statement can overtake the write. */
const SLOW_WRITES = `
  create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
  create trigger slowly before update of last_used_at on api_keys for each row execute function slowly()`;

/** Makes writing the last use fail, and no other statement. */
const REFUSE_WRITES = {
  sqlite: `create trigger in_the_way before update of last_used_at on api_keys begin select raise(abort, 'no'); end`,
  postgres: `
    create function in_the_way() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger in_the_way before update of last_used_at on api_keys for each row execute function in_the_way()`,
};
const ALLOW_WRITES = { sqlite: 'drop trigger in_the_way', postgres: 'drop trigger in_the_way on api_keys' };
