/** Rounds of the reconciler: their delays, and several instances. */
import { beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Reconciler } from '../../src/jobs/reconciler.ts';
import { createSandbox } from '../../src/payments/sandbox.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { postCharge } from '../support/fixtures/charges.ts';
import { DEFAULTS } from '../support/settings.ts';
import { chargesOfEachTest, TAKEN } from './charge-traces.ts';
import { FAULTS, FaultyGateway } from './faulty-gateway.ts';

describeEachEngine('the reconciler', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });

  beforeEach(() => app.signOutAll());
  const { newest, traces } = chargesOfEachTest(engine, app);
  const checkAt = async () => {
    const [row] = await engine.place.query(`select check_at from charges where id = ${await newest()}`);
    return row?.['check_at'];
  };

  /** Creates a charge whose money has moved, with an unknown outcome. */
  async function losingCharge(): Promise<void> {
    gateway.next(FAULTS['moves the money and returns nonsense']);
    await postCharge(app);
  }

  test('retries with growing delays while the gateway is unavailable', async () => {
    await losingCharge();
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      app.clock.advance(LIMITS.reconcileAfter * 2 ** round);
      gateway.next(FAULTS['is down']);
      const calls = gateway.calls;
      await app.reconciler.sweep();
      expect(gateway.calls).toBe(calls + 1);
      await app.reconciler.sweep();
      expect(gateway.calls, 'not at once').toBe(calls + 1);
      const at = new Date((await checkAt()) as string | number);
      pauses.push((at.getTime() - app.clock().getTime()) / LIMITS.reconcileAfter);
    }
    expect(pauses).toEqual([1, 3, 7, 15]);
    app.clock.advance(LIMITS.reconcilePause);
    await app.reconciler.sweep();
    expect(await traces()).toEqual([TAKEN]);
    expect(await checkAt()).toBeNull();
  });

  engine.testConcurrent('of several instances queries the gateway once for each charge', async () => {
    const CHARGES = 10;
    for (let made = 0; made < CHARGES; made += 1) await losingCharge();
    app.clock.advance(LIMITS.reconcileAfter);
    let queries = 0;
    const instances = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const database = await engine.open();
        const sandbox = createSandbox({ database, clock: app.clock });
        return new Reconciler({
          ...DEFAULTS.payments,
          database,
          clock: app.clock,
          gateway: {
            ...sandbox,
            recover: (request) => {
              queries += 1;
              return sandbox.recover(request);
            },
          },
          onOpen: (error) => {
            throw error;
          },
          onConflict: (conflict) => {
            throw new Error(JSON.stringify(conflict));
          },
          onFailure: (error) => {
            throw error;
          },
        });
      }),
    );
    await Promise.all(instances.map((instance) => instance.sweep()));
    expect(queries).toBe(CHARGES);
    expect(await traces()).toEqual(Array.from({ length: CHARGES }, () => TAKEN));
  });
});
