/** The time of a request for a password reset does not reveal which addresses have an account. */
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { difference } from '../support/timing.ts';

/** Pairs of requests in the first round, and in the second round if chance or load made a difference in the first. */
const FEW_PAIRS = 300;
const MANY_PAIRS = 1500;

/** The maximum difference of the mean times, as a fraction. */
const TOLERANCE = 0.1;

async function timeOf(app: TestApp, email: string): Promise<number> {
  const start = performance.now();
  const { status } = await app.post('/v1/auth/password-resets', { body: { email } });
  const time = performance.now() - start;
  expect(status).toBe(202);
  return time;
}

describeEachEngine('a request for a password reset', (engine) => {
  const app = startApp(engine, { mail: { perAddress: 1_000_000 } });

  // Mail is sent meanwhile, so that its time is measured too.
  beforeAll(() => app.outbox.start());

  test('takes the same time for an unknown address', async () => {
    const compare = (pairs: number) =>
      difference(pairs, {
        one: () => timeOf(app, 'ed@acme.test'),
        other: (pair) => timeOf(app, `eb-${pairs}-${pair}@acme.test`),
      });
    await compare(20);
    let measured = await compare(FEW_PAIRS);
    // Chance can cause this once, but a real difference appears again.
    if (Math.abs(measured) >= TOLERANCE) measured = await compare(MANY_PAIRS);
    expect(Math.abs(measured)).toBeLessThan(TOLERANCE);
    await expect.poll(() => app.mails.length).toBeGreaterThanOrEqual(FEW_PAIRS);
  });
});
