/** The part of the schema that is measured, for GraphQL servers, and what their resolvers have in common. */
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
  // Resolvers return dates.
  serialize: (value) => (value as Date).toISOString(),
});

/** @throws GraphQLError when there is no caller with this scope. */
export function requireScope(caller: Caller | undefined, scope: string): Caller {
  if (!caller) throw new GraphQLError('unauthenticated', { extensions: { code: 'unauthenticated' } });
  if (caller.scopes.has(scope)) return caller;
  throw new GraphQLError('insufficient_scope', { extensions: { code: 'insufficient_scope' } });
}

const ID = /^[1-9]\d{0,14}$/;

/** The number that an `ID` stands for; 0, which no row has, for another text. */
export const numberOf = (id: string): number => (ID.test(id) ? Number(id) : 0);
