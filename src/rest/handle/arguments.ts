import { type FieldNode, Kind, type ValueNode, type VariableNode } from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { snakeCase } from '../compile/spelling.ts';
import type { Variable } from '../compile/variables.ts';

/** A variable, and the argument or member of an argument that it fills: `$items` fills `input.items`. */
interface Filling {
  readonly path: string;
  readonly node: VariableNode;
}

/**
 * Returns a function that translates errors for clients of a route. The domain's errors name its arguments, in camelCase, but
 * a client knows only what it sent, so the details name that; an invalid path or query parameter is 400 rather than 422.
 */
export function createTranslation(
  root: FieldNode,
  variables: readonly Variable[],
): (error: ApiError) => ApiError {
  const fillings = fillingsOf(root).map(({ path, node }) => ({
    path,
    variable: variables.find(({ name }) => name === node.name.value),
  }));
  // Longest path first, so that the closest variable matches.
  fillings.sort((a, b) => b.path.length - a.path.length);

  return (error) => {
    if (!error.details) return error;
    const translated = error.details.map((detail) => {
      const filling = fillings.find(({ path }) => detail.path === path || detail.path.startsWith(`${path}.`));
      const { path, message } = detail;
      return {
        variable: filling?.variable,
        path: wirePath(path.slice(filling?.path.length), filling?.variable),
        message,
      };
    });
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
      ...(error.code !== 'validation_failed' && { message: error.message }),
      cause: error,
    });
  };
}

/** @param rest the path after the part that the variable fills, with its leading dot. */
function wirePath(rest: string, variable: Variable | undefined): string {
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
