/** Grants: the rights that people give to apps, and those that installations give to apps acting for themselves. */
import type { Clock } from '../../core/clock.ts';
import type { Role } from '../../core/roles.ts';
import type { Transaction } from '../../db/database.ts';
import { endGrant, findLiveGrant, type GrantOfApp, type LiveGrant } from '../../db/queries/grants.ts';
import type { GrantRow } from '../../db/rows.ts';
import type { EventData } from '../../events/catalogue.ts';
import { record } from '../../events/record.ts';
import { holdRights, recordChange } from '../changes.ts';
import { type Principal, type Scope, scopesWithin } from '../policy.ts';
import { clientIdOf } from './client-id.ts';
import type { AppChangeParts } from './installations.ts';

export type RevocationReason = EventData<'grant.revoked'>['reason'];

type Named = Pick<GrantRow, 'org' | 'id' | 'appId' | 'userId'>;

export const grantRevoked = ({ org, id, appId, userId }: Named, reason: RevocationReason) =>
  ({
    org,
    type: 'grant.revoked',
    subjectId: id,
    data: { client_id: clientIdOf(appId), user_id: userId, reason },
  }) as const;

export const grantCreated = ({ org, id, appId, userId, scopes }: Named & Pick<GrantRow, 'scopes'>) =>
  ({
    org,
    type: 'grant.created',
    subjectId: id,
    data: { client_id: clientIdOf(appId), user_id: userId, scopes },
  }) as const;

/** Revokes a grant of the caller's organisation. An ended one stays unchanged. @throws ApiError like `holdRights`. */
export async function revokeGrantOf(
  { database, clock }: AppChangeParts,
  caller: Principal,
  { org, id }: Pick<GrantOfApp, 'org' | 'id'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Checked before the change, since an app may revoke the grant that it calls with.
    const held = await holdRights(tx, caller);
    const ended = await endGrant(tx, { org, id, reason: 'revoked', now: clock() });
    if (ended) await recordChange(tx, held, grantRevoked(ended, 'revoked'), clock);
  });
}

/** Ends a grant on behalf of the authorization server: at an app's request, or because a one-time value was used twice. */
export async function endGrantWith(
  tx: Transaction,
  { org, id }: Pick<GrantRow, 'org' | 'id'>,
  reason: RevocationReason,
  clock: Clock,
): Promise<boolean> {
  const ended = await endGrant(tx, { org, id, reason, now: clock() });
  if (ended) await record(tx, { ...grantRevoked(ended, reason), actorId: null }, clock);
  return ended !== undefined;
}

/** Ends a grant by its id, in its own transaction. */
export async function endGrantById(
  { database, clock }: AppChangeParts,
  id: number,
  reason: RevocationReason,
): Promise<void> {
  const grant = await findLiveGrant(database, { id });
  if (grant) await database.transaction((tx) => endGrantWith(tx, grant, reason, clock));
}

/** The current scopes of a grant: those that the app, the installation, the consent and the role all include. */
export function scopesOf(grant: LiveGrant): readonly Scope[] {
  const { kind, scopes, appScopes, installationScopes, role } = grant;
  // An app's own grant contains the scopes of the installation at the app's first token. The app may have received more since.
  const given = kind === 'installation' ? installationScopes : scopes;
  return scopesWithinAll(role, given, appScopes, installationScopes);
}

/** The scopes that a person's role and all lists include: those of the app, and of its installation. */
export const scopesWithinAll = (
  role: Role,
  scopes: readonly string[],
  ...lists: readonly (readonly string[])[]
): Scope[] => scopesWithin(role, scopes).filter((scope) => lists.every((list) => list.includes(scope)));
