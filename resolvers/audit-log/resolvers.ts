import type { AuditLine } from '../../src/db/queries/audit-log.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { userById } from '../user/loaders.ts';
import { listAudit } from './log.ts';

export type AuditEntryNode = AuditLine;

export const resolvers: Resolvers = {
  Query: {
    auditLog: (_root, args, context) => listAudit(context, args),
  },
  AuditEntry: {
    actor: ({ actorId }, _args, context) => (actorId === null ? null : userById(context).load(actorId)),
    credentials: ({ credentials: kind, credentialsId: id }) => kind && { kind, id },
  },
};
