/** Apps and their secrets. */

import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, count, desc, eq, gt, isNull, lt, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { AppRow, AppSecretRow } from '../rows.ts';
import { onlyRow } from './only-row.ts';
import { ownerIn } from './owner.ts';

export type NewApp = Pick<
  AppRow,
  | 'org'
  | 'name'
  | 'type'
  | 'redirectUris'
  | 'scopes'
  | 'tokenFormat'
  | 'homepageUrl'
  | 'jwks'
  | 'certificateSan'
> & { readonly now: Date };

/** The attributes of an app that can be changed. */
export type ChangedApp = Pick<
  AppRow,
  'org' | 'id' | 'name' | 'redirectUris' | 'scopes' | 'tokenFormat' | 'homepageUrl'
> & { readonly now: Date };

const byId = statement<{ org: string; id: number }, readonly AppRow[]>(
  'apps.byId',
  ({ orm, tables: { apps } }, p) =>
    orm
      .select()
      .from(apps)
      .where(and(eq(apps.id, p.id), eq(apps.org, p.org), isNull(apps.removedAt))),
);

const client = statement<{ id: number }, readonly AppRow[]>('apps.client', ({ orm, tables: { apps } }, p) =>
  orm
    .select()
    .from(apps)
    .where(and(eq(apps.id, p.id), isNull(apps.removedAt))),
);

const after = listStatement<{ org: string; fromId: number; limit: number }, readonly AppRow[]>(
  'apps.after',
  ({ orm, tables: { apps }, dialect }, p) =>
    orm
      .select()
      .from(apps)
      .where(and(dialect.inIndex([[apps.org, p.org]], apps.id, { after: p.fromId }), isNull(apps.removedAt)))
      .orderBy(...dialect.orderInIndex([[apps.org, p.org]], asc, apps.id))
      .limit(p.limit),
);

const countOf = statement<{ org: string }, readonly { apps: number }[]>(
  'apps.count',
  ({ orm, tables: { apps } }, p) =>
    orm
      .select({ apps: count() })
      .from(apps)
      .where(and(eq(apps.org, p.org), isNull(apps.removedAt))),
);

const insert = statement<NewApp, readonly AppRow[]>('apps.insert', ({ orm, tables: { apps } }, p) =>
  orm
    .insert(apps)
    .values({
      org: p.org,
      name: p.name,
      type: p.type,
      redirectUris: p.redirectUris,
      scopes: p.scopes,
      tokenFormat: p.tokenFormat,
      homepageUrl: asStored(p.homepageUrl, apps.homepageUrl),
      jwks: asStored(p.jwks, apps.jwks),
      certificateSan: asStored(p.certificateSan, apps.certificateSan),
      createdAt: p.now,
      updatedAt: p.now,
    })
    .returning(),
);

const change = statement<ChangedApp, readonly AppRow[]>('apps.change', ({ orm, tables: { apps } }, p) =>
  orm
    .update(apps)
    .set({
      name: asStored(p.name, apps.name),
      redirectUris: asStored(p.redirectUris, apps.redirectUris),
      scopes: asStored(p.scopes, apps.scopes),
      tokenFormat: asStored(p.tokenFormat, apps.tokenFormat),
      homepageUrl: asStored(p.homepageUrl, apps.homepageUrl),
      version: sql`${apps.version} + 1`,
      updatedAt: asStored(p.now, apps.updatedAt),
    })
    .where(and(eq(apps.id, p.id), eq(apps.org, p.org), isNull(apps.removedAt)))
    .returning(),
);

const remove = statement<{ org: string; id: number; now: Date }, readonly AppRow[]>(
  'apps.remove',
  ({ orm, tables: { apps } }, p) =>
    orm
      .update(apps)
      .set({ removedAt: asStored(p.now, apps.removedAt) })
      .where(and(eq(apps.id, p.id), eq(apps.org, p.org), isNull(apps.removedAt)))
      .returning(),
);

/** Locks the row by an update without effect, which works on both engines. */
const hold = statement<{ id: number }, readonly AppRow[]>('apps.hold', ({ orm, tables: { apps } }, p) =>
  orm
    .update(apps)
    .set({ name: sql`${apps.name}` })
    .where(and(eq(apps.id, p.id), isNull(apps.removedAt)))
    .returning(),
);

const secrets = statement<{ appId: number }, readonly AppSecretRow[]>(
  'apps.secrets',
  ({ orm, tables: { appSecrets } }, p) =>
    orm
      .select()
      .from(appSecrets)
      .where(and(eq(appSecrets.appId, p.appId), isNull(appSecrets.revokedAt)))
      .orderBy(desc(appSecrets.id)),
);

const insertSecret = statement<
  { org: string; appId: number; secretHash: string; now: Date },
  readonly AppSecretRow[]
>('apps.insertSecret', ({ orm, tables: { appSecrets } }, p) =>
  orm
    .insert(appSecrets)
    .values({ org: p.org, appId: p.appId, secretHash: p.secretHash, createdAt: p.now })
    .returning(),
);

const revokeSecrets = statement<
  { org: string; appId: number; before: number; now: Date },
  readonly AppSecretRow[]
>('apps.revokeSecrets', ({ orm, tables: { appSecrets } }, p) =>
  orm
    .update(appSecrets)
    .set({ revokedAt: asStored(p.now, appSecrets.revokedAt) })
    .where(
      and(
        eq(appSecrets.appId, p.appId),
        eq(appSecrets.org, p.org),
        lt(appSecrets.id, p.before),
        isNull(appSecrets.revokedAt),
      ),
    )
    .returning(),
);

const changedSince = statement<{ since: Date }, readonly Pick<AppRow, 'id' | 'scopes'>[]>(
  'apps.changedSince',
  ({ orm, tables: { apps } }, p) =>
    orm
      .select({ id: apps.id, scopes: apps.scopes })
      .from(apps)
      // The first version of an app is not a change, and the index contains only later versions.
      .where(and(sql`${apps.version} > 1`, gt(apps.updatedAt, asStored(p.since, apps.updatedAt)))),
);

/** The app with this id in this organisation, unless it was deleted. */
export async function findApp(db: Runner, org: string, id: number): Promise<AppRow | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** The app with this id, in any organisation: for the authorization server, where apps are clients. */
export async function findClientApp(db: Runner, id: number): Promise<AppRow | undefined> {
  return (await db.run(client, { id }))[0];
}

/** Up to `limit` apps that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export function appsAfter(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly AppRow[]> {
  return db.run(after[way], { org, fromId, limit });
}

/** The organisation of an app, even if it was deleted: to distinguish 403 from 404. */
export const orgOfApp = ownerIn('apps');

/** The number of apps of an organisation. */
export async function countApps(db: Runner, org: string): Promise<number> {
  return (await db.run(countOf, { org }))[0]?.apps ?? 0;
}

export async function insertApp(tx: Transaction, app: NewApp): Promise<AppRow> {
  return onlyRow(await tx.run(insert, app));
}

/** Changes an app. Undefined if it was deleted. */
export async function updateApp(tx: Transaction, app: ChangedApp): Promise<AppRow | undefined> {
  return (await tx.run(change, app))[0];
}

/** Deletes an app. Returns it to exactly one of several concurrent callers. */
export async function removeApp(
  tx: Transaction,
  org: string,
  id: number,
  now: Date,
): Promise<AppRow | undefined> {
  return (await tx.run(remove, { org, id, now }))[0];
}

/** Locks and returns an app, so that it is not deleted before the end of the transaction. */
export async function holdApp(tx: Transaction, id: number): Promise<AppRow | undefined> {
  return (await tx.run(hold, { id }))[0];
}

/** The valid secrets of an app, the newest first. */
export function secretsOfApp(db: Runner, appId: number): Promise<readonly AppSecretRow[]> {
  return db.run(secrets, { appId });
}

export async function insertAppSecret(
  tx: Transaction,
  secret: { readonly org: string; readonly appId: number; readonly secretHash: string; readonly now: Date },
): Promise<AppSecretRow> {
  return onlyRow(await tx.run(insertSecret, secret));
}

/** Revokes the valid secrets of an app with ids below `before`. Returns them. */
export function revokeAppSecrets(
  tx: Transaction,
  secret: { readonly org: string; readonly appId: number; readonly before: number; readonly now: Date },
): Promise<readonly AppSecretRow[]> {
  return tx.run(revokeSecrets, secret);
}

/** The id and the current scopes of the apps of all organisations that were changed after a point in time. */
export function appsChangedSince(db: Runner, since: Date): Promise<readonly Pick<AppRow, 'id' | 'scopes'>[]> {
  return db.run(changedSince, { since });
}
