/** Hostile tokens, on every door: each returns 401, names the accepted credentials, and runs no statement. */
import { describe, expect, test } from 'vitest';
import { Tokens } from '../../src/auth/tokens.ts';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import type { Answer } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { type Forge, GOOD_SUBJECT, HOSTILE_TOKENS, signed } from '../support/inputs/hostile-tokens.ts';
import type { Session } from '../support/response-bodies.ts';
import { codeIn, DOORS, expectRefused } from './credential-doors.ts';

/** HTTP trims or forbids these characters. */
const NOT_IN_A_HEADER = new Set([
  'a space before',
  'a newline after',
  'a newline within',
  'a NUL after',
  '100 KB',
]);

const SENT = HOSTILE_TOKENS.filter(([name]) => !NOT_IN_A_HEADER.has(name));

// They are refused before any statement.
describeOnSqlite('a hostile token', (engine) => {
  const app = startApp(engine);
  const forge = (): Forge => {
    const { keys, clock } = app;
    const tokens = new Tokens({ keys, clock, issuer: PUBLIC_URL, audience: PUBLIC_URL });
    const scopes = ['read:users', ...GOOD_SUBJECT.scopes];
    const issue = async () => (await tokens.issue({ ...GOOD_SUBJECT, scopes })).accessToken;
    return { keys, clock, issuer: PUBLIC_URL, audience: PUBLIC_URL, issue };
  };
  const good = () => signed(forge(), {}, { scopes: ['read:users'] });

  test('the table is complete', () => {
    expect(SENT).toHaveLength(HOSTILE_TOKENS.length - NOT_IN_A_HEADER.size);
  });

  describe.each(DOORS)('over $name', (door) => {
    test('the tokens derive from a valid one', async () => {
      for (const token of [await good(), await forge().issue()]) {
        const reply = await door.ask(app, `Bearer ${token}`);
        expect(reply.status, reply.text).toBe(200);
        expect(codeIn(reply)).toBeUndefined();
      }
    });

    test.each(SENT)('%s is refused', async (_name, make) => {
      const reply = await door.ask(app, `Bearer ${await make(forge())}`);
      expectRefused(reply);
      expect(app.statements).toEqual([]);
    });

    test('a refresh token of a session is refused as an access token', async () => {
      const { body }: Answer<Session> = await app.post('/v1/auth/login', {
        body: { email: 'ed@acme.test', password: DEMO_PASSWORD },
      });
      expectRefused(await door.ask(app, `Bearer ${body.refresh_token}`));
    });

    test('an expired token is refused with its own code', async () => {
      const token = await signed(forge(), {}, { exp: app.clock().getTime() / 1000 });
      expectRefused(await door.ask(app, `Bearer ${token}`), 'token_expired');
    });

    test('two Authorization headers are refused, even if both are valid', async () => {
      const line = `Authorization: Bearer ${await good()}`;
      const one = await door.askRaw(app, [line]);
      expect(one.status, one.text).toBe(200);
      expectRefused(await door.askRaw(app, [line, line]));
      expectRefused(await door.askRaw(app, [line, 'aUTHORIZATION: Bearer x']));
      expectRefused(await door.askRaw(app, ['Authorization: Basic YTpi', line]));
    });
  });

  test('the log contains none of the tokens', async () => {
    const token = await good();
    await DOORS[0]?.ask(app, `Bearer ${token}x`);
    expect(app.log.join('')).toContain('"status":401');
    expect(app.log.join('')).not.toContain(token.slice(-40));
  });
});
