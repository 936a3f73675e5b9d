/** Installations of apps in organisations, and the member of each app. */

import { and, asc, eq, isNull } from '../drizzle/index.ts';
import { read } from '../query.ts';
import type { AppRow, InstallationRow, UserRow } from '../rows.ts';
import { type Builder, equal } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { endIn, insertIn, nextVersion, updateIn } from './shared/changing.ts';
import { countIn, findById, isRow, type Lookup, listIn, ownerIn } from './shared/owned.ts';

/** An installation with the public attributes of its app. */
export interface InstalledApp
  extends Pick<InstallationRow, 'id' | 'org' | 'appId' | 'userId' | 'scopes' | 'createdAt'>,
    Pick<AppRow, 'name' | 'homepageUrl'>,
    Pick<UserRow, 'role'> {
  readonly publisher: string;
}

const isPresent = ({ removedAt }: Tables['installations']) => [isNull(removedAt)];

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

/** Installations that were not removed. */
export const installations: Lookup<InstalledApp> = {
  find: findById('installations.byId', (builder, p) => {
    const table = builder.tables.installations;
    return installed(builder).where(isRow(table, p, isNull(table.removedAt)));
  }),
  orgOf: ownerIn('installations'),
};

/** The installation of an app in an organisation. */
export const findInstallationOfApp = read.first<{ org: string; appId: number }, InstalledApp>(
  'installations.ofApp',
  (builder, p) => {
    const { installations, apps } = builder.tables;
    return installed(builder).where(
      and(equal(installations, p, 'org', 'appId'), isNull(installations.removedAt), isNull(apps.removedAt)),
    );
  },
);

/** Up to `limit` installations that follow an id (0 for the first) in order of id; backwards, those that precede it. */
export const installationsAfter = listIn('installations.after', 'installations', 'after', {
  only: isPresent,
  select: installed,
});

/** The organisations where an app is installed, in the order in which their locks must be taken. */
export const orgsWithApp = read.all<{ appId: number }, { org: string }>(
  'installations.orgsOf',
  ({ orm, tables: { installations } }, p) =>
    orm
      .select({ org: installations.org })
      .from(installations)
      .where(and(eq(installations.appId, p.appId), isNull(installations.removedAt)))
      .orderBy(asc(installations.org)),
);

/** Inserts an installation. Undefined if the app is already installed. */
export const insertInstallation = insertIn(
  'installations',
  ['org', 'appId', 'userId', 'scopes', 'createdAt'],
  { ifNew: true },
);

/** Changes the scopes of an installation. */
export const setInstallationScopes = updateIn('installations.setScopes', 'installations', ['scopes'], {
  only: isPresent,
});

export const removeInstallation = endIn('installations.remove', 'installations', 'removedAt');

/** Inserts the member of an app. Call it after `queueForMembers`. */
export const insertAppMember = insertIn('users', ['org', 'email', 'name', 'role', 'lastReadEventId'], {
  name: 'installations.insertMember',
  at: ['createdAt', 'updatedAt'],
  fixed: { kind: 'app' },
});

const isPresentApp = ({ kind, removedAt }: Tables['users']) => [eq(kind, 'app'), isNull(removedAt)];

/** Changes the role of an app's member. */
export const setAppMemberRole = updateIn('installations.changeMember', 'users', ['role'], {
  at: ['updatedAt'],
  set: nextVersion,
  only: isPresentApp,
});

/** Removes the member of an app. */
export const removeAppMember = updateIn('installations.removeMember', 'users', [], {
  at: ['removedAt', 'updatedAt'],
  fixed: { email: '', role: 'viewer' },
  set: nextVersion,
  only: isPresentApp,
});

export const countInstallations = countIn('installations', { only: isPresent });
