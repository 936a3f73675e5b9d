import { type FieldNode, Kind, type ValueNode } from 'graphql';
import { ApiError, type ErrorDetail } from '../errors.ts';
import type { VariableSource } from './binding.ts';
import { snakeCase } from './names.ts';

/** The variable that fills this argument, or this member of one: `input.items` is filled by `$items`. */
interface Filling {
  readonly path: string;
  readonly variable: string;
}

/**
 * The domain says what is wrong in terms of its arguments, in camelCase. A client of a route knows only what it sent, so
 * the details are given in terms of that; a refused path or query parameter is 400 rather than 422.
 */
export function createTranslation(
  root: FieldNode,
  sources: ReadonlyMap<string, VariableSource>,
): (error: ApiError) => ApiError {
  const fillings = (root.arguments ?? []).flatMap((argument) => fillingsOf(argument.value, argument.name.value));
  // The longest path first, so that the nearest variable is found.
  fillings.sort((a, b) => b.path.length - a.path.length);

  return (error) => {
    if (!error.details) return error;
    const translated = error.details.map((detail) => translate(detail, fillings));
    const isBody = translated.some(({ variable }) => variable === undefined || sources.get(variable) === 'body');
    const code = error.code === 'validation_failed' && !isBody ? 'invalid_parameter' : error.code;
    const details = translated.map(({ detail }) => detail);
    const message = details.length === 1 && details[0] ? sentence(error, details[0]) : error.message;
    return new ApiError(code, { message, details, cause: error });
  };
}

function sentence(error: ApiError, detail: ErrorDetail): string {
  return error.code === 'validation_failed' ? `${detail.path} ${detail.message}.` : error.message;
}

function translate(detail: ErrorDetail, fillings: readonly Filling[]) {
  const filling = fillings.find(({ path }) => detail.path === path || detail.path.startsWith(`${path}.`));
  const rest = filling ? detail.path.slice(filling.path.length) : detail.path;
  const path = (filling?.variable ?? '') + snakeCase(rest);
  return { variable: filling?.variable, detail: { path, message: detail.message } };
}

function fillingsOf(value: ValueNode, path: string): Filling[] {
  switch (value.kind) {
    case Kind.VARIABLE:
      return [{ path, variable: value.name.value }];
    case Kind.OBJECT:
      return value.fields.flatMap((field) => fillingsOf(field.value, `${path}.${field.name.value}`));
    case Kind.LIST:
      return value.values.flatMap((element, index) => fillingsOf(element, `${path}.${index}`));
    default:
      return [];
  }
}
