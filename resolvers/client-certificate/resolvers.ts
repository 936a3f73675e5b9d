import { shownMatch } from '../../src/auth/certificate-matches.ts';
import { clientCertificates, clientCertificatesAfter } from '../../src/db/queries/credentials.ts';
import type { ClientCertificateRow } from '../../src/db/rows.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { callerOf } from '../shared/context.ts';
import { findOwn, requireOwn } from '../shared/lookup.ts';
import { ownPageById } from '../shared/paging.ts';
import { userById } from '../user/loaders.ts';

export type ClientCertificateNode = ClientCertificateRow;

/** Client certificates. The rules are in `src/auth/client-certificates.ts`. */
export const resolvers: Resolvers = {
  Query: {
    clientCertificate: (_root, { id }, context) => findOwn(context, id, clientCertificates),
    clientCertificates: (_root, args, context) =>
      ownPageById(context, 'clientCertificates', args, clientCertificatesAfter),
  },
  Mutation: {
    createClientCertificate: (_root, { input }, context) =>
      context.clientCertificates.register(callerOf(context), input, context.work),
    revokeClientCertificate: async (_root, { id }, context) => {
      const certificate = await requireOwn(context, id, clientCertificates);
      await context.clientCertificates.revoke(callerOf(context), certificate.id, context.database);
      return certificate.id;
    },
  },
  ClientCertificate: {
    match: ({ match }) => shownMatch(match),
    ownerId: ({ userId }) => userId,
    owner: ({ userId }, _args, context) => userById(context).load(userId),
  },
};
