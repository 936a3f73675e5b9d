/** The time of a sign-in does not reveal which addresses have an account. */
import { beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/auth/passwords.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { difference } from '../support/timing.ts';
import { hashAtFullCost } from '../support/vitest/cheap-argon2.ts';

/**
 * Sign-ins with each kind of address in the first round: enough to detect a missing hash, and usually to
 * pass. The second round runs if chance has made a difference.
 */
const FEW_PAIRS = 20;
const MANY_PAIRS = 100;

/** The maximum difference of the mean times, as a fraction. Without the hash, they differ by more than half. */
const TOLERANCE = 0.1;

/** Processor time of all threads in milliseconds, so that other load on the machine does not count. */
function workSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function timeOf(app: TestApp, email: string): Promise<number> {
  const start = process.cpuUsage();
  const { status } = await app.post('/v1/auth/login', { body: { email, password: 'wrong' } });
  const time = workSince(start);
  expect(status).toBe(401);
  return time;
}

hashAtFullCost();

describeEachEngine('a wrong password', (engine) => {
  const app = startApp(engine, {
    signIns: { perAccount: 1_000_000, fromUnknown: 1_000_000, perAddress: 1_000_000 },
  });

  // The demo users have hashes here that are fast to verify.
  beforeAll(async () => {
    const hash = await hashPassword(DEMO_PASSWORD);
    await engine.place.query(`update users set password_hash = '${hash}'`);
  });

  test('takes the same time for an unknown address', async () => {
    for (let warmUp = 0; warmUp < 10; warmUp += 1) await timeOf(app, 'ed@acme.test');
    const compare = (pairs: number) =>
      difference(pairs, {
        one: () => timeOf(app, 'ed@acme.test'),
        other: (pair) => timeOf(app, `eb-${pairs}-${pair}@acme.test`),
      });
    let measured = await compare(FEW_PAIRS);
    // Chance can cause this once, but a real difference appears again.
    if (Math.abs(measured) >= TOLERANCE) measured = await compare(MANY_PAIRS);
    expect(Math.abs(measured)).toBeLessThan(TOLERANCE);
  });

  test('runs the same statements for an unknown address', async () => {
    const statementsOf = async (email: string) => {
      await timeOf(app, email);
      // Audit entries of earlier requests are written after their responses.
      return app.statements.filter((statement) => !statement.startsWith('auditEntries.'));
    };
    const known = await statementsOf('ed@acme.test');
    expect(known).not.toEqual([]);
    expect(await statementsOf('eb@acme.test')).toEqual(known);
  });
});
