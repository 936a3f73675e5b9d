/**
 * Replaces the package that hashes passwords, in tests: each hash gets the minimum cost. Tests create hundreds of users that sign in, and
 * their hashes would take a tenth of the time of a run.
 */
import { hash as argon2, type Options, verify as verifyArgon2 } from '@node-rs/argon2';
import { afterAll, beforeAll } from 'vitest';

/** The minimum cost of argon2, as options and in a hash. */
const MINIMUM: Options = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const MINIMUM_IN_HASH = 'm=8,t=1,p=1';

let isCheap = true;

export const hash = (password: string, options?: Options): Promise<string> =>
  argon2(password, isCheap ? { ...options, ...MINIMUM } : options);

/** The only hash with another cost is the one that matches no password. With the minimum cost, it does not match either. */
export const verify = (hashed: string, password: string): Promise<boolean> =>
  verifyArgon2(isCheap ? hashed.replace(/m=\d+,t=\d+,p=\d+/, MINIMUM_IN_HASH) : hashed, password);

/** Keeps the cost of the server in a test file, for tests of this cost or of its duration. Call it once at the top of the file. */
export function hashAtFullCost(): void {
  beforeAll(() => {
    isCheap = false;
  });
  afterAll(() => {
    isCheap = true;
  });
}
