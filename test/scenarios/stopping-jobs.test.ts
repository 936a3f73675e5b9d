/** The jobs of a server that stops. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

describeEachEngine('a server that stops', (engine) => {
  const sending = Promise.withResolvers<void>();
  const accepted = Promise.withResolvers<void>();
  const app = startApp(engine, {
    sendMail: () => {
      sending.resolve();
      return accepted.promise;
    },
  });

  test('stops the other jobs while it waits for the mail server', async () => {
    app.outbox.start();
    await app.post('/v1/auth/password-resets', { body: { email: 'ada@acme.test' } });
    await sending.promise;
    const stopped: string[] = [];
    const { usage, reconciler, janitor, webhooks } = app;
    for (const [name, job] of Object.entries({ usage, reconciler, janitor, webhooks })) {
      const stop = job.stop.bind(job);
      job.stop = async () => {
        await stop();
        stopped.push(name);
      };
    }
    const closed = app.stop();
    try {
      await expect.poll(() => stopped.toSorted()).toEqual(['janitor', 'reconciler', 'usage', 'webhooks']);
    } finally {
      accepted.resolve();
      await closed;
    }
  });
});
