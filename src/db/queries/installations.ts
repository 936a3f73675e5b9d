/** Installations of apps in organisations, and the member of each app. */

import type { Role } from '../../core/roles.ts';
import { asStored, type Runner, statement, type Transaction } from '../database.ts';
import { and, asc, count, eq, isNull, sql } from '../drizzle/index.ts';
import { listStatement, type Way } from '../list-statement.ts';
import type { InstallationRow, UserRow } from '../rows.ts';
import type { Builder } from '../statement.ts';
import { onlyRow } from './only-row.ts';
import { ownerIn } from './owner.ts';

/** An installation with the public attributes of its app. */
export interface InstalledApp {
  readonly id: number;
  readonly org: string;
  readonly appId: number;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly name: string;
  readonly publisher: string;
  readonly homepageUrl: string | null;
  readonly role: Role;
}

const installed = ({ orm, tables: { installations, apps, users } }: Builder) =>
  orm
    .select({
      id: installations.id,
      org: installations.org,
      appId: installations.appId,
      userId: installations.userId,
      scopes: installations.scopes,
      createdAt: installations.createdAt,
      name: apps.name,
      publisher: apps.org,
      homepageUrl: apps.homepageUrl,
      role: users.role,
    })
    .from(installations)
    .innerJoin(apps, eq(apps.id, installations.appId))
    .innerJoin(users, eq(users.id, installations.userId));

const byId = statement<{ org: string; id: number }, readonly InstalledApp[]>(
  'installations.byId',
  (builder, p) => {
    const { id, org, removedAt } = builder.tables.installations;
    return installed(builder).where(and(eq(id, p.id), eq(org, p.org), isNull(removedAt)));
  },
);

const ofApp = statement<{ org: string; appId: number }, readonly InstalledApp[]>(
  'installations.ofApp',
  (builder, p) => {
    const { installations, apps } = builder.tables;
    return installed(builder).where(
      and(
        eq(installations.org, p.org),
        eq(installations.appId, p.appId),
        isNull(installations.removedAt),
        isNull(apps.removedAt),
      ),
    );
  },
);

const after = listStatement<{ org: string; fromId: number; limit: number }, readonly InstalledApp[]>(
  'installations.after',
  (builder, p) => {
    const { id, org, removedAt } = builder.tables.installations;
    const { dialect } = builder;
    return installed(builder)
      .where(and(dialect.inIndex([[org, p.org]], id, { after: p.fromId }), isNull(removedAt)))
      .orderBy(...dialect.orderInIndex([[org, p.org]], asc, id))
      .limit(p.limit);
  },
);

const orgsOf = statement<{ appId: number }, readonly { org: string }[]>(
  'installations.orgsOf',
  ({ orm, tables: { installations } }, p) =>
    orm
      .select({ org: installations.org })
      .from(installations)
      .where(and(eq(installations.appId, p.appId), isNull(installations.removedAt)))
      .orderBy(asc(installations.org)),
);

const countOf = statement<{ org: string }, readonly { installations: number }[]>(
  'installations.count',
  ({ orm, tables: { installations } }, p) =>
    orm
      .select({ installations: count() })
      .from(installations)
      .where(and(eq(installations.org, p.org), isNull(installations.removedAt))),
);

type NewInstallation = Pick<InstallationRow, 'org' | 'appId' | 'userId' | 'scopes' | 'createdAt'>;

const insert = statement<NewInstallation, readonly InstallationRow[]>(
  'installations.insert',
  ({ orm, tables: { installations } }, p) =>
    orm
      .insert(installations)
      .values({
        org: p.org,
        appId: p.appId,
        userId: p.userId,
        scopes: p.scopes,
        createdAt: p.createdAt,
      })
      .onConflictDoNothing()
      .returning(),
);

const setScopes = statement<
  { org: string; appId: number; scopes: readonly string[] },
  readonly InstallationRow[]
>('installations.setScopes', ({ orm, tables: { installations } }, p) =>
  orm
    .update(installations)
    .set({ scopes: asStored(p.scopes, installations.scopes) })
    .where(
      and(eq(installations.org, p.org), eq(installations.appId, p.appId), isNull(installations.removedAt)),
    )
    .returning(),
);

const remove = statement<{ org: string; id: number; now: Date }, readonly InstallationRow[]>(
  'installations.remove',
  ({ orm, tables: { installations } }, p) =>
    orm
      .update(installations)
      .set({ removedAt: asStored(p.now, installations.removedAt) })
      .where(and(eq(installations.id, p.id), eq(installations.org, p.org), isNull(installations.removedAt)))
      .returning(),
);

interface NewAppMember {
  readonly org: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly lastReadEventId: number;
  readonly now: Date;
}

const insertMember = statement<NewAppMember, readonly UserRow[]>(
  'installations.insertMember',
  ({ orm, tables: { users } }, p) =>
    orm
      .insert(users)
      .values({
        org: p.org,
        email: p.email,
        name: p.name,
        role: p.role,
        kind: 'app',
        lastReadEventId: p.lastReadEventId,
        createdAt: p.now,
        updatedAt: p.now,
      })
      .returning(),
);

const changeMember = statement<{ org: string; id: number; role: Role; now: Date }, readonly UserRow[]>(
  'installations.changeMember',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({
        role: asStored(p.role, users.role),
        version: sql`${users.version} + 1`,
        updatedAt: asStored(p.now, users.updatedAt),
      })
      .where(and(eq(users.id, p.id), eq(users.org, p.org), eq(users.kind, 'app'), isNull(users.removedAt)))
      .returning(),
);

const removeMember = statement<{ org: string; id: number; now: Date }, readonly UserRow[]>(
  'installations.removeMember',
  ({ orm, tables: { users } }, p) =>
    orm
      .update(users)
      .set({
        email: '',
        role: 'viewer',
        removedAt: asStored(p.now, users.removedAt),
        version: sql`${users.version} + 1`,
        updatedAt: asStored(p.now, users.updatedAt),
      })
      .where(and(eq(users.id, p.id), eq(users.org, p.org), eq(users.kind, 'app'), isNull(users.removedAt)))
      .returning(),
);

/** The installation with this id in this organisation, unless it was removed. */
export async function findInstallation(
  db: Runner,
  org: string,
  id: number,
): Promise<InstalledApp | undefined> {
  return (await db.run(byId, { org, id }))[0];
}

/** The installation of an app in an organisation. */
export async function findInstallationOfApp(
  db: Runner,
  org: string,
  appId: number,
): Promise<InstalledApp | undefined> {
  return (await db.run(ofApp, { org, appId }))[0];
}

/** Up to `limit` installations that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export function installationsAfter(
  db: Runner,
  org: string,
  fromId: number,
  limit: number,
  way: Way = 'forwards',
): Promise<readonly InstalledApp[]> {
  return db.run(after[way], { org, fromId, limit });
}

/** The organisation of an installation, even if it was removed: to distinguish 403 from 404. */
export const orgOfInstallation = ownerIn('installations');

/** The organisations where an app is installed, in the order in which their locks must be taken. */
export async function orgsWithApp(db: Runner, appId: number): Promise<readonly string[]> {
  return (await db.run(orgsOf, { appId })).map(({ org }) => org);
}

export async function countInstallations(db: Runner, org: string): Promise<number> {
  return (await db.run(countOf, { org }))[0]?.installations ?? 0;
}

/** Inserts an installation. Undefined if the app is already installed. */
export async function insertInstallation(
  tx: Transaction,
  installation: NewInstallation,
): Promise<InstallationRow | undefined> {
  return (await tx.run(insert, installation))[0];
}

/** Changes the scopes of an app in an organisation. Returns the installation, if there is one. */
export async function setInstallationScopes(
  tx: Transaction,
  installation: { readonly org: string; readonly appId: number; readonly scopes: readonly string[] },
): Promise<InstallationRow | undefined> {
  return (await tx.run(setScopes, installation))[0];
}

/** Removes an installation. Returns it to exactly one of several concurrent callers. */
export async function removeInstallation(
  tx: Transaction,
  org: string,
  id: number,
  now: Date,
): Promise<InstallationRow | undefined> {
  return (await tx.run(remove, { org, id, now }))[0];
}

/** Inserts the member of an app. Call it after `queueForMembers`. */
export async function insertAppMember(tx: Transaction, member: NewAppMember): Promise<UserRow> {
  return onlyRow(await tx.run(insertMember, member));
}

/** Changes the role of an app's member. */
export async function setAppMemberRole(
  tx: Transaction,
  member: { readonly org: string; readonly id: number; readonly role: Role; readonly now: Date },
): Promise<void> {
  await tx.run(changeMember, member);
}

/** Removes the member of an app. */
export async function removeAppMember(
  tx: Transaction,
  member: { readonly org: string; readonly id: number; readonly now: Date },
): Promise<void> {
  await tx.run(removeMember, member);
}
