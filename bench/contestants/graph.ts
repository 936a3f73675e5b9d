/** The measured part of the schema for GraphQL servers, and the helpers that their resolvers share. */
import { GraphQLError, GraphQLScalarType } from 'graphql';
import type { Caller } from './authentication.ts';

export const typeDefs = `
scalar DateTime
enum OrderStatus { pending cancelled shipped }
type Item { id: ID! productId: ID! name: String! qty: Int! unitPrice: Float! thumbnailUrl: String! }
type Order {
  id: ID!
  userId: ID!
  status: OrderStatus!
  total: Float!
  currency: String!
  items: [Item!]!
  createdAt: DateTime!
  updatedAt: DateTime!
}
type User { id: ID! name: String! orders(last: Int! = 20): [Order!]! }
type Query { order(id: ID!): Order user(id: ID!): User }
`;

export const DateTime = new GraphQLScalarType({
  name: 'DateTime',
  // All resolvers return dates for this scalar.
  serialize: (value) => (value as Date).toISOString(),
});

/** @throws GraphQLError without a caller or without the scope. */
export function requireScope(caller: Caller | undefined, scope: string): Caller {
  if (!caller) throw new GraphQLError('unauthenticated', { extensions: { code: 'unauthenticated' } });
  if (caller.scopes.has(scope)) return caller;
  throw new GraphQLError('insufficient_scope', { extensions: { code: 'insufficient_scope' } });
}

const ID = /^[1-9]\d{0,14}$/;

/** Parses an `ID`. Returns 0, which is no row's id, if it is not an integer. */
export const numberOf = (id: string): number => (ID.test(id) ? Number(id) : 0);
