/** Signing in with a password: accepted credentials, and the granted scopes. */
import { describe, expect, test } from 'vitest';
import { ROLE_SCOPES, SCOPES } from '../../src/auth/policy.ts';
import { hashSecret } from '../../src/auth/random-secrets.ts';
import { describeEachEngine } from '../support/engines.ts';
import { ADDRESS, hashOfPassword, PASSWORD, scopesOf, sessionBench } from './session-bench.ts';

const DAY = 86_400_000;

describeEachEngine('signing in', (engine) => {
  const people = sessionBench(engine);
  const { login, mySessions, myTokens, newUser } = people;

  describe('with a password', () => {
    test('returns an access token with all scopes of the role, and a refresh token', async () => {
      const given = await login();
      expect(given).toEqual({
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^prt_[\w-]{43}$/),
        deviceToken: expect.stringMatching(/^pdt_[\w-]+$/),
        tokenType: 'Bearer',
        expiresIn: 900,
      });
      const principal = await people.tokens.verify(given.accessToken);
      expect(principal).toMatchObject({
        userId: people.userId,
        org: 'acme',
        role: 'editor',
        scopes: ROLE_SCOPES.editor,
      });
    });

    test('stores only the hash of the refresh token', async () => {
      const { refreshToken } = await login();
      const [session] = await mySessions();
      const [stored] = await myTokens();
      expect(stored).toMatchObject({ tokenHash: hashSecret(refreshToken), rotatedAt: null });
      expect(JSON.stringify([session, stored])).not.toContain(refreshToken.slice('prt_'.length));
      expect(session?.expiresAt.getTime()).toBe(people.clock().getTime() + 30 * DAY);
    });

    test('accepts an address in any case and with surrounding spaces', async () => {
      const typed = ` ${people.email.toUpperCase()}\n`;
      await expect(
        people.sessions.login({ address: ADDRESS, email: typed, password: PASSWORD }),
      ).resolves.toBeDefined();
    });

    test.each([
      ['a wrong password', hashOfPassword, () => ({ email: people.email, password: 'portico-demO' })],
      ['an empty password', hashOfPassword, () => ({ email: people.email, password: '' })],
      ['an unknown address', null, () => ({ email: 'unknown@acme.test', password: PASSWORD })],
      ['an empty address', null, () => ({ email: '', password: PASSWORD })],
      ['an address with a NUL', null, () => ({ email: `${people.email}\0`, password: PASSWORD })],
      ['an address with a wildcard', null, () => ({ email: '%', password: PASSWORD })],
      [
        'an address that is too long',
        null,
        () => ({ email: `${'a'.repeat(250)}@acme.test`, password: PASSWORD }),
      ],
      ['half of a surrogate pair', null, () => ({ email: `\ud800${people.email}`, password: PASSWORD })],
    ])('refuses %s with the same response, after verifying a password', async (_name, against, attempt) => {
      const failure = {
        code: 'invalid_credentials',
        message: 'The email address or the password is wrong.',
      };
      await expect(people.sessions.login({ address: ADDRESS, ...attempt() })).rejects.toMatchObject(failure);
      expect(people.verifications).toEqual([(await against?.()) ?? null]);
      expect(await mySessions()).toEqual([]);
    });

    test('refuses an account without a password, in the same time', async () => {
      await newUser('viewer', null);
      for (const password of [PASSWORD, '', 'null']) {
        await expect(
          people.sessions.login({ address: ADDRESS, email: people.email, password }),
        ).rejects.toMatchObject({
          code: 'invalid_credentials',
        });
      }
      expect(people.verifications).toEqual([null, null, null]);
    });

    test('refuses a password that is too long', async () => {
      const password = 'x'.repeat(300);
      for (const address of [people.email, 'unknown@acme.test']) {
        await expect(
          people.sessions.login({ address: ADDRESS, email: address, password }),
        ).rejects.toMatchObject({
          code: 'invalid_credentials',
        });
      }
    });
  });

  describe('with fewer scopes', () => {
    test('limits the session to the requested scopes, also after a refresh', async () => {
      const given = await login(['write:docs', 'read:docs', 'read:docs']);
      expect(scopesOf(given)).toEqual(['read:docs', 'write:docs']);
      expect(scopesOf(await people.sessions.refresh(given.refreshToken))).toEqual([
        'read:docs',
        'write:docs',
      ]);
    });

    test.each([
      ['unknown', ['read:docs', 'read:everything'], ['scopes.1']],
      ['beyond the role', ['write:users', 'read:docs', 'manage:webhooks'], ['scopes.0', 'scopes.2']],
      ['names of inherited object members', ['__proto__', 'constructor'], ['scopes.0', 'scopes.1']],
      ['an empty list', [], ['scopes']],
      ['too many', Array.from({ length: SCOPES.length + 1 }, () => 'read:docs'), ['scopes']],
    ])('refuses scopes that are %s, and names them', async (_name, scopes, paths) => {
      const error = await login(scopes).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'validation_failed', details: paths.map((path) => ({ path })) });
      expect(await mySessions()).toEqual([]);
    });

    test('does not validate scopes before the password is verified', async () => {
      const attempt = people.sessions.login({
        address: ADDRESS,
        email: people.email,
        password: 'wrong',
        scopes: ['read:everything'],
      });
      await expect(attempt).rejects.toMatchObject({ code: 'invalid_credentials' });
    });
  });
});
