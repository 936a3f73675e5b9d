/**
 * Commands make changes through operations of the schema, as clients do, so that the same rules apply and the event log
 * records the changes. The caller is an operator, who may do what an administrator may.
 */
import { generateKeySync } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { ApiKeys } from '../auth/api-keys.ts';
import { type Principal, personAs } from '../auth/policy.ts';
import { systemClock } from '../core/clock.ts';
import { createCursors } from '../core/cursors.ts';
import { PendingWork } from '../core/pending-work.ts';
import type { Role } from '../core/roles.ts';
import type { Database } from '../db/database.ts';
import { toApiError } from '../graphql/errors.ts';
import { buildSchema } from '../graphql/schema.ts';
import { createMetrics } from '../observability/prometheus.ts';
import type { Variables } from '../pipeline/compile.ts';
import { type Context, createContext, type Services } from '../pipeline/context.ts';
import { createOperations } from '../pipeline/operations.ts';
import { createPricing } from '../pipeline/price/pricing.ts';
import { runOperation } from '../pipeline/run.ts';
import { Scheduler } from '../pipeline/scheduler.ts';
import { createMemoryBudget } from '../rate-limit/budget.ts';
import { createMailLimit } from '../rate-limit/mail-limit.ts';

/** Returns an operator as a principal of an organisation, optionally on behalf of one of its members. */
export const operatorIn = (
  org: string,
  { id, role }: { readonly id: number; readonly role: Role } = { id: 0, role: 'admin' },
) => personAs('operator', { id, org, role });

/**
 * Runs a mutation with one root field, and returns its value.
 *
 * @throws ApiError as a client would get it; another error for internal failures.
 */
export async function perform<Value>(
  database: Database,
  principal: Principal,
  text: string,
  variables: Variables,
): Promise<Value> {
  return performerOf(buildSchema())<Value>(contextOf(database, principal), text, variables);
}

const { POSITIVE_INFINITY: UNLIMITED } = Number;

/** The limits of clients do not apply to the documents of commands, which are our own. */
const LIMITS_OF_COMMANDS = {
  cost: UNLIMITED,
  documentTokens: UNLIMITED,
  depth: UNLIMITED,
  aliases: UNLIMITED,
  rootFields: UNLIMITED,
  pageMax: UNLIMITED,
};

/** Returns a function that runs operations of a schema like {@link perform}, in any context and without limits. */
export function performerOf(schema: GraphQLSchema) {
  const pricing = createPricing(schema, LIMITS_OF_COMMANDS);
  const operations = createOperations({ ...LIMITS_OF_COMMANDS, schema, pricing, production: false });
  return async <Value>(inContext: Context, text: string, variables: Variables): Promise<Value> => {
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
    // The type of the root field follows from the document, which only the caller has.
    return Object.values(executed?.result.data ?? {})[0] as Value;
  };
}

function contextOf(database: Database, principal: Principal): Context {
  const clock = systemClock;
  const metrics = createMetrics();
  const known: Partial<Services> = {
    database,
    clock,
    metrics,
    budget: createMemoryBudget({ points: Number.MAX_SAFE_INTEGER, perSecond: 1 }),
    // An operator is not limited, and running servers find the message by polling.
    mail: {
      limit: createMailLimit({ perAddress: Number.MAX_SAFE_INTEGER, perCaller: Number.MAX_SAFE_INTEGER }),
      outbox: { wake: () => {} },
    },
    responseLimit: UNLIMITED,
    scheduler: new Scheduler({ patience: Number.POSITIVE_INFINITY }),
    // A command waits for its own mutation.
    pendingWork: new PendingWork(),
    // No command shows a cursor.
    cursors: createCursors(() => [generateKeySync('hmac', { length: 256 })]),
    noteDeprecatedUse: () => {},
    noteOperation: () => {},
    notePoints: () => {},
    // No command authenticates with a key, so no use is recorded.
    apiKeys: new ApiKeys({ database, clock, onNotRecorded: () => {} }),
  };
  // The mutations of commands use no other services, as their tests show.
  return createContext(known as Services, { principal, address: 'localhost', at: clock() });
}
