import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  type DocumentNode,
  defaultFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  parse,
} from 'graphql';
import type { Context } from '../../resolvers/shared/context.ts';
import { EVENT_TYPES, subjectTypeOf } from '../events/catalogue.ts';
import { RESOLVERS } from '../generated/resources.ts';
import type { Tracing } from '../observability/tracing.ts';
import { separateEnds } from './connections.ts';
import { enforceAuth } from './directives/auth.ts';
import { enforceConstraints } from './directives/constraint.ts';
import { checkErrors } from './directives/errors.ts';
import { enforceIdempotency } from './directives/idempotent.ts';
import { readSunsets } from './directives/sunset.ts';
import { fieldsOfObjects, notePlainFields } from './field.ts';
import { completeSdl, nodeResolvers } from './nodes.ts';
import { DateTime, Decimal, Json } from './scalars.ts';
import { readSdl } from './sdl.ts';

/** The functions of scalars. Their descriptions and specification URLs are in the SDL, and a complete scalar would replace them. */
const SCALARS = Object.fromEntries(
  [DateTime, Decimal, Json].map(({ name, serialize, parseValue, parseLiteral }) => [
    name,
    { serialize, parseValue, parseLiteral },
  ]),
);

/** Returns the name of the type of a kind: `ApiKeySubject` for `api_key`. */
const typeNameOf = (kind: string): string =>
  `${kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Subject`;

/**
 * The implementations of the interface `Subject` of activity.graphql, one for each kind in the catalogue of events. Two subjects of different
 * kinds may have the same id, so each kind needs its own type: client caches identify objects by `__typename` and `id`.
 */
function readSubjectTypes(): DocumentNode {
  const kinds = [...new Set(EVENT_TYPES.map(subjectTypeOf))];
  return parse(
    kinds
      .map(
        (kind) => `
"The subject of the events \`${kind}.*\`."
type ${typeNameOf(kind)} implements Subject {
  "The kind: \`${kind}\`."
  type: String! @example(value: "${kind}")
  "Identifier within its kind."
  id: ID!
}`,
      )
      .join('\n'),
  );
}

const subjectResolvers = {
  Subject: { __resolveType: ({ type }: { readonly type: string }) => typeNameOf(type) },
};

/**
 * Builds the schema of all doors: SDL and resolvers, with the directives enforced.
 *
 * The order matters. A caller is authorized before its values are checked, and only a valid request uses an
 * idempotency key. Resolvers are wrapped from the inside out, so idempotency comes first.
 */
export function buildSchema(): GraphQLSchema {
  const documents = readSdl();
  const schema = makeExecutableSchema({
    typeDefs: [...completeSdl(documents), readSubjectTypes()],
    resolvers: [SCALARS, subjectResolvers, nodeResolvers(documents), ...RESOLVERS],
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    // The schema is new, so its resolvers can be set without a copy of it.
    updateResolversInPlace: true,
  });
  readSunsets(schema);
  checkErrors(schema);
  notePlainFields(schema);
  enforceIdempotency(schema);
  separateEnds(schema);
  enforceConstraints(schema);
  enforceAuth(schema);
  rejectInsteadOfThrowing(schema);
  renewLoaders(schema);
  return schema;
}

/** Clears the loaders after each root field of a mutation, since the next one must not get values from before the change. */
function renewLoaders(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args, context: Context, info) => {
      try {
        return await resolve(source, args, context, info);
      } finally {
        context.loaders.forget();
      }
    };
  }
}

/** Makes every resolver reject instead of throw: graphql-js would abandon the other elements of a list, whose rejections end the process. */
function rejectInsteadOfThrowing(schema: GraphQLSchema): void {
  for (const [, field] of fieldsOfObjects(schema)) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = (source, args, context, info) => {
      try {
        return resolve(source, args, context, info);
      } catch (error) {
        return Promise.reject(error);
      }
    };
  }
}

/** The context of the pipeline, which has the tracing of its server, if there is one. */
interface Traced extends Context {
  readonly tracing?: Tracing;
}

/** Wraps the resolvers of root fields, and of fields that return objects, in spans. Call it only if requests may be traced. */
export function traceResolvers(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const [type, field] of fieldsOfObjects(schema)) {
    const { resolve } = field;
    if (!resolve || resolve === defaultFieldResolver) continue;
    if (!roots.includes(type) && !isCompositeType(getNamedType(field.type))) continue;
    const name = `${type.name}.${field.name}`;
    field.resolve = (source, args, context: Context, info) => {
      const work = () => resolve(source, args, context, info);
      const { tracing }: Traced = context;
      return tracing ? tracing.span(name, { 'graphql.field': name }, work) : work();
    };
  }
}
