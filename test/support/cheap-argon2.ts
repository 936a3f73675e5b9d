/**
 * Replaces the package that hashes passwords, in tests: each hash gets the minimum cost. Tests create hundreds of users that sign in, and
 * their hashes would take a tenth of the time of a run. Verification uses the parameters of the hash.
 */
import { hash as argon2, type Options } from '@node-rs/argon2';
import { afterAll, beforeAll } from 'vitest';

export { verify } from '@node-rs/argon2';

/** The minimum cost of argon2. */
const MINIMUM: Options = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let isCheap = true;

export const hash = (password: string, options?: Options): Promise<string> =>
  argon2(password, isCheap ? { ...options, ...MINIMUM } : options);

/** Keeps the cost of the server in a test file, for tests of this cost or of its duration. Call it once at the top of the file. */
export function hashAtFullCost(): void {
  beforeAll(() => {
    isCheap = false;
  });
  afterAll(() => {
    isCheap = true;
  });
}
