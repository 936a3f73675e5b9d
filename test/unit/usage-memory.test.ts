/** Counted names do not keep the documents of clients in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/policy.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Database } from '../../src/db/database.ts';
import { Usage } from '../../src/pipeline/usage.ts';
import { testClock } from '../support/test-doubles.ts';

const MB = 1_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('counting an operation name does not keep its document in memory', async () => {
  const clock = testClock();
  // The counts are written and reset, but the names are kept.
  const database = { transaction: async () => undefined } as unknown as Database;
  const usage = new Usage({ database, clock, onFailure: () => expect.unreachable() });
  // The only members that counting uses.
  const principal = { org: 'acme' } as Principal;
  const before = heapUsed();
  for (let number = 1; number < LIMITS.usageOperations; number += 1) {
    const document = Buffer.alloc(MB, `query NameOfManyCharacters${number} `).toString();
    const name = document.slice('query '.length, document.indexOf(' ', 'query '.length));
    usage.noteOperation(principal, { door: 'graphql', name, at: clock(), isError: false, points: 1 });
  }
  await usage.write();
  // Other tests of the process may leave garbage that one collection does not find.
  await expect.poll(() => heapUsed() - before).toBeLessThan(10 * MB);
  // The counter still exists, with all the names.
  usage.noteOperation(principal, { door: 'graphql', name: 'Last', at: clock(), isError: false, points: 1 });
});
