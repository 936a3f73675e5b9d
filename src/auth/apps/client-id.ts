/** The client id of an app at the authorization server: `app_<id>`. It is public. */
const SHAPE = /^app_([1-9][0-9]{0,14})$/;

export const clientIdOf = (appId: number): string => `app_${appId}`;

/** Returns the id of the app, undefined for a text that is not a client id. */
export function appIdOf(clientId: string): number | undefined {
  const id = SHAPE.exec(clientId)?.[1];
  return id === undefined ? undefined : Number(id);
}
