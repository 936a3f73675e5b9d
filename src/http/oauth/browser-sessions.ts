/**
 * The sessions of browsers at the authorization server, which end when the person's password changes. Each contains a stamp of the
 * password with which the person signed in.
 */
import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { UserRow } from '../../db/rows.ts';

/** The member of a session, of the result of a sign-in and of an account that has the stamp. */
export const STAMP = 'password_stamp';

/** Returns a text that changes with the person's password. */
export const passwordStamp = ({ passwordHash }: Pick<UserRow, 'passwordHash'>): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');

/** Makes sessions keep their stamp when they are stored. */
export function keepStamps({ Session }: Provider): void {
  // The types of oidc-provider lack the names of the stored members.
  const { IN_PAYLOAD: stored } = Session as unknown as { readonly IN_PAYLOAD: readonly string[] };
  Object.defineProperty(Session, 'IN_PAYLOAD', { value: [...stored, STAMP] });
}

/**
 * Whether the password has changed since the sign-in of the session. The stamp comes from the sign-in itself: a change between the
 * sign-in and the first use of the session counts, too.
 */
export function hasOldPassword({ oidc: { session, account, result } }: KoaContextWithOIDC): boolean {
  if (!session || !account) return false;
  const signedIn: unknown = result?.login && Reflect.get(result.login, STAMP);
  if (signedIn !== undefined) Reflect.set(session, STAMP, signedIn);
  return Reflect.get(session, STAMP) !== account[STAMP];
}
