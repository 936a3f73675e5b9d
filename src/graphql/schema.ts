import { makeExecutableSchema } from '@graphql-tools/schema';
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';
import { EVENT_TYPES, subjectTypeOf } from '../events/catalogue.ts';
import { RESOLVERS } from '../generated/resources.ts';
import { separateEnds } from './connections.ts';
import { readSunsets } from './deprecations.ts';
import { enforceAuth } from './directives/auth.ts';
import { enforceConstraints } from './directives/constraint.ts';
import { checkErrors } from './directives/errors.ts';
import { enforceIdempotency } from './directives/idempotent.ts';
import { notePlainFields, rejectInsteadOfThrowing, renewLoaders } from './field.ts';
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
