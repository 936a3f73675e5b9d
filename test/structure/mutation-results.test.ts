/** Clients with a normalised cache show what a mutation has changed without reading it again, since the result has it. */
import { type GraphQLNamedOutputType, getNamedType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { rootFields, schema } from '../support/api.ts';

/** The types of the objects in lists: those in `nodes` of a page. */
const listed = new Set(
  Object.values(schema.getTypeMap()).flatMap((type) => {
    const nodes = isObjectType(type) ? type.getFields()['nodes'] : undefined;
    return nodes ? [getNamedType(nodes.type)] : [];
  }),
);

/** Whether a result is an object of a list, or has one. */
const hasListed = (type: GraphQLNamedOutputType): boolean =>
  listed.has(type) ||
  (isObjectType(type) &&
    Object.values(type.getFields()).some((field) => listed.has(getNamedType(field.type))));

const UNLISTED = 'the id is that of an object that no list shows any more';
const ONLY_ID = 'an id cannot get members: docs/clients.md says which members have changed';
const OTHER_CALLER =
  'the caller has no lists of the object: it signs in or out, or has forgotten its password';

/** Mutations that return no listed object, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  changePassword: 'no list shows what it changes, except sessions that it ends, which no list shows any more',
  createAppSecret: 'no member of `App` changes',
  deleteApp: UNLISTED,
  deleteDocument: UNLISTED,
  deleteInstallation: UNLISTED,
  deleteMember: UNLISTED,
  deleteOrder: UNLISTED,
  deleteShare: UNLISTED,
  deleteWebhook: UNLISTED,
  endSession: UNLISTED,
  login: OTHER_CALLER,
  logout: OTHER_CALLER,
  refreshSession: 'no member of `ActiveSession` changes, except the time of the last use',
  requestPasswordReset: OTHER_CALLER,
  resetPassword: OTHER_CALLER,
  revokeApiKey: ONLY_ID,
  revokeClientCertificate: ONLY_ID,
  revokeGrant: UNLISTED,
  revokeInvitation: ONLY_ID,
};

test('mutations return the listed objects that they change', () => {
  const without = rootFields.filter(
    ({ operation, field }) => operation === 'mutation' && !hasListed(getNamedType(field.type)),
  );
  expect(
    without.map(({ field }) => field.name).toSorted(),
    'A result needs a field with the changed object, such as `webhook: Webhook!` of CreatedWebhook, or a reason in EXEMPT.',
  ).toEqual(Object.keys(EXEMPT).toSorted());
});
