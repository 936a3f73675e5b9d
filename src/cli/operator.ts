/**
 * Commands change what they change as clients do: through operations of the schema, so that every rule holds that holds
 * for clients, and the event log records it. The caller is an operator, who may do what an administrator may.
 */
import { generateKeySync } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { createApiKeys } from '../auth/api-keys.ts';
import { CredentialUses } from '../auth/credential-uses.ts';
import { type Principal, ROLE_SCOPES } from '../auth/policy.ts';
import { systemClock } from '../core/clock.ts';
import { createCursors } from '../core/cursors.ts';
import { PendingWork } from '../core/pending-work.ts';
import type { Role } from '../core/roles.ts';
import type { Database } from '../db/database.ts';
import { toApiError } from '../graphql/errors.ts';
import { buildSchema } from '../graphql/schema.ts';
import { createMetrics } from '../observability/metrics.ts';
import { type Context, createContext, type Services } from '../pipeline/context.ts';
import { createOperations, type Operations } from '../pipeline/operations.ts';
import { createPricing } from '../pipeline/price/pricing.ts';
import { runOperation } from '../pipeline/run.ts';
import { Scheduler } from '../pipeline/scheduler.ts';
import { createMailLimit } from '../rate-limit/mail-limit.ts';
import { createMemoryBudget } from '../rate-limit/memory.ts';

/** An operator at work in an organisation, for one of its people or for none. */
export function operatorIn(
  org: string,
  onBehalfOf?: { readonly id: number; readonly role: Role },
): Principal & { readonly kind: 'operator' } {
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
 * @throws ApiError as a client would get; an error of another kind for internal failures.
 */
export async function perform<Value>(
  database: Database,
  principal: Principal,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Value> {
  return performerOf(buildSchema())<Value>(contextOf(database, principal), text, variables);
}

/** Runs an operation with one root field, and gives its value. It throws as {@link perform} does. */
export type Performer = <Value>(
  context: Context,
  text: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<Value>;

/** Makes what runs operations of a schema, whatever they cost. */
export function performerOf(schema: GraphQLSchema): Performer {
  const operations = createOperations({
    schema,
    pricing: createPricing(schema, Number.POSITIVE_INFINITY),
    production: false,
  });
  return (context, text, variables) => performIn(operations, context, text, variables);
}

async function performIn<Value>(
  operations: Operations,
  inContext: Context,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Value> {
  const { refusal, executed } = await runOperation(
    {
      door: 'command',
      find: (context) => operations.find(text, null, context),
      readVariables: (operation) => operation.checked(variables),
      executorOf: ({ interpreted }) => interpreted,
    },
    inContext,
  );
  const [failure] = executed?.result.errors ?? [];
  const error = refusal ?? (failure && toApiError(failure));
  if (error) throw error.code === 'internal_error' && error.cause instanceof Error ? error.cause : error;
  // The document that was asked for says what its root field gives.
  return Object.values(executed?.result.data ?? {})[0] as Value;
}

function contextOf(database: Database, principal: Principal): Context {
  const clock = systemClock;
  const metrics = createMetrics();
  const known: Partial<Services> = {
    database,
    clock,
    metrics,
    budget: createMemoryBudget({ points: Number.MAX_SAFE_INTEGER, perSecond: 1 }),
    // An operator is not limited, and servers find the message by themselves.
    mail: {
      limit: createMailLimit({ perAddress: Number.MAX_SAFE_INTEGER, perCaller: Number.MAX_SAFE_INTEGER }),
      outbox: { wake: () => {} },
    },
    scheduler: new Scheduler({ patience: Number.POSITIVE_INFINITY }),
    // A command waits for its own mutation.
    pendingWork: new PendingWork(),
    // No command shows a cursor.
    cursors: createCursors(() => [generateKeySync('hmac', { length: 256 })]),
    noteDeprecatedUse: () => {},
    noteOperation: () => {},
    notePoints: () => {},
    // No command calls with a key, so no use is noted.
    apiKeys: createApiKeys({
      database,
      clock,
      uses: new CredentialUses({ database, clock, onFailure: () => {}, touch: async () => {} }),
    }),
  };
  // The mutations that commands perform use no other services, as their tests show.
  return createContext(known as Services, { principal, address: 'localhost', at: clock() });
}
