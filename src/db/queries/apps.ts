/** Apps and their secrets. */

import { and, desc, eq, gt, isNull, lt, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { AppRow, AppSecretRow } from '../rows.ts';
import { equal } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { endIn, insertIn, nextVersion, updateIn } from './shared/changing.ts';
import { countIn, findBy, lookupIn, rowsIn } from './shared/owned.ts';

/** The attributes of an app that can be changed. */
const CHANGEABLE = [
  'name',
  'redirectUris',
  'postLogoutRedirectUris',
  'scopes',
  'tokenFormat',
  'homepageUrl',
] as const;

/** Apps that were not deleted. */
const present = { only: ({ removedAt }: Tables['apps']) => [isNull(removedAt)] };

/** The app with this id, in any organisation: for the authorization server, where apps are clients. */
export const findClientApp = findBy('apps.client', 'apps', ['id'], present.only);

export const insertApp = insertIn('apps', ['org', 'type', ...CHANGEABLE, 'jwks', 'certificateSan'], {
  at: ['createdAt', 'updatedAt'],
});

/** Changes an app. Undefined if it was deleted. */
export const updateApp = updateIn('apps.change', 'apps', CHANGEABLE, {
  at: ['updatedAt'],
  set: nextVersion,
  ...present,
});

export const removeApp = endIn('apps.remove', 'apps', 'removedAt');

/**
 * Locks and returns an app, so that it is neither changed nor deleted before the end of the transaction. It locks the row by an update
 * without effect, which works on both engines. Call it before `queueForMembers` and `holdRights`: in a different order, two transactions
 * could deadlock.
 */
export const holdApp = write.first<{ id: number }, AppRow>('apps.hold', ({ orm, tables: { apps } }, p) =>
  orm
    .update(apps)
    .set({ name: sql`${apps.name}` })
    .where(and(eq(apps.id, p.id), isNull(apps.removedAt)))
    .returning(),
);

/** The valid secrets of an app, the newest first. */
export const secretsOfApp = read.all<{ appId: number }, AppSecretRow>(
  'apps.secrets',
  ({ orm, tables: { appSecrets } }, p) =>
    orm
      .select()
      .from(appSecrets)
      .where(and(eq(appSecrets.appId, p.appId), isNull(appSecrets.revokedAt)))
      .orderBy(desc(appSecrets.id)),
);

export const insertAppSecret = insertIn('appSecrets', ['org', 'appId', 'secretHash'], {
  name: 'apps.insertSecret',
  at: ['createdAt'],
});

/** Revokes the valid secrets of an app with ids below `before`. Returns them. */
export const revokeAppSecrets = write.all<
  { org: string; appId: number; before: number; now: Date },
  AppSecretRow
>('apps.revokeSecrets', ({ orm, tables: { appSecrets } }, p) =>
  orm
    .update(appSecrets)
    .set({ revokedAt: p.now })
    .where(
      and(equal(appSecrets, p, 'appId', 'org'), lt(appSecrets.id, p.before), isNull(appSecrets.revokedAt)),
    )
    .returning(),
);

/** The id and the current scopes of the apps of all organisations that were changed after a point in time. */
export const appsChangedSince = read.all<{ since: Date }, Pick<AppRow, 'id' | 'scopes'>>(
  'apps.changedSince',
  ({ orm, tables: { apps } }, p) =>
    orm
      .select({ id: apps.id, scopes: apps.scopes })
      .from(apps)
      // The first version of an app is not a change, and the index contains only later versions.
      .where(and(sql`${apps.version} > 1`, gt(apps.updatedAt, p.since))),
);

export const apps = lookupIn('apps', present);
export const appsAfter = rowsIn('apps', 'after', present);
export const countApps = countIn('apps', present);
