import {
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type ValueNode,
  type VariableNode,
  valueFromASTUntyped,
} from 'graphql';
import { ABOUT_VALUES, ApiError, type ErrorDetail } from '../../core/errors.ts';
import { argumentsCheck } from '../../graphql/directives/constraint.ts';
import type { Field } from '../../graphql/field.ts';
import { snakeCase } from '../compile/spelling.ts';
import type { Variable } from '../compile/variables.ts';

/** A variable, and the argument or member of an argument that it fills: `$items` fills `input.items`. */
interface Filling {
  readonly path: string;
  readonly node: VariableNode;
}

/** A root field in its document, and its arguments in the schema. */
export interface RootArguments {
  readonly node: FieldNode;
  readonly field: Pick<Field, 'args'>;
}

/** A detail about a value of the request, under its name there, and the variable that the value is part of. */
interface Located extends ErrorDetail {
  readonly variable: Variable | undefined;
}

/** The parameters of a query as they were sent: one that was repeated is a list. */
type Query = Readonly<Record<string, unknown>>;

/** Returns a function that finds the value of the request that a detail about an argument of the domain is about. */
function createLocating(
  root: FieldNode,
  variables: readonly Variable[],
): (detail: ErrorDetail, query: Query) => Located {
  const fillings = fillingsOf(root).map(({ path, node }) => ({
    path,
    variable: variables.find(({ name }) => name === node.name.value),
  }));
  // Longest path first, so that the closest variable matches.
  fillings.sort((a, b) => b.path.length - a.path.length);
  return ({ path, message }, query) => {
    const filling = fillings.find((one) => path === one.path || path.startsWith(`${one.path}.`));
    const variable = filling?.variable;
    return { variable, path: wirePath(path.slice(filling?.path.length), variable, query), message };
  };
}

/** Returns a function that finds what `@constraint` refuses. The executor does too, but only after all values could be coerced. */
export function createConstraints(
  schema: GraphQLSchema,
  root: RootArguments,
  variables: readonly Variable[],
): (values: Readonly<Record<string, unknown>>, query: Query) => readonly ErrorDetail[] {
  const problemsOf = argumentsCheck(schema, root.field.args);
  const locate = createLocating(root.node, variables);
  return (values, query) => {
    const given = (root.node.arguments ?? []).map(({ name, value }) => [
      name.value,
      valueFromASTUntyped(value, values),
    ]);
    return problemsOf(Object.fromEntries(given)).map((detail) => {
      const { path, message } = locate(detail, query);
      return { path, message };
    });
  };
}

/** Returns a function that translates errors to what the client sent: its names, and 400 instead of 422 for parameters. */
export function createTranslation(
  root: FieldNode,
  variables: readonly Variable[],
): (error: ApiError, query: Query) => ApiError {
  const locate = createLocating(root, variables);
  return (error, query) => {
    if (!error.details) return error;
    const translated = error.details.map((detail) => locate(detail, query));
    const isBody = translated.some(
      ({ variable }) => variable === undefined || variable.source.startsWith('body'),
    );
    const code = error.code === 'validation_failed' && !isBody ? 'invalid_parameter' : error.code;
    const details = translated.map(({ path, message }) => ({ path, message }));
    const { retryAfter, replayed, scope } = error;
    return new ApiError(code, {
      details,
      replayed,
      retryAfter,
      scope,
      // The message about one value has its path, which has another name here.
      ...(!ABOUT_VALUES.has(error.code) && { message: error.message }),
      cause: error,
    });
  };
}

/**
 * Returns the path of a value as the client sent it. The value of a list parameter that was sent once has no position.
 *
 * @param rest the path after the part that the variable fills, with its leading dot.
 */
function wirePath(rest: string, variable: Variable | undefined, query: Query): string {
  if (variable?.source === 'query' && !Array.isArray(query[variable.name])) return variable.name;
  const name = variable?.source === 'body' ? '' : (variable?.name ?? '');
  return (name + snakeCase(rest)).replace(/^\./, '');
}

/** Returns the variables in the arguments of a field. */
export function fillingsOf(root: FieldNode): Filling[] {
  const collect = (value: ValueNode, path: string): Filling[] => {
    switch (value.kind) {
      case Kind.VARIABLE:
        return [{ path, node: value }];
      case Kind.OBJECT:
        return value.fields.flatMap((field) => collect(field.value, `${path}.${field.name.value}`));
      case Kind.LIST:
        return value.values.flatMap((element, index) => collect(element, `${path}.${index}`));
      default:
        return [];
    }
  };
  return (root.arguments ?? []).flatMap((argument) => collect(argument.value, argument.name.value));
}
