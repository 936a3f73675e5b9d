/** Mail of a killed server, and of one whose mail server is down, slow or refuses messages. */
import { afterAll, expect } from 'vitest';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { startMailServer, startSilentServer, tokenIn } from '../support/mail-server.ts';
import { freePort, manageServers } from '../support/process.ts';

const EMAIL = 'vic@acme.test';

const post = (url: string, method: string, path: string, body: object) =>
  fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The requests for password resets in the audit log. */
const recorded = (place: TestDatabase) =>
  place.query(`select id from audit_entries where type = 'user.password_reset_requested'`);

describeEachEngine('mail', (engine) => {
  const servers = manageServers(afterAll);

  engine.testConcurrent('of an acknowledged request is sent after a kill, and its link works', async () => {
    const place = await engine.create('demo');
    const directory = await servers.directory();
    const port = await freePort();
    const env = { DATABASE_URL: place.url, MAIL_URL: `smtp://127.0.0.1:${port}` };
    const victim = await (await servers.launch({ env, directory })).ready();
    const { status } = await post(victim.url, 'POST', '/v1/auth/password-resets', { email: EMAIL });
    victim.signal('SIGKILL');
    expect(status).toBe(202);
    await victim.exit;

    const mail = await startMailServer(port);
    // As if the lease of the killed process had expired.
    await place.query('update outbox set next_attempt_at = created_at');
    const server = await (await servers.launch({ env, directory })).ready();
    await expect.poll(() => mail.received.length).toBeGreaterThan(0);
    const token = tokenIn(mail.received[0]?.source ?? '');
    const set = await post(server.url, 'PUT', `/v1/auth/password-resets/${token}`, {
      password: 'blue harbour lantern',
    });
    expect(set.status).toBe(204);
    await expect.poll(() => place.query('select id from outbox')).toEqual([]);
    expect(server.stdout + victim.stdout).not.toContain('plt_');
    expect(await recorded(place)).toHaveLength(1);
    await mail.close();
  });

  // This depends on the mail server, and not on the engine.
  if (!runsAllCases(engine)) return;

  engine.testConcurrent(
    'is retried while the mail server is slow or refuses it, without delaying requests',
    async () => {
      const place = await engine.create('demo');
      const directory = await servers.directory();
      const silent = await startSilentServer();
      const env = { DATABASE_URL: place.url, MAIL_URL: silent.url };
      const server = await (await servers.launch({ env, directory })).ready();
      for (let n = 0; n < 3; n += 1) {
        const { status } = await post(server.url, 'POST', '/v1/auth/password-resets', { email: EMAIL });
        expect(status).toBe(202);
      }
      await expect.poll(() => place.query('select attempts from outbox where attempts > 0')).toHaveLength(3);
      // The server does not wait for the mail server until its own end is forced.
      server.signal('SIGTERM');
      expect(await server.exit).toMatchObject({ code: 0 });
      await silent.close();

      const mail = await startMailServer();
      mail.refuseMessages = 451;
      await place.query('update outbox set next_attempt_at = created_at');
      const next = await (await servers.launch({ env: { ...env, MAIL_URL: mail.url }, directory })).ready();
      await expect.poll(() => place.query('select attempts from outbox where attempts > 1')).toHaveLength(3);
      mail.refuseMessages = undefined;
      await expect.poll(() => mail.received.length).toBe(3);
      expect(await recorded(place)).toHaveLength(3);
      next.signal('SIGTERM');
      expect(await next.exit).toMatchObject({ code: 0 });
      await mail.close();
    },
  );
});
