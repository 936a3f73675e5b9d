import type { GraphQLField } from 'graphql';
import type { Context } from '../../resolvers/shared/context.ts';

/** A field of the schema, which is resolved with the context of a request. */
export type Field = GraphQLField<unknown, Context>;
