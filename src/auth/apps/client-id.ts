import type { Principal } from '../policy.ts';

/** The client id of an app at the authorization server: `app_<id>`. It is public. */
const SHAPE = /^app_([1-9][0-9]{0,14})$/;

export const clientIdOf = (appId: number): string => `app_${appId}`;

/** Returns the id of the app, undefined for a text that is not a client id. */
export function appIdOf(clientId: string): number | undefined {
  const id = SHAPE.exec(clientId)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** Returns the id of the app that a caller is; undefined for other callers. */
export const appOf = ({ grant }: Pick<Principal, 'grant'>): number | undefined =>
  grant && appIdOf(grant.clientId);
