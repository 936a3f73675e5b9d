import { ApiError } from '../../src/core/errors.ts';
import { isEmptyRange } from '../../src/core/time-range.ts';
import type { CredentialKind } from '../../src/db/origin.ts';
import {
  type AuditFilters,
  type AuditLine,
  type AuditPosition,
  auditLinesAfter,
} from '../../src/db/queries/audit-log.ts';
import { users } from '../../src/db/queries/users.ts';
import { AUDIT_ONLY_TYPES, isAuditType } from '../../src/events/audit.ts';
import { EVENT_TYPES, isEventType } from '../../src/events/catalogue.ts';
import type { QueryAuditLogArgs, Resolvers } from '../../src/generated/resolvers.ts';
import { problemsWithTypes } from '../activity/log.ts';
import type { Connection } from '../shared/connection.ts';
import { type Context, callerOf } from '../shared/context.ts';
import { filterId, noPerson, requireOwnId } from '../shared/lookup.ts';
import { connectionOf } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';

export type AuditEntryNode = AuditLine;

export interface AuditCredentialsNode {
  readonly kind: CredentialKind;
  readonly id: number | null;
}

/** Credentials of two kinds may have the same id, and client caches identify objects by `__typename` and `id`. */
const TYPES = {
  session: 'SessionCredentials',
  api_key: 'ApiKeyCredentials',
  certificate: 'CertificateCredentials',
  app: 'AppCredentials',
  browser: 'BrowserCredentials',
  operator: 'OperatorCredentials',
} as const satisfies Record<CredentialKind, string>;

export const resolvers: Resolvers = {
  Query: {
    auditLog: (_root, args, context) => listAudit(context, args),
  },
  AuditEntry: {
    actor: ({ actorId }, _args, context) => (actorId === null ? null : userById(context).load(actorId)),
    credentials: ({ credentials: kind, credentialsId: id }) => kind && { kind, id },
  },
  AuditCredentials: { __resolveType: ({ kind }) => TYPES[kind] },
};

const ALL_TYPES = { events: EVENT_TYPES, entries: AUDIT_ONLY_TYPES };

/**
 * Reads a page of the audit log of the caller's organisation.
 *
 * @throws ApiError `validation_failed`, `invalid_cursor`, and `forbidden` or `not_found` for a person who never belonged to the
 *   organisation.
 */
async function listAudit(context: Context, args: QueryAuditLogArgs): Promise<Connection<AuditLine>> {
  const { org } = callerOf(context);
  const filters = readFilters(args);
  const page = await connectionOf(context, args, {
    list: ['auditLog', org, JSON.stringify(filters)],
    positionOf: ({ createdAt, id }: AuditLine) => [createdAt.getTime(), id],
    read: async (from, limit, way) => ({
      rows: await auditLinesAfter(context.database, {
        org,
        filters,
        allTypes: ALL_TYPES,
        descending: way === 'forwards',
        // Cursors of this list contain the result of `positionOf`.
        from: from as AuditPosition | undefined,
        limit,
      }),
    }),
  });
  // Entries are filtered by organisation, so the person needs a check only if the page is empty.
  if (page.nodes.length === 0 && filters.actorId !== null) {
    await requireOwnId(context, filters.actorId, users, noPerson('actorId'));
  }
  return page;
}

/** Reads the filters. @throws ApiError `validation_failed` with every invalid filter. */
function readFilters({ actorId, types, createdAfter, createdBefore }: QueryAuditLogArgs): AuditFilters {
  const details = types ? problemsWithTypes(types, isAuditType, 'is not an audit log type') : [];
  if (createdAfter && createdBefore && isEmptyRange(createdAfter, createdBefore)) {
    details.push({ path: 'createdBefore', message: 'must be the later of the two times' });
  }
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  const wanted = types && [...new Set(types)].sort();
  return {
    actorId: filterId(actorId),
    types: wanted
      ? { events: wanted.filter(isEventType), entries: wanted.filter((type) => !isEventType(type)) }
      : null,
    createdAfter: createdAfter ?? null,
    createdBefore: createdBefore ?? null,
  };
}
