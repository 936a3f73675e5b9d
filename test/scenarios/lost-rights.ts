/** The ways in which a caller with valid credentials loses its rights. */
import { SCOPES } from '../../src/auth/policy.ts';
import type { TestApp } from '../support/app.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { addMember, type Member, signIn } from '../support/fixtures/members.ts';

/** An administrator of acme, or its key. */
export interface Loser {
  readonly headers: Readonly<Record<string, string>>;
  readonly member: Member;
  readonly keyId: number;
}

export interface Loss {
  readonly title: string;
  /** Whether the caller uses an API key instead of an access token. */
  readonly withKey: boolean;
  /** The code with which all requests are refused; undefined if the caller keeps some rights. */
  readonly code: 'invalid_token' | undefined;
  /** Revokes the rights through the API, as an administrator. */
  take(app: TestApp, loser: Loser): Promise<unknown>;
  /** SQL that revokes the rights directly, so that no instance is notified. */
  readonly sql: (loser: Loser) => string;
}

const remove: Pick<Loss, 'code' | 'take' | 'sql'> = {
  code: 'invalid_token',
  take: (app, { member }) => app.delete(`/v1/orgs/acme/users/${member.id}`, { as: 'ada' }),
  sql: ({ member }) => `update users set removed_at = created_at where id = ${member.id}`,
};

export const LOSSES: readonly Loss[] = [
  { title: 'a removed person', withKey: false, ...remove },
  { title: "a removed person's API key", withKey: true, ...remove },
  {
    title: 'a deleted API key',
    withKey: true,
    code: 'invalid_token',
    take: (app, { keyId }) => app.delete(`/v1/api-keys/${keyId}`, { as: 'ada' }),
    sql: ({ keyId }) => `update api_keys set revoked_at = created_at where id = ${keyId}`,
  },
  {
    title: 'a demoted person',
    withKey: false,
    code: undefined,
    take: (app, { member }) =>
      app.patch(`/v1/orgs/acme/users/${member.id}`, { as: 'ada', body: { role: 'viewer' } }),
    sql: ({ member }) => `update users set role = 'viewer' where id = ${member.id}`,
  },
];

/** Adds a member with all rights. */
export async function newLoser(app: TestApp, { withKey }: Loss): Promise<Loser> {
  const member = await addMember(app, 'admin');
  const { token } = await signIn(app, member);
  const { id: keyId, key } = await createKey(app, { scopes: SCOPES }, { token });
  return {
    member,
    keyId,
    headers: { authorization: withKey ? `ApiKey ${key}` : `Bearer ${token}` },
  };
}

/** SQL that restores the rights. */
export const restoring = ({ member, keyId }: Loser): readonly string[] => [
  `update users set removed_at = null, role = 'admin' where id = ${member.id}`,
  `update api_keys set revoked_at = null where id = ${keyId}`,
];
