import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type DocumentNode, type GraphQLSchema, parse, Source } from 'graphql';
import { resolvers } from '../../resolvers/index.ts';
import { enforceAuth } from './directives/auth.ts';
import { enforceConstraints } from './directives/constraint.ts';
import { checkErrors } from './directives/errors.ts';
import { enforceIdempotency } from './directives/idempotent.ts';
import { readSunsets } from './directives/sunset.ts';
import { notePlainFields } from './plain-fields.ts';
import { DateTime, Decimal, Json } from './scalars.ts';

const SCHEMA_FOLDER = fileURLToPath(new URL('../../schema/', import.meta.url));

/** The SDL files of `schema/`, parsed, in the order of their names. */
function readTypeDefinitions(folder: string): DocumentNode[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => parse(new Source(readFileSync(`${folder}/${name}`, 'utf8'), `schema/${name}`)));
}

/**
 * The schema of every door: SDL and resolvers, with what the directives ask for built in.
 *
 * The order matters. A caller is authorized before the values it sent are looked at, and only a request that is sound uses
 * up an idempotency key. Wrapping goes from the inside out, so that comes first.
 */
export function buildSchema(): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: readTypeDefinitions(SCHEMA_FOLDER),
    resolvers: [{ DateTime, Decimal, JSON: Json }, ...resolvers],
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  });
  readSunsets(schema);
  checkErrors(schema);
  notePlainFields(schema);
  enforceIdempotency(schema);
  enforceConstraints(schema);
  enforceAuth(schema);
  return schema;
}
