import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { ApiError, type ErrorDetail, malformed } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { DocumentError } from '../compile/documents.ts';
import { readVariable, type Variable, type VariableSource } from '../compile/variables.ts';
import { createConstraints, type RootArguments } from './arguments.ts';
import { type Coerce, coerceMembers, fromJson, fromText, pageSizeFromText, visible } from './coercion.ts';
import {
  type ConditionHeaders,
  type Conditions,
  evaluate,
  isConditional,
  readConditions,
  versionsAllowed,
} from './conditions.ts';

/** The parts of an HTTP request that a route reads, or the same from the arguments of a tool. */
export interface RestRequest extends ConditionHeaders {
  /** The door that the request came through. */
  readonly door: 'rest' | 'mcp';
  /** Whether it is only a part of another request, which is counted instead. */
  readonly isPart?: boolean;
  /** The requested path, without its query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined if the client did not send it. */
  readonly idempotencyKey: string | string[] | undefined;
  /** The parsed JSON body, undefined without one. */
  readonly body: unknown;
}

export type Binding = ReturnType<typeof createBinding>;

/** The properties of a route that determine how its requests are read, by default of one with parameters in its query only. */
interface BindingParts {
  readonly pathParameters?: ReadonlySet<string>;
  /** The names of the variables that contain page sizes. */
  readonly pageSizes?: ReadonlySet<string>;
  readonly hasBody?: boolean;
  /** Whether the route's path can also be read by GET; undefined for a route that reads. */
  readonly hasRepresentation?: boolean | undefined;
}

/** Determines once how to read the variables of an operation from the requests of its route. */
export function createBinding(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  root: RootArguments,
  {
    pathParameters = new Set(),
    pageSizes = new Set(),
    hasBody = false,
    hasRepresentation,
  }: BindingParts = {},
) {
  const variables = (operation.variableDefinitions ?? []).map((node) =>
    readVariable(schema, node, pathParameters, hasBody),
  );
  const from = (source: VariableSource) => variables.filter((variable) => variable.source === source);
  const unbound = pathParameters.difference(new Set(from('path').map((variable) => variable.name)));
  for (const name of unbound) {
    throw new DocumentError(
      operation,
      `The path has {${name}}, but the operation has no variable $${name}. Declare it, or remove it from the path.`,
    );
  }
  const bindPath = textBinder(from('path'), pageSizes);
  const inQuery = from('query');
  const bindQuery = textBinder(inQuery, pageSizes);
  const bindBody = hasBody ? bodyBinder(from('body'), from('body member')) : undefined;
  const constraints = createConstraints(schema, root, variables);
  const bindKey = keyBinder(from('idempotencyKey')[0]);
  const bindConditions = conditionBinder(from('ifMatch')[0], hasRepresentation);

  return {
    variables,
    /**
     * @throws ApiError with all problems of form, and then those of `@constraint`: `invalid_parameter`, `unknown_parameter`,
     *   `validation_failed`. If there are only those of `@constraint`, the executor reports them.
     */
    bind(request: RestRequest): Record<string, unknown> {
      const values: Record<string, unknown> = {};
      const inPath = bindPath(request.params, values);
      const unknown = unknownIn(request.query, inQuery);
      const details = [...inPath, ...unknown, ...bindQuery(request.query, values)];
      const outsideBody = details.length;
      if (outsideBody === 0) {
        if (isConditional(request)) bindConditions(request, values);
        bindKey?.(request.idempotencyKey, values);
        if (!bindBody) refuseBody(request.body);
      }
      bindBody?.(request.body, values, details);
      if (details.length === 0) return values;
      // The code is that of the first problem.
      const [first] = details;
      const code = first === unknown[0] ? 'unknown_parameter' : 'invalid_parameter';
      const known = new Set(details.map(({ path }) => path));
      details.push(...constraints(values, request.query).filter(({ path }) => !known.has(path)));
      throw new ApiError(outsideBody === 0 ? 'validation_failed' : code, {
        details: details.slice(0, LIMITS.errorDetails),
      });
    },
  };
}

/** Returns a function that reads variables, and returns their problems. */
function textBinder(variables: readonly Variable[], pageSizes: ReadonlySet<string>) {
  const coercers = variables.map(({ name, type, required }) => ({
    name,
    required,
    coerce: pageSizes.has(name) ? pageSizeFromText(type) : fromText(type),
  }));
  return (texts: Readonly<Record<string, unknown>>, values: Record<string, unknown>): ErrorDetail[] => {
    const details: ErrorDetail[] = [];
    for (const { name, required, coerce } of coercers) {
      const text = texts[name];
      if (text !== undefined) values[name] = coerce(text, name, details);
      else if (required) details.push({ path: name, message: 'is required' });
    }
    return details;
  };
}

/** Returns a function that reads the conditions of a change into a variable, or checks them if there is none. */
function conditionBinder(versions: Variable | undefined, hasRepresentation: boolean | undefined) {
  return (headers: ConditionHeaders, values: Record<string, unknown>) => {
    const conditions = readConditions(headers);
    if (versions) {
      const allowed = versionsAllowed(conditions);
      if (allowed) values[versions.name] = allowed;
    } else if (hasRepresentation !== undefined) requireConditions(conditions, hasRepresentation);
  };
}

/** Reads the key without validating it: the mutation does that, since it also receives keys from GraphQL. */
function keyBinder(variable: Variable | undefined) {
  if (!variable) return undefined;
  const { name } = variable;
  return (header: string | string[] | undefined, values: Record<string, unknown>) => {
    // As Node joins a repeated header.
    const key = Array.isArray(header) ? header.join(', ') : header;
    if (key !== undefined) values[name] = key;
  };
}

function unknownIn(query: Readonly<Record<string, unknown>>, known: readonly Variable[]): ErrorDetail[] {
  const unknown = Object.keys(query).filter((name) => !known.some((variable) => variable.name === name));
  if (unknown.length === 0) return [];
  const names = known.map((variable) => variable.name).join(', ');
  const message = `is not a parameter of this route${names && `, which has ${names}`}`;
  return unknown.map((name) => ({ path: visible(name), message }));
}

function bodyBinder(whole: readonly Variable[], parts: readonly Variable[]) {
  const [body, second] = whole;
  const extra = second ?? (body && parts[0]);
  if (extra)
    throw new DocumentError(extra.node, `@body takes the whole body, so nothing is left for $${extra.name}.`);
  const members = parts.map(({ name, type, required }) => ({
    wireName: name,
    name,
    coerce: fromJson(type),
    required,
  }));
  const coerce: Coerce = body
    ? fromJson(body.type)
    : (value, path, details) => coerceMembers(members, value, path, details);
  return (sent: unknown, values: Record<string, unknown>, details: ErrorDetail[]) => {
    const value = coerce(sent === undefined ? {} : sent, '', details);
    if (body) values[body.name] = value;
    else Object.assign(values, value);
  };
}

/** Checks the conditions of a change to a resource without entity tags; `*` matches only what can be read. @throws ApiError. */
function requireConditions(conditions: Conditions, hasRepresentation: boolean): void {
  const holds = hasRepresentation
    ? evaluate(conditions, undefined, false) === 'perform'
    : conditions.ifMatch === undefined;
  if (!holds) throw new ApiError('precondition_failed');
}

function refuseBody(body: unknown): void {
  if (body === undefined || body === null) return;
  throw malformed('This route takes no request body.');
}
