/**
 * Commands change what they change as clients do: through operations of the schema, so that every rule holds that holds
 * for clients, and the log tells of it. The caller is an operator, who may do what an administrator may.
 */
import { type ExecutionResult, execute, parse } from 'graphql';
import { createApiKeys } from '../auth/api-keys.ts';
import { type Principal, ROLE_SCOPES, type Role } from '../auth/policy.ts';
import { systemClock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Context } from '../graphql/context.ts';
import { toApiError } from '../graphql/errors.ts';
import { Loaders } from '../graphql/loaders.ts';
import { buildSchema } from '../graphql/schema.ts';
import { createMetrics } from '../metrics.ts';

/** An operator at work in an organisation, for one of its people or for nobody. */
export function operatorIn(
  org: string,
  onBehalfOf?: { readonly id: number; readonly role: Role },
): Principal {
  const role = onBehalfOf?.role ?? 'admin';
  return {
    kind: 'operator',
    userId: onBehalfOf?.id ?? 0,
    org,
    role,
    scopes: ROLE_SCOPES[role],
    expiresAt: Number.POSITIVE_INFINITY,
    tokenId: 'operator',
  };
}

/**
 * Runs a mutation with one root field, and gives its value.
 *
 * @throws ApiError what a client would be told; an error of another kind when something failed that clients are not told of.
 */
export async function perform<Value>(
  database: Database,
  principal: Principal,
  document: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Value> {
  const result: ExecutionResult = await execute({
    schema: buildSchema(),
    document: parse(document),
    contextValue: contextOf(database, principal),
    variableValues: variables,
  });
  const [failure] = result.errors ?? [];
  if (failure) {
    const error = toApiError(failure);
    throw error.code === 'internal_error' && error.cause instanceof Error ? error.cause : error;
  }
  // The document that was asked for says what its root field gives.
  return Object.values(result.data ?? {})[0] as Value;
}

/** What the resolvers of these mutations are given. The services of a running server are not among it. */
function contextOf(database: Database, principal: Principal): Context {
  const clock = systemClock;
  const known: Partial<Context> = {
    database,
    clock,
    principal,
    address: 'localhost',
    metrics: createMetrics(),
    loaders: new Loaders(database, principal),
    // No command calls with a key, so no use is noted.
    apiKeys: createApiKeys({ database, clock, onUseNotNoted: () => {} }),
  };
  // The mutations that commands perform use no other member, as their tests show.
  return known as Context;
}
