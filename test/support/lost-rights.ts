/** Callers who lose the rights that their credentials speak of, in each way in which that happens. */
import { SCOPES } from '../../src/auth/policy.ts';
import { createKey } from './api-keys.ts';
import type { TestApp } from './app.ts';
import { addMember, type Member, signIn } from './members.ts';

/** An administrator of acme, or its key. */
export interface Loser {
  readonly headers: Readonly<Record<string, string>>;
  readonly member: Member;
  readonly keyId: number;
}

export interface Loss {
  readonly title: string;
  /** Whether the caller shows an API key, and not an access token. */
  readonly withKey: boolean;
  /** The code that everything is refused with; undefined where less is left rather than nothing. */
  readonly code: 'invalid_token' | undefined;
  /** Takes the rights away, as an administrator does. */
  take(app: TestApp, loser: Loser): Promise<unknown>;
  /** The same past the server's code, so that no instance has a chance to hear of it: SQL. */
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

/** Somebody new, with all rights that there are. */
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

/** Gives back, by SQL, what was taken away by SQL. */
export const restoring = ({ member, keyId }: Loser): readonly string[] => [
  `update users set removed_at = null, role = 'admin' where id = ${member.id}`,
  `update api_keys set revoked_at = null where id = ${keyId}`,
];
