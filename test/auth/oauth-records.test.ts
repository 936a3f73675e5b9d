/** Records of the authorization server as they are stored, also by other versions. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { DEVICE_CODE, purgeDeviceCodes, purgeOAuthRecords } from '../../src/db/queries/oauth-records.ts';
import { OAuthAdapter } from '../../src/http/oauth/adapter.ts';
import { createTokenFinder, OAuthRecords } from '../../src/http/oauth/records.ts';
import type { Services } from '../../src/pipeline/context.ts';
import { describeEachEngine } from '../support/engines.ts';
import { testClock, testVault } from '../support/test-doubles.ts';

const LIFETIME = LIMITS.deviceCodeLifetime / 1000;

describeEachEngine('a record of the authorization server', (engine) => {
  const clock = testClock();
  const vault = testVault();
  /** Nothing here is paid for: that takes a request of oidc-provider. */
  const partsOf = (): Pick<Services, 'database' | 'vault' | 'budget' | 'clock'> => ({
    database: engine.database,
    vault,
    clock,
    budget: undefined as never,
  });
  const purge = (run: typeof purgeOAuthRecords, keep: number) =>
    engine.database.transaction((tx) => run(tx, new Date(clock().getTime() - keep), 100));

  describe.each([DEVICE_CODE, 'Interaction'])('of the kind %s', (model) => {
    test('has a row with its own expiry, whatever the time for which it is still found', async () => {
      const records = new OAuthRecords(model, partsOf());
      await records.save(`${model} 1`, {}, LIFETIME);
      const expiry = new Date(clock().getTime() + LIFETIME * 1000);
      expect((await records.find(`${model} 1`))?.row.expiresAt).toEqual(expiry);
    });

    test('is found, and kept, as long as it may be looked up', async () => {
      const records = new OAuthRecords(model, partsOf());
      const isFound = async () => (await records.find(`${model} 2`)) !== undefined;
      const retention = model === DEVICE_CODE ? LIMITS.expiredCodeRetention : 0;
      await records.save(`${model} 2`, {}, LIFETIME);
      clock.advance(LIMITS.deviceCodeLifetime + retention - 1);
      await purge(purgeOAuthRecords, 0);
      await purge(purgeDeviceCodes, LIMITS.expiredCodeRetention);
      expect(await isFound()).toBe(true);
      clock.advance(1);
      expect(await isFound()).toBe(false);
    });
  });

  test('of a device that has expired has an expiry in the past, which oidc-provider does not take for a missing one', async () => {
    // It needs keys and a URL for other kinds of records only.
    const others = { keys: undefined as never, publicUrl: '' };
    const codes = new OAuthAdapter(DEVICE_CODE, { ...partsOf(), ...others });
    const exp = clock().getTime() / 1000 + LIFETIME;
    await codes.upsert('device', { exp }, LIFETIME);
    expect(await codes.find('device')).toMatchObject({ exp });
    clock.advance(LIMITS.deviceCodeLifetime);
    const found = await codes.find('device');
    expect(found?.exp).toBeGreaterThan(0);
    expect(found?.exp).toBeLessThan(exp);
  });

  test('of an own token without a scope, which former versions did not store, is refused, so that the app requests another', async () => {
    const find = createTokenFinder(partsOf());
    const tokens = new OAuthRecords('ClientCredentials', partsOf());
    const claims = { org: 'acme', role: 'admin', gid: '1', sub: '1' };
    await tokens.save('former', { scope: 'read:orders', extra: claims }, LIFETIME);
    await tokens.save('present', { extra: { ...claims, scope: 'read:orders' } }, LIFETIME);
    expect(await find('former')).toBeUndefined();
    expect(await find('present')).toMatchObject({ scope: 'read:orders', role: 'admin' });
  });
});
