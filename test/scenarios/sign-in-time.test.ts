/** Whether the time that a sign-in takes reports which addresses have an account. */
import { beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/auth/passwords.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

/**
 * Sign-ins with each kind of address. So few see a hash that is not made, and nearly always that there is nothing to be seen;
 * so many are asked when chance has made a difference of what a busy machine does to few.
 */
const FEW_PAIRS = 60;
const MANY_PAIRS = 200;

/** What the mean times may differ by, as a part of them. Looking no hash up at all makes them differ by more than half. */
const TOLERANCE = 0.1;

/**
 * The part of the pairs that is left out at either end, so that the middle fifth is left. Whatever else the machine does
 * comes in between seldom and for long. With a fifth instead, a busy machine shows differences of 4 % where there are none.
 */
const TRIMMED = 0.4;

const SECOND = 1000;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of what is left when the greatest and the smallest are left out, so that a pause of the machine weighs nothing. */
function trimmedMean(values: readonly number[]): number {
  const cut = Math.floor(values.length * TRIMMED);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

async function timeOf(app: TestApp, email: string): Promise<number> {
  const start = performance.now();
  const { status } = await app.post('/v1/auth/login', { body: { email, password: 'wrong' } });
  const time = performance.now() - start;
  expect(status).toBe(401);
  return time;
}

/**
 * By how much known addresses take longer than unknown ones, as a part of the mean.
 *
 * One of each is asked right after the other, and the first of them by turns, so that a machine that gets slower or
 * faster, and whatever the first leaves behind for the second, cancel out in the differences.
 */
async function difference(app: TestApp, pairs: number): Promise<number> {
  const differences: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const unknown = () => timeOf(app, `eb-${pairs}-${pair}@acme.test`);
    const known = () => timeOf(app, 'ed@acme.test');
    const isKnownFirst = pair % 2 === 0;
    const first = await (isKnownFirst ? known : unknown)();
    const second = await (isKnownFirst ? unknown : known)();
    differences.push(isKnownFirst ? first - second : second - first);
    times.push(first, second);
  }
  return trimmedMean(differences) / trimmedMean(times);
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

  test('takes the same time for an address that no one has', { timeout: 60 * SECOND }, async () => {
    for (let warmUp = 0; warmUp < 10; warmUp += 1) await timeOf(app, 'ed@acme.test');
    let measured = await difference(app, FEW_PAIRS);
    // Chance can do this once; a difference that is there is there again.
    if (Math.abs(measured) >= TOLERANCE) measured = await difference(app, MANY_PAIRS);
    expect(Math.abs(measured)).toBeLessThan(TOLERANCE);
  });
});
