import { loadKeys } from '../src/auth/keys.ts';
import { createTokens } from '../src/auth/tokens.ts';
import { systemClock } from '../src/clock.ts';
import { PUBLIC_URL } from './servers.ts';

/** What finding out who calls takes, in microseconds. */
export interface TokenCost {
  readonly cached: number;
  readonly fresh: number;
}

const FRESH = 1000;
const CACHED = 300_000;

/** Measures the server's own verification in this process: of tokens seen for the first time, and of one seen before. */
export async function measureTokens(keysFile: string): Promise<TokenCost> {
  const keys = await loadKeys({ file: keysFile, createWhenMissing: false, clock: systemClock });
  const tokens = createTokens({ keys, issuer: PUBLIC_URL, audience: PUBLIC_URL, clock: systemClock });
  const issue = async () => {
    const subject = { userId: 1, org: 'acme', role: 'admin', scopes: ['read:orders'] } as const;
    return (await tokens.issue(subject)).accessToken;
  };
  const known = await issue();
  await tokens.verify(known);
  const unknown: string[] = [];
  for (let n = 0; n < 2 * FRESH; n += 1) unknown.push(await issue());
  const [warmUp, counted] = [unknown.slice(0, FRESH), unknown.slice(FRESH)];

  for (const token of warmUp) await tokens.verify(token);
  const fresh = await microsecondsEach(FRESH, async () => {
    for (const token of counted) await tokens.verify(token);
  });
  const repeat = () => {
    for (let n = 0; n < CACHED; n += 1) tokens.verify(known);
  };
  repeat();
  return { cached: await microsecondsEach(CACHED, repeat), fresh };
}

async function microsecondsEach(count: number, work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return ((performance.now() - start) * 1000) / count;
}
