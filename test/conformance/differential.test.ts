/**
 * The compiled executor and graphql-js return the same bytes: data, nulls, and errors with code, path and
 * locations.
 * The operations are the same in each run. `OPERATIONS=10000 SEED=1 npx vitest run
 * test/conformance/differential.test.ts` runs more, and others.
 */

import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLList,
  type GraphQLOutputType,
  getNullableType,
  getOperationAST,
  isListType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { type Principal, ROLE_SCOPES } from '../../src/auth/policy.ts';
import type { Role } from '../../src/core/roles.ts';
import { compileOperation, compileWriter } from '../../src/pipeline/compile.ts';
import { type Context, createContext } from '../../src/pipeline/context.ts';
import { formattedErrors } from '../../src/pipeline/response.ts';
import { depthOfNullIn, expandOperation } from '../../src/pipeline/response-fields.ts';
import { schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import {
  type OperationKind,
  type RandomOperation,
  randomOperations,
} from '../support/inputs/random-operations.ts';

/** Execution does not depend on the engine, so PostgreSQL runs an eighth of them. */
const OPERATIONS = { sqlite: Number(process.env['OPERATIONS'] ?? 2000), postgres: 250 };
const SEED = Number(process.env['SEED'] ?? 20_261_122);

const ROLES: Readonly<Record<Role, number>> = { admin: 1, editor: 2, viewer: 3 };

const principalOf = (role: Role): Principal => ({
  kind: 'user',
  userId: ROLES[role],
  org: 'acme',
  role,
  scopes: ROLE_SCOPES[role],
  expiresAt: Number.POSITIVE_INFINITY,
});

interface Valid extends RandomOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** The generators, and the valid operations that they have returned so far. All roles and engines run the same ones. */
const generated: Readonly<Record<OperationKind, { next: () => RandomOperation; valid: Valid[] }>> = {
  query: { next: randomOperations(SEED, 'query'), valid: [] },
  mutation: { next: randomOperations(SEED, 'mutation'), valid: [] },
};

/** Returns the given number of valid operations. */
function validOperations(kind: OperationKind, count: number): readonly Valid[] {
  const { next, valid } = generated[kind];
  while (valid.length < count) {
    const { query, variables } = next();
    const document = parse(query);
    const operation = getOperationAST(document);
    if (operation && validate(schema, document).length === 0)
      valid.push({ query, variables, document, operation });
  }
  return valid.slice(0, count);
}

interface Response {
  readonly data: string | undefined;
  readonly errors: readonly string[];
}

function responseOf(
  { document, operation }: Valid,
  data: string | undefined,
  result: ExecutionResult,
): Response {
  const depthOfNull = depthOfNullIn(schema, expandOperation(document, operation));
  const errors = formattedErrors(result, depthOfNull, SILENT) ?? [];
  return { data, errors: errors.map((error) => JSON.stringify(error)) };
}

async function byGraphqlJs(valid: Valid, contextValue: Context): Promise<Response> {
  const { document, variables } = valid;
  const result = await execute({ schema, document, variableValues: variables, contextValue });
  return responseOf(valid, JSON.stringify(result.data), result);
}

/** The same schema with every value nullable, so that no error hides another one. */
const lenient = mapSchema(schema, {
  [MapperKind.OBJECT_FIELD]: (field) => ({ ...field, type: withoutNonNull(field.type) }),
});

function withoutNonNull(type: GraphQLOutputType): GraphQLOutputType {
  const nullable = getNullableType(type);
  return isListType(nullable) ? new GraphQLList(withoutNonNull(nullable.ofType)) : nullable;
}

/** All errors that the operation can return. */
async function possibleErrors({ document, variables }: Valid, contextValue: Context): Promise<Set<string>> {
  const { errors = [] } = await execute({
    schema: lenient,
    document,
    variableValues: variables,
    contextValue,
  });
  const each = errors.map((error) => formattedErrors({ errors: [error] }, NO_NULLS, SILENT)?.[0]);
  return new Set(each.map((error) => JSON.stringify(error)));
}

const NO_NULLS = () => 0;

const SILENT = { noteInternalError: () => {} };

/** Undefined if the operation is not compiled, or if graphql-js refuses its variables before execution. */
async function compiled(valid: Valid, context: Context): Promise<Response | undefined> {
  const { document, operation, variables } = valid;
  const expanded = expandOperation(document, operation);
  const run = compileOperation(schema, expanded);
  if (!run) return undefined;
  const result = await run(undefined, context, variables);
  return responseOf(valid, compileWriter(schema, expanded)(result.data), result);
}

describeEachEngine('the compiled executor and graphql-js', (engine) => {
  const app = startApp(engine);

  const compare = async (kind: OperationKind, role: Role, count: number) => {
    const caller = { principal: principalOf(role), address: '127.0.0.1', at: app.clock() };
    const counts = { compared: 0, failed: 0, chosen: 0, left: 0 };
    for (const valid of validOperations(kind, count)) {
      const title = `${valid.query}\n${JSON.stringify(valid.variables)}`;
      const expected = await byGraphqlJs(valid, createContext(app.services, caller));
      // The pipeline refuses it with the coercion of graphql-js itself.
      if (expected.data === undefined) continue;
      const actual = await compiled(valid, createContext(app.services, caller));
      if (!actual) {
        counts.left += 1;
        continue;
      }
      counts.compared += 1;
      counts.failed += Number(expected.errors.length > 0);
      expect(actual.data, title).toBe(expected.data);
      if (String(actual.errors) === String(expected.errors)) continue;
      // If several errors make one value null, both report the one that occurred first.
      counts.chosen += 1;
      expect(actual.errors.length, title).toBe(expected.errors.length);
      const possible = await possibleErrors(valid, createContext(app.services, caller));
      for (const error of actual.errors) expect(possible, title).toContain(error);
    }
    return counts;
  };

  test.each(['admin', 'editor', 'viewer'] as const)(
    'return equal bytes for the queries of an %s',
    async (role) => {
      const { compared, failed, chosen, left } = await compare(
        'query',
        role,
        Math.ceil(OPERATIONS[engine.name] / 3),
      );
      // About half of the random operations are compiled.
      expect(compared).toBeGreaterThan((compared + left) / 3);
      expect(failed).toBeGreaterThan(compared / 50);
      expect(chosen).toBeLessThan(compared / 10);
    },
    600_000,
  );

  test('return equal bytes for refused mutations', async () => {
    const { compared, failed } = await compare('mutation', 'viewer', Math.ceil(OPERATIONS[engine.name] / 10));
    expect(failed).toBeGreaterThan(compared / 2);
  }, 600_000);
});
