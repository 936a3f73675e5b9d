import { deprecatedUsesBefore, operationUsesBefore } from '../../src/db/queries/use-counts.ts';
import type { DeprecatedUseRow, OperationUseRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { ownPageFromNewest } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';

export type OperationUseNode = OperationUseRow;
export type DeprecatedUseNode = DeprecatedUseRow;

/** The usage of an organisation, counted by `src/pipeline/usage.ts`. */
export const resolvers: Resolvers = {
  Query: {
    operationUses: (_root, args, context) =>
      ownPageFromNewest(context, 'operationUses', args, operationUsesBefore),
    deprecatedUses: (_root, args, context) =>
      ownPageFromNewest(context, 'deprecatedUses', args, deprecatedUsesBefore),
  },
  OperationUse: {
    operation: ({ operation }) => operation || null,
  },
  DeprecatedUse: {
    actor: ({ actorId }, _args, context) => userById(context).load(actorId),
    credentials: ({ credentials: kind, credentialsId: id }) => ({ kind, id: id || null }),
  },
};
