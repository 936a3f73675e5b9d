import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { createVault, type Vault } from '../../src/core/vault.ts';

/** Creates a vault with these keys, the newest first; by default with one new key. */
export function testVault(keys: ReadonlyMap<string, KeyObject> = new Map([['a', testKey()]])): Vault {
  return createVault({
    newest() {
      const [newest] = keys;
      if (!newest) throw new Error('The vault has no key.');
      return { kid: newest[0], secret: newest[1] };
    },
    find: async (kid) => keys.get(kid),
  });
}

export const testKey = (): KeyObject => createSecretKey(randomBytes(32));
