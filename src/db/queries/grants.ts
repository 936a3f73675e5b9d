/** Grants of apps: consents of people, and those of installations for what apps do without a person. */
import type { Role } from '../../core/roles.ts';
import { and, asc, eq, gt, isNull, sql } from '../drizzle/index.ts';
import { read, write } from '../query.ts';
import type { GrantRow } from '../rows.ts';
import { type Builder, equal, type Placeholders } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { insertIn, updateIn } from './shared/changing.ts';
import { findBy, findById, isRow, type Lookup, listIn, ownerIn } from './shared/owned.ts';

/** A grant with the name of its app. */
export interface GrantOfApp
  extends Pick<GrantRow, 'id' | 'org' | 'userId' | 'appId' | 'scopes' | 'createdAt'> {
  readonly appName: string;
}

/** A valid grant with everything that currently limits it. */
export interface LiveGrant extends GrantOfApp {
  readonly kind: GrantRow['kind'];
  readonly declined: readonly string[];
  readonly appScopes: readonly string[];
  readonly installationScopes: readonly string[];
  readonly role: Role;
}

const shown = ({ grants, apps }: Tables) => ({
  id: grants.id,
  org: grants.org,
  userId: grants.userId,
  appId: grants.appId,
  scopes: grants.scopes,
  createdAt: grants.createdAt,
  appName: apps.name,
});

const withApp = ({ orm, tables }: Builder) =>
  orm
    .select(shown(tables))
    .from(tables.grants)
    .innerJoin(tables.apps, eq(tables.apps.id, tables.grants.appId));

/** Consents, also those that were revoked. */
export const consents: Lookup<GrantOfApp> = {
  find: findById('grants.consent', (builder, p) => {
    const { grants } = builder.tables;
    return withApp(builder).where(isRow(grants, p, eq(grants.kind, 'consent')));
  }),
  orgOf: ownerIn('grants', { only: ({ kind }) => [eq(kind, 'consent')] }),
};

/** Consents that were not revoked. */
export const validConsents: Lookup<GrantOfApp> = {
  ...consents,
  find: findById('grants.validConsent', (builder, p) => {
    const { grants } = builder.tables;
    return withApp(builder).where(isRow(grants, p, eq(grants.kind, 'consent'), isNull(grants.revokedAt)));
  }),
};

const consent = sql`${'consent'}`;
const isValid = ({ revokedAt }: Tables['grants']) => [isNull(revokedAt)];

/** Up to `limit` valid consents of an organisation that follow an id in order of id; backwards, those that precede it. */
export const grantsAfter = listIn('grants.after', 'grants', 'after', {
  along: ({ org, kind }, p) => [
    [org, p.org],
    [kind, consent],
  ],
  only: isValid,
  select: withApp,
});

/** Like {@link grantsAfter}, for the consents of one person. */
export const grantsOfUserAfter = listIn('grants.ofUserAfter', 'grants', 'after', {
  along: ({ org, userId, kind }, p: Placeholders<{ org: string; userId: number }>) => [
    [org, p.org],
    [userId, p.userId],
    [kind, consent],
  ],
  only: isValid,
  select: withApp,
});

/**
 * Declares a query that revokes the valid grants with a given value in a column, and returns the first of them. The transaction first
 * takes the lock of the organisation: writes by an app lock its grant while they hold it, so in a different order both could deadlock.
 */
const revokeBy = (name: string, column: 'id' | 'installationId' | 'userId') =>
  write.first<{ org: string; id: number; reason: string; now: Date }, GrantRow>(
    name,
    ({ orm, tables: { grants }, dialect }, p) =>
      orm
        .update(grants)
        .set({ revokedAt: p.now, revokedReason: p.reason })
        .where(
          and(
            dialect.orgLock(p.org),
            eq(grants.org, p.org),
            eq(grants[column], p.id),
            isNull(grants.revokedAt),
          ),
        )
        .returning(),
  );

/** Revokes a grant. Returns it to exactly one of several concurrent callers. */
export const endGrant = revokeBy('grants.revoke', 'id');

/** Revokes all grants of the installation with this id: the consents of people, and its own. */
export const endGrantsOfInstallation = revokeBy('grants.revokeOfInstallation', 'installationId');

/** Revokes all grants of the person with this id, who is removed. */
export const endGrantsOfUser = revokeBy('grants.revokeOfUser', 'userId');

/** The installation grants in an organisation that an app obtained with one of these secrets. */
export const ownGrantsOfSecrets = read.all<
  { org: string; appId: number; secretIds: readonly number[] },
  { id: number }
>('grants.ownOfSecret', ({ orm, tables: { grants, installations }, dialect }, p) =>
  orm
    .select({ id: grants.id })
    .from(installations)
    .innerJoin(
      grants,
      and(
        eq(grants.installationId, installations.id),
        eq(grants.kind, 'installation'),
        isNull(grants.revokedAt),
        dialect.anyOf(grants.secretId, p.secretIds),
      ),
    )
    .where(and(equal(installations, p, 'appId', 'org'), isNull(installations.removedAt))),
);

/** The valid grant with this id. Undefined if the grant was revoked, or its app, installation or user was removed. */
export const findLiveGrant = read.first<{ id: number }, LiveGrant>('grants.live', ({ orm, tables }, p) => {
  const { grants, apps, installations, users } = tables;
  return orm
    .select({
      ...shown(tables),
      kind: grants.kind,
      declined: grants.declined,
      appScopes: apps.scopes,
      installationScopes: installations.scopes,
      role: users.role,
    })
    .from(grants)
    .innerJoin(apps, and(eq(apps.id, grants.appId), isNull(apps.removedAt)))
    .innerJoin(
      installations,
      and(eq(installations.id, grants.installationId), isNull(installations.removedAt)),
    )
    .innerJoin(users, and(eq(users.id, grants.userId), eq(users.org, grants.org), isNull(users.removedAt)))
    .where(and(eq(grants.id, p.id), isNull(grants.revokedAt)));
});

/** The valid consent of a person to an app. */
export const findConsentTo = read.first<Pick<GrantRow, 'org' | 'userId' | 'appId'>, GrantRow>(
  'grants.consentOf',
  ({ orm, tables: { grants } }, p) =>
    orm
      .select()
      .from(grants)
      .where(
        and(
          equal(grants, p, 'org', 'userId'),
          eq(grants.kind, 'consent'),
          eq(grants.appId, p.appId),
          isNull(grants.revokedAt),
        ),
      )
      .orderBy(asc(grants.id)),
);

/** The grant of an installation for what the app does without a person. */
export const findOwnGrant = findBy(
  'grants.own',
  'grants',
  ['org', 'installationId', 'secretId'],
  ({ kind, revokedAt }) => [eq(kind, 'installation'), isNull(revokedAt)],
);

/** Inserts a grant. Undefined if the installation already has its own grant for this secret. */
export const insertGrant = insertIn(
  'grants',
  ['org', 'kind', 'userId', 'appId', 'installationId', 'secretId', 'scopes', 'declined', 'createdAt'],
  { ifNew: true },
);

/** Replaces the granted and declined scopes of a grant. */
export const widenGrant = updateIn('grants.widen', 'grants', ['scopes', 'declined'], { only: isValid });

/** The grants of all organisations that were revoked after a point in time. */
export const grantsRevokedSince = read.all<{ since: Date }, { id: number }>(
  'grants.revokedSince',
  ({ orm, tables: { grants } }, p) =>
    orm.select({ id: grants.id }).from(grants).where(gt(grants.revokedAt, p.since)),
);
