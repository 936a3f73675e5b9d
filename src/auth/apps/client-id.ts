/** How an app is named at the authorization server: `app_<id>`. It is public. */
const SHAPE = /^app_([1-9][0-9]{0,14})$/;

export const clientIdOf = (appId: number): string => `app_${appId}`;

/** The id of the app, undefined for a text that names none. */
export function appIdOf(clientId: string): number | undefined {
  const id = SHAPE.exec(clientId)?.[1];
  return id === undefined ? undefined : Number(id);
}
