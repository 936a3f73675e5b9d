import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { createVault, type Vault } from '../../src/core/vault.ts';

/** A vault with these keys, the newest first, or with a new one. */
export function testVault(keys: ReadonlyMap<string, KeyObject> = new Map([['a', testKey()]])): Vault {
  return createVault({
    newest() {
      const [newest] = keys;
      if (!newest) throw new Error('A vault has a key.');
      return { kid: newest[0], secret: newest[1] };
    },
    find: async (kid) => keys.get(kid),
  });
}

export const testKey = (): KeyObject => createSecretKey(randomBytes(32));
