/** Sessions that end by signing out. */
import { expect, test } from 'vitest';
import { describeEachEngine } from '../support/engines.ts';
import { REFUSED, sessionBench } from './session-bench.ts';

const SECOND = 1000;

describeEachEngine('signing out', (engine) => {
  const people = sessionBench(engine);
  const { login, mySessions, myEvents } = people;

  test('ends the session with all its refresh tokens, without an event', async () => {
    const first = await login();
    const second = await people.sessions.refresh(first.refreshToken);
    await people.sessions.logout(second.refreshToken);
    for (const { refreshToken } of [first, second]) {
      await expect(people.sessions.refresh(refreshToken)).rejects.toMatchObject(REFUSED);
    }
    expect(await mySessions()).toEqual([expect.objectContaining({ revokedReason: 'logout' })]);
    expect(await myEvents()).toEqual([]);
  });

  test('accepts an earlier refresh token once, and ignores unknown ones', async () => {
    const first = await login();
    await people.sessions.refresh(first.refreshToken);
    await people.sessions.logout(first.refreshToken);
    const before = await mySessions();
    expect(before).toEqual([expect.objectContaining({ revokedReason: 'logout' })]);
    people.clock.advance(SECOND);
    await people.sessions.logout(first.refreshToken);
    await people.sessions.logout(`prt_${'A'.repeat(43)}`);
    await people.sessions.logout('garbage\0');
    expect(await mySessions()).toEqual(before);
  });

  test('does not end other sessions of the user', async () => {
    const here = await login();
    const there = await login();
    await people.sessions.logout(here.refreshToken);
    await expect(people.sessions.refresh(there.refreshToken)).resolves.toBeDefined();
  });
});
