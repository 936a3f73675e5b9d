/** Whether the time that a sign-in takes reports which addresses have an account. */
import { beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/auth/passwords.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { difference } from '../support/timing.ts';

/**
 * Sign-ins with each kind of address. So few see a hash that is not made, and nearly always that there is nothing to be seen;
 * so many are asked when chance has made a difference.
 */
const FEW_PAIRS = 20;
const MANY_PAIRS = 100;

/** What the mean times may differ by, as a part of them. Looking no hash up at all makes them differ by more than half. */
const TOLERANCE = 0.1;

/** Milliseconds of processor time, of all threads: what else the machine does is not among them. */
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

describeEachEngine('a wrong password', (engine) => {
  const app = startApp(engine, {
    signIns: { perAccount: 1_000_000, fromUnknown: 1_000_000, perAddress: 1_000_000 },
  });

  // The people of the demo have hashes here that take no time.
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
    // Chance can do this once; a difference that is there is there again.
    if (Math.abs(measured) >= TOLERANCE) measured = await compare(MANY_PAIRS);
    expect(Math.abs(measured)).toBeLessThan(TOLERANCE);
  });

  test('asks the database the same for an address that no one has', async () => {
    const statementsOf = async (email: string) => {
      await timeOf(app, email);
      // Entries about the requests before are written after their responses.
      return app.statements.filter((statement) => !statement.startsWith('auditEntries.'));
    };
    const known = await statementsOf('ed@acme.test');
    expect(known).not.toEqual([]);
    expect(await statementsOf('eb@acme.test')).toEqual(known);
  });
});
