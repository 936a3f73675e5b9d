/** Refresh tokens: each is valid once, and a second use indicates a theft. */
import { expect, test } from 'vitest';
import { rotateKeyFile } from '../../src/auth/key-file.ts';
import { ROLE_SCOPES, SCOPES } from '../../src/auth/policy.ts';
import { describeEachEngine } from '../support/engines.ts';
import { REFUSED, scopesOf, sessionBench } from './session-bench.ts';

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

describeEachEngine('refreshing a session', (engine) => {
  const people = sessionBench(engine);
  const { login, mySessions, myTokens, myEvents, newUser, secondInstance } = people;

  test('returns a new pair each time', async () => {
    const first = await login();
    people.clock.advance(15 * 60 * SECOND);
    const second = await people.sessions.refresh(first.refreshToken);
    const third = await people.sessions.refresh(second.refreshToken);
    const pairs = [first, second, third];
    expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(3);
    expect(new Set(pairs.map((pair) => pair.accessToken)).size).toBe(3);
    await expect(people.tokens.verify(third.accessToken)).resolves.toMatchObject({
      userId: people.userId,
      role: 'editor',
    });
    expect(await myEvents()).toEqual([]);
  });

  test('a well-formed unknown token is refused', async () => {
    await expect(people.sessions.refresh(`prt_${'A'.repeat(43)}`)).rejects.toMatchObject(REFUSED);
  });

  test.each([
    '',
    'prt_',
    `prt_${'A'.repeat(42)}B`,
    `PRT_${'A'.repeat(43)}`,
    `prt_${'A'.repeat(43)}=`,
    ` prt_${'A'.repeat(43)}`,
    "prt_' or 1=1 --",
    'prt_\0',
    'x'.repeat(100_000),
  ])('%j is refused', async (token) => {
    await expect(people.sessions.refresh(token)).rejects.toMatchObject(REFUSED);
  });

  test('an access token is not accepted as a refresh token', async () => {
    const { accessToken } = await login();
    await expect(people.sessions.refresh(accessToken)).rejects.toMatchObject(REFUSED);
  });

  test('within ten seconds a repeat returns the same successor, any number of times', async () => {
    const { refreshToken } = await login();
    const first = await people.sessions.refresh(refreshToken);
    people.clock.advance(10 * SECOND);
    const again = await people.sessions.refresh(refreshToken);
    expect(again.refreshToken).toBe(first.refreshToken);
    await expect(people.tokens.verify(again.accessToken)).resolves.toMatchObject({ userId: people.userId });
    await expect(people.sessions.refresh(again.refreshToken)).resolves.toBeDefined();
    expect(await myTokens()).toHaveLength(3);
    expect(await myEvents()).toEqual([]);
  });

  test('a later repeat ends the session, with an event in the organisation', async () => {
    const { refreshToken } = await login();
    const { refreshToken: successor } = await people.sessions.refresh(refreshToken);
    people.clock.advance(10 * SECOND + 1);
    await expect(people.sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);

    const [session] = await mySessions();
    expect(session).toMatchObject({ revokedAt: people.clock(), revokedReason: 'refresh_token_reused' });
    expect(await myEvents()).toEqual([
      expect.objectContaining({
        org: 'acme',
        type: 'session.revoked',
        actorId: null,
        subjectType: 'session',
        subjectId: session?.id,
        data: { reason: 'refresh_token_reused', user_id: people.userId },
        createdAt: people.clock(),
      }),
    ]);
    await expect(people.sessions.refresh(successor)).rejects.toMatchObject(REFUSED);
    await expect(people.sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
    expect(await myEvents()).toHaveLength(1);
  });

  test('a repeat within ten seconds ends the session if the successor was used', async () => {
    const { refreshToken } = await login();
    const { refreshToken: successor } = await people.sessions.refresh(refreshToken);
    const { refreshToken: third } = await people.sessions.refresh(successor);
    await expect(people.sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
    expect(await mySessions()).toEqual([expect.objectContaining({ revokedReason: 'refresh_token_reused' })]);
    expect((await myEvents()).map(({ type }) => type)).toEqual(['session.revoked']);
    for (const ended of [refreshToken, successor, third]) {
      await expect(people.sessions.refresh(ended)).rejects.toMatchObject(REFUSED);
    }
  });

  engine.testConcurrent(
    'a token and its successor at once on two instances: a token that arrives after its successor was used ends the session',
    async () => {
      const other = await secondInstance();
      for (let round = 0; round < 10; round += 1) {
        await newUser('editor');
        const { refreshToken } = await login();
        const { refreshToken: successor } = await people.sessions.refresh(refreshToken);
        const [again, next] = await Promise.allSettled([
          people.sessions.refresh(refreshToken),
          other.refresh(successor),
        ]);
        const [session] = await mySessions();
        // Either the token arrived before its successor was used and returned it again, or the session has
        // ended with all its tokens.
        if (again.status === 'fulfilled') {
          expect(again.value.refreshToken).toBe(successor);
          expect([next.status, session?.revokedAt]).toEqual(['fulfilled', null]);
        } else {
          expect(session?.revokedReason).toBe('refresh_token_reused');
          const last = next.status === 'fulfilled' ? next.value.refreshToken : successor;
          await expect(other.refresh(last)).rejects.toMatchObject(REFUSED);
        }
      }
    },
  );

  test('a reuse ends only its own session', async () => {
    const stolen = await login();
    const other = await login();
    await people.sessions.refresh(stolen.refreshToken);
    people.clock.advance(11 * SECOND);
    await expect(people.sessions.refresh(stolen.refreshToken)).rejects.toMatchObject(REFUSED);
    await expect(people.sessions.refresh(other.refreshToken)).resolves.toBeDefined();
  });

  engine.testConcurrent('ten at once on two instances get one successor', async () => {
    const other = await secondInstance();
    const { refreshToken } = await login();
    const pairs = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? other : people.sessions).refresh(refreshToken)),
    );
    expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(1);
    expect(await myTokens()).toHaveLength(2);
    expect(await myEvents()).toEqual([]);
  });

  engine.testConcurrent('ten reuses at once on two instances write one event', async () => {
    const other = await secondInstance();
    const { refreshToken } = await login();
    await people.sessions.refresh(refreshToken);
    people.clock.advance(11 * SECOND);
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? other : people.sessions).refresh(refreshToken)),
    );
    for (const attempt of attempts) expect(attempt).toMatchObject({ status: 'rejected', reason: REFUSED });
    expect(await myEvents()).toHaveLength(1);
  });

  engine.testConcurrent(
    'the successor is the same when the keys are rotated in between, even if one instance has not read them',
    async () => {
      const other = await secondInstance();
      const { refreshToken } = await login();
      const first = await people.sessions.refresh(refreshToken);
      await rotateKeyFile(people.keysFile, people.clock);
      await people.keys.reload();
      expect((await people.sessions.refresh(refreshToken)).refreshToken).toBe(first.refreshToken);

      const second = await people.sessions.refresh(first.refreshToken);
      // The other instance has not read the file since, and still has only the former key.
      expect((await other.refresh(first.refreshToken)).refreshToken).toBe(second.refreshToken);
      expect(await myEvents()).toEqual([]);
    },
  );

  test('the role is read again, and scopes that it no longer includes are removed', async () => {
    await newUser('admin');
    const { refreshToken } = await login(['read:docs', 'write:docs', 'write:users']);
    await people.become('editor');
    const asEditor = await people.sessions.refresh(refreshToken);
    expect(scopesOf(asEditor)).toEqual(['read:docs', 'write:docs']);
    await people.become('viewer');
    const asViewer = await people.sessions.refresh(asEditor.refreshToken);
    expect(await people.tokens.verify(asViewer.accessToken)).toMatchObject({ role: 'viewer' });
    expect(scopesOf(asViewer)).toEqual(['read:docs']);
  });

  test('a higher role takes effect at the next sign-in', async () => {
    const { refreshToken } = await login();
    await people.become('admin');
    const refreshed = await people.sessions.refresh(refreshToken);
    expect(scopesOf(refreshed)).toEqual(SCOPES.filter((scope) => ROLE_SCOPES.editor.has(scope)));
    expect(scopesOf(await login())).toEqual([...SCOPES]);
  });

  test('a removed user has no session in the organisation', async () => {
    const { refreshToken } = await login();
    await people.moveTo('globex');
    await expect(people.sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
  });

  test('a session ends thirty days after the sign-in, however often it was refreshed', async () => {
    let { refreshToken } = await login();
    for (let day = 0; day < 29; day += 1) {
      people.clock.advance(DAY);
      ({ refreshToken } = await people.sessions.refresh(refreshToken));
    }
    people.clock.advance(DAY - 1);
    ({ refreshToken } = await people.sessions.refresh(refreshToken));
    people.clock.advance(1);
    await expect(people.sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
    expect(await myEvents()).toEqual([]);
  });
});
