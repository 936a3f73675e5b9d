import { loadKeys } from '../../src/auth/keys.ts';
import { Tokens } from '../../src/auth/tokens.ts';
import { systemClock } from '../../src/core/clock.ts';
import { PUBLIC_URL } from '../servers.ts';

/** Issues an administrator's token with the scopes that the requests need. Every contestant accepts it. */
export async function issueToken(keysFile: string): Promise<string> {
  const keys = await loadKeys({ file: keysFile, createWhenMissing: false, clock: systemClock });
  const tokens = new Tokens({ keys, issuer: PUBLIC_URL, audience: PUBLIC_URL, clock: systemClock });
  const scopes = ['read:orders', 'write:orders', 'read:users'];
  return (await tokens.issue({ userId: 1, org: 'acme', role: 'admin', scopes })).accessToken;
}
