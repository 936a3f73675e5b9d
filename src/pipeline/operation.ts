/** An operation: a document with one of its operations, and everything about it that does not depend on a request, made once. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { deprecationsUsed } from '../graphql/deprecations.ts';
import { type Access, accessOf, authorizeCaller } from '../graphql/directives/auth.ts';
import { selectsSecret } from '../graphql/directives/secret.ts';
import type { SchemaDeprecation } from '../graphql/directives/sunset.ts';
import type { Field } from '../graphql/field.ts';
import { InvalidDocument } from './admission/documents.ts';
import { compileOperation, type Execute } from './compile.ts';
import type { Caller } from './context.ts';
import { expandOperation, fieldCount, placesIn } from './expand.ts';
import { type Nullability, nullabilityOf } from './nullability.ts';
import type { OperationPrice, Pricing } from './price/pricing.ts';
import { compileWriter, type WriteData } from './writer.ts';

/** One way to run an operation, and to write what comes of it. */
export interface Executor {
  readonly execute: Execute;
  /** JSON text of a result's `data`. */
  readonly write: WriteData;
}

export interface Operation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly name: string | undefined;
  /** The name, or what stands for it in a trace. */
  readonly label: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly price: OperationPrice;
  readonly nullability: Nullability;
  /** Whether it selects a credential, so that no cache may keep the response. */
  readonly selectsSecret: boolean;
  /** graphql-js: its results have leaves as clients read them. */
  readonly interpreted: Executor;
  /**
   * The compiled executor; the interpreted one where the operation cannot be compiled. It is compiled when it is first asked for,
   * since that takes some milliseconds and many documents come once.
   */
  readonly compiled: Executor;
  /** Points that compiling it costs; 0 once that is done, and for operations so small that reading has paid for it. */
  readonly compilingCost: number;
  /**
   * Refuses a caller who may run nothing of the operation. Where it may run some root fields, the others are refused one by one
   * when they run, and the rest of the response is the caller's own.
   *
   * @throws ApiError `unauthenticated` or what is wrong with the credentials, `insufficient_scope`, `insufficient_role`.
   */
  authorize(caller: Caller): void;
  /** The deprecated parts of the schema that it uses, with these variables as the client sent them. */
  deprecations(variables: Variables): readonly SchemaDeprecation[];
  /** The same variables, once they are known to fit. @throws InvalidDocument `invalid_variables`, with each mistake. */
  checked(variables: Variables): Variables;
}

type Variables = Readonly<Record<string, unknown>>;

export interface OperationOptions {
  readonly schema: GraphQLSchema;
  readonly pricing: Pricing;
  /** Hides the schema: no "Did you mean" that would spell it out. */
  readonly production?: boolean;
}

/** Makes operations of documents that were validated, each once. */
export interface OperationFactory {
  of(document: DocumentNode, definition: OperationDefinitionNode): Operation;
}

export function createOperationFactory(options: OperationOptions): OperationFactory {
  const known = new WeakMap<OperationDefinitionNode, Operation>();
  return {
    of(document, definition) {
      let operation = known.get(definition);
      if (!operation) {
        operation = makeOperation(options, document, definition);
        known.set(definition, operation);
      }
      return operation;
    },
  };
}

/** @throws ApiError `graphql_validation_failed` for a kind of operation that the schema has not. */
export function makeOperation(
  { schema, pricing, production = false }: OperationOptions,
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
    name: definition.name?.value,
    label: definition.name?.value ?? `anonymous ${definition.operation}`,
    type: definition.operation,
    price: pricing.of(document, definition),
    nullability: nullabilityOf(schema, expanded),
    selectsSecret: selectsSecret(schema, expanded),
    interpreted,
    get compiled() {
      compiled ??= compiledExecutor(schema, expanded) ?? interpreted;
      return compiled;
    },
    get compilingCost() {
      return compiled || fields <= LIMITS.fieldsCompiledFree ? 0 : fields * LIMITS.compiledFieldCost;
    },
    authorize,
    deprecations: (variables) => deprecationsUsed(schema, document, definition, variables),
    checked: variableCheckOf(schema, definition, production),
  };
}

function variableCheckOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  hideSuggestions: boolean,
): Operation['checked'] {
  if (variableDefinitions.length === 0) return (variables) => variables;
  return (variables) => {
    const { errors } = getVariableValues(schema, variableDefinitions, variables, {
      maxErrors: LIMITS.documentErrors,
      hideSuggestions,
    });
    const [first, ...others] = errors ?? [];
    if (first) throw new InvalidDocument('invalid_variables', [first, ...others]);
    return variables;
  };
}

function interpretedExecutor(
  schema: GraphQLSchema,
  document: DocumentNode,
  { name }: OperationDefinitionNode,
): Executor {
  return {
    execute: (rootValue, contextValue, variableValues) =>
      execute({
        schema,
        document,
        operationName: name?.value,
        rootValue,
        contextValue,
        variableValues,
      }) as ExecutionResult | Promise<ExecutionResult>,
    write: (data) => JSON.stringify(data),
  };
}

function compiledExecutor(schema: GraphQLSchema, expanded: OperationDefinitionNode): Executor | undefined {
  const compiled = compileOperation(schema, expanded);
  return compiled && { execute: compiled, write: compileWriter(schema, expanded) };
}

/** What the root fields of an expanded operation ask of a caller. */
function rootAccess(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode): Access[] {
  const type = schema.getRootType(operation);
  if (!type) {
    throw new ApiError('graphql_validation_failed', { message: `The schema has no ${operation}s.` });
  }
  const fields = type.getFields();
  return placesIn([selectionSet]).map(({ nodes: [{ name }] }) => {
    const field: Field | undefined = fields[name.value];
    // Introspection is not among a type's own fields, and asks for no credentials.
    return field ? accessOf(field) : 'public';
  });
}

function authorizationOf(accesses: readonly Access[]): Operation['authorize'] {
  const guarded = accesses.filter((access) => access !== 'public');
  const isMixed = guarded.length < accesses.length;
  return (caller) => {
    if (guarded.length === 0) return;
    if (isMixed || caller.principal === null) return authorizeCaller(caller, undefined);
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
