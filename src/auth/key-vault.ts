import { createVault, type Vault } from '../core/vault.ts';
import type { Keys } from './keys.ts';

const PURPOSE = 'vault';

/** Creates the vault of these keys: it seals with the signing key, and opens with every key that is still in the file. */
export function keyVault(keys: Keys): Vault {
  return createVault({
    newest: () => keys.namedSecret(PURPOSE),
    find: (kid) => keys.secretOf(kid, PURPOSE),
  });
}
