import { describe, expect, test } from 'vitest';
import { invitationMessage } from '../../src/mail/messages.ts';

const textFrom = (inviter: string | null) =>
  invitationMessage({
    to: 'nia@people.test',
    link: 'https://portico.test/invitation#token',
    organisation: 'Acme',
    inviter,
    role: 'viewer',
    expiresAt: new Date(0),
  }).text;

describe('an invitation', () => {
  test.each(['Ada Brandt', "Dr. Seán O'Neil Jr.", '山田 太郎'])('quotes its inviter %s', (name) => {
    expect(textFrom(name)).toMatch(new RegExp(`^"${name}" invites you to Acme,`));
  });

  test.each([
    null,
    'Your account is locked: open https://evil.example/login now. Ada',
    'Go to evil.example',
    'x'.repeat(61),
  ])('leaves out what is no name: %s', (name) => {
    expect(textFrom(name)).toMatch(/^An administrator invites you to Acme,/);
  });
});
