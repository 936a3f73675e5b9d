import type { DirectiveNode, GraphQLSchema } from 'graphql';
import { type Deprecation, readDeprecation } from '../../core/deprecation.ts';
import { argumentsOf, DocumentError, directiveOf, type OperationDocument } from './documents.ts';
import { parametersOf } from './spelling.ts';

/** The deprecation of a route, from `@deprecatedRoute`. */
export interface RouteDeprecation extends Deprecation {
  /** The path of the route that replaces this one, with variables of this route's own path in braces. */
  readonly successor: string;
  /** The directive, for error messages. */
  readonly node: DirectiveNode;
}

/** Reads the deprecation of a route's former paths, which redirect to the route. @throws DocumentError for an invalid date. */
export function readFormerPaths(
  { definition }: OperationDocument,
  path: string,
  since: string | null | undefined,
): RouteDeprecation | undefined {
  const node = directiveOf(definition, 'rest');
  return since == null || !node ? undefined : { ...datesOf(node, since, undefined), successor: path, node };
}

/** Reads the deprecation of a route. @throws DocumentError for invalid dates, or a successor with variables that the path lacks. */
export function readRouteDeprecation(
  schema: GraphQLSchema,
  { definition }: OperationDocument,
  parameters: ReadonlySet<string>,
): RouteDeprecation | undefined {
  const node = directiveOf(definition, 'deprecatedRoute');
  if (!node) return undefined;
  const { since, sunset, successor } = argumentsOf<{
    since: string;
    sunset?: string | null;
    successor: string;
  }>(schema, node, 'A deprecation');
  for (const name of parametersOf(successor).difference(parameters)) {
    throw new DocumentError(node, `The successor has {${name}}, but the path of this route does not.`);
  }
  return { ...datesOf(node, since, sunset), successor, node };
}

function datesOf(node: DirectiveNode, since: string, sunset: string | null | undefined): Deprecation {
  try {
    return readDeprecation(since, sunset);
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentError(node, error.message, { cause: error });
    throw error;
  }
}
