/** An operation: a document with one of its operations, and everything about it that does not depend on a request, built once. */
import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { LIMITS } from '../core/limits.ts';
import type { SchemaDeprecation } from '../graphql/deprecations.ts';
import { deprecationsUsedBy } from '../graphql/deprecations.ts';
import { type Access, accessOf, authorizeCaller } from '../graphql/directives/auth.ts';
import { selectsSecret } from '../graphql/directives/secret.ts';
import type { Field } from '../graphql/field.ts';
import { InvalidDocument } from './admission/documents.ts';
import { createSecretMask } from './admission/omitted-secrets.ts';
import { compileOperation, compileWriter, type Execute, type Variables, type Writer } from './compile.ts';
import type { Caller } from './context.ts';
import { hasKnownDifference } from './jit-differences.ts';
import { plainVariables } from './plain-variables.ts';
import type { OperationPrice, Pricing } from './price/pricing.ts';
import {
  type DepthOfNull,
  depthOfNullIn,
  expandOperation,
  fieldCount,
  responseFieldsIn,
  setsOf,
} from './response-fields.ts';

/** A way to run an operation and to write its result. */
export interface Executor {
  readonly execute: Execute;
  readonly write: Writer;
}

export interface Operation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  /** The definition without named fragments ({@link expandOperation}). */
  readonly expanded: OperationDefinitionNode;
  readonly name: string | undefined;
  /** The name in traces, also for an anonymous operation. */
  readonly label: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly price: OperationPrice;
  readonly depthOfNull: DepthOfNull;
  /** Whether it selects a credential, so that no cache may keep the response. */
  readonly selectsSecret: boolean;
  /** Runs the operation with graphql-js. Leaves of its results are serialized. */
  readonly interpreted: Executor;
  /** The compiled executor, or the interpreted one. Compiling takes milliseconds, so it is done at the first use. */
  readonly compiled: Executor;
  /** Whether it can be compiled. Finding that out takes a tenth of the time of compiling it. */
  readonly isCompilable: boolean;
  /** The points for compiling it; 0 if it is compiled, an operation of the server itself, or so small that reading has paid for it. */
  readonly compilingCost: number;
  /**
   * Refuses a caller who may run none of the root fields. Others get errors for those that they may not run.
   *
   * @throws ApiError `unauthenticated` or why the credentials were rejected, `insufficient_scope`, `insufficient_role`.
   */
  authorize(caller: Caller): void;
  /** The deprecated parts of the schema that it uses with these variables, which are as the client sent them. */
  deprecations(variables: Variables): readonly SchemaDeprecation[];
  /** Checks the variables and returns them unchanged. @throws InvalidDocument `invalid_variables`, with each error. */
  checked(variables: Variables): Variables;
}

interface OperationOptions {
  readonly schema: GraphQLSchema;
  readonly pricing: Pricing;
  /** Hides the schema: errors have no "Did you mean" suggestions. */
  readonly production?: boolean;
  /** Whether the documents are the server's own, so that no caller pays for compiling them. */
  readonly areOwn?: boolean;
}

/** Builds an operation. */
export function makeOperation(
  { schema, pricing, production = false, areOwn = false }: OperationOptions,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): Operation {
  const expanded = expandOperation(document, definition);
  const interpreted = interpretedExecutor(schema, document, definition);
  const authorize = authorizationOf(rootAccess(schema, expanded));
  let compiled: Executor | undefined;
  const fields = fieldCount(expanded.selectionSet);
  return {
    document,
    definition,
    expanded,
    name: definition.name?.value,
    label: definition.name?.value ?? `anonymous ${definition.operation}`,
    type: definition.operation,
    price: pricing.of(expanded),
    depthOfNull: depthOfNullIn(schema, expanded),
    selectsSecret: selectsSecret(schema, expanded),
    interpreted,
    get compiled() {
      if (compiled) return compiled;
      const execute = compileOperation(schema, expanded);
      // A route writes results of compiled code, whose leaves are not serialized.
      if (!execute && areOwn) throw new Error(`${definition.name?.value} cannot be compiled.`);
      compiled = execute ? { execute, write: compileWriter(schema, expanded) } : interpreted;
      return compiled;
    },
    get isCompilable() {
      return !hasKnownDifference(schema, expanded);
    },
    get compilingCost() {
      const isFree = areOwn || fields <= LIMITS.fieldsCompiledFree;
      return compiled || isFree ? 0 : fields * LIMITS.compiledFieldCost;
    },
    authorize,
    deprecations: deprecationsUsedBy(schema, expanded),
    checked: variableCheckOf(schema, document, definition, production),
  };
}

function variableCheckOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  hideSuggestions: boolean,
): Operation['checked'] {
  const { variableDefinitions = [] } = definition;
  const arePlain = plainVariables(schema, definition);
  const options = { maxErrors: LIMITS.documentErrors, hideSuggestions };
  const errorsOf = (variables: Variables) =>
    getVariableValues(schema, variableDefinitions, variables, options).errors ?? [];
  let withoutSecrets: ((variables: Variables) => Variables) | undefined;
  return (variables) => {
    if (arePlain(variables) || errorsOf(variables).length === 0) return variables;
    withoutSecrets ??= createSecretMask(schema, document, definition);
    const [first, ...others] = errorsOf(withoutSecrets(variables));
    if (first) throw new InvalidDocument('invalid_variables', [first, ...others]);
    return variables;
  };
}

function interpretedExecutor(
  schema: GraphQLSchema,
  document: DocumentNode,
  { name }: OperationDefinitionNode,
): Executor {
  const operationName = name?.value;
  return {
    execute: (rootValue, contextValue, variableValues) =>
      execute({ schema, document, operationName, rootValue, contextValue, variableValues }),
    write: (data) => JSON.stringify(data),
  };
}

function rootAccess(schema: GraphQLSchema, operation: OperationDefinitionNode): Access[] {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  return responseFieldsIn(schema, setsOf(schema, operation)).map(({ fields: [{ node }] }) => {
    const field: Field | undefined = fields[node.name.value];
    // Introspection fields are not among a type's own fields, and require no credentials.
    return field ? accessOf(field) : 'public';
  });
}

function authorizationOf(accesses: readonly Access[]): Operation['authorize'] {
  const guarded = accesses.filter((access) => access !== 'public');
  const isMixed = guarded.length < accesses.length;
  return (caller) => {
    if (guarded.length === 0) return;
    if (isMixed || caller.principal === null) return authorizeCaller(caller);
    let refusal: unknown;
    for (const access of guarded) {
      try {
        return authorizeCaller(caller, access);
      } catch (error) {
        refusal ??= error;
      }
    }
    throw refusal;
  };
}
