import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Keys, loadKeys } from '../../src/auth/keys.ts';
import { Tokens } from '../../src/auth/tokens.ts';
import { type TestClock, testClock } from '../support/test-doubles.ts';

export const ISSUER = 'https://portico.test';
export const AUDIENCE = 'https://portico.test/api';

/** A temporary directory for one test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-auth-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export interface TokenBench {
  readonly clock: TestClock;
  readonly keys: Keys;
  readonly keysFile: string;
  readonly tokens: Tokens;
}

/** Keys in a temporary file, and tokens signed with them. */
export async function tokenBench(
  options: { capacity?: number; clock?: TestClock } = {},
): Promise<TokenBench> {
  const clock = options.clock ?? testClock();
  const keysFile = join(await temporaryDirectory(), 'keys.json');
  const keys = await loadKeys({
    file: keysFile,
    createWhenMissing: true,
    clock,
    time: () => clock().getTime(),
  });
  const tokens = new Tokens({
    keys,
    issuer: ISSUER,
    audience: AUDIENCE,
    clock,
    ...(options.capacity !== undefined && { capacity: options.capacity }),
  });
  return { clock, keys, keysFile, tokens };
}
