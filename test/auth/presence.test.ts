import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/policy.ts';
import { Presence } from '../../src/auth/presence.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { holdTime, membersOf, testClock } from '../support/test-doubles.ts';

describeOnSqlite('current rights', (engine) => {
  test('are known after one read, even if it takes longer than changes stay fresh', async () => {
    const time = holdTime();
    let reads = 0;
    const presence = new Presence(
      {
        ...membersOf(engine.database),
        async run(statement, params) {
          reads += 1;
          if (reads > 1) throw new Error('The changes were read again for the same caller.');
          time.advance(LIMITS.presenceAge);
          return engine.database.run(statement, params);
        },
      },
      testClock(),
    );
    const vic: Principal = {
      kind: 'user',
      userId: 4,
      org: 'acme',
      role: 'viewer',
      scopes: new Set(),
      expiresAt: Number.POSITIVE_INFINITY,
    };
    expect(await presence.now(vic)).toEqual(vic);
    presence.close();
  });
});
