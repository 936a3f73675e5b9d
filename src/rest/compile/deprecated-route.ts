import { type DirectiveNode, type GraphQLSchema, getArgumentValues, Kind } from 'graphql';
import { type Deprecation, readDeprecation } from '../../core/deprecation.ts';
import { DocumentError, type OperationDocument } from './documents.ts';

/** The deprecation of a route, from `@deprecatedRoute`. */
export interface RouteDeprecation extends Deprecation {
  /** The path of the route that replaces this one, with variables of this route's own path in braces. */
  readonly successor: string;
  /** The directive, for error messages. */
  readonly node: DirectiveNode;
}

/**
 * Reads the deprecation of a route's former paths, which redirect to the route.
 *
 * @throws DocumentError for an invalid date.
 */
export function readFormerPaths(
  { definition }: OperationDocument,
  path: string,
  since: string | null | undefined,
): RouteDeprecation | undefined {
  const node = definition.directives?.find(({ name }) => name.value === 'rest');
  return since == null || !node ? undefined : { ...datesOf(node, since, undefined), successor: path, node };
}

/**
 * Reads the deprecation of a route.
 *
 * @param parameters the variables of the route's path.
 * @throws DocumentError for invalid dates, or if the successor needs variables that the route does not have.
 */
export function readRouteDeprecation(
  schema: GraphQLSchema,
  { definition }: OperationDocument,
  parameters: ReadonlySet<string>,
): RouteDeprecation | undefined {
  const node = definition.directives?.find(({ name }) => name.value === 'deprecatedRoute');
  const declaration = schema.getDirective('deprecatedRoute');
  if (!node || !declaration) return undefined;
  if (node.arguments?.some(({ value }) => value.kind === Kind.VARIABLE)) {
    throw new DocumentError(
      node,
      'A deprecation is the same for every request: @deprecatedRoute takes no variables.',
    );
  }
  // The document was validated, so the values have the types that the directive declares.
  const { since, sunset, successor } = getArgumentValues(declaration, node) as {
    since: string;
    sunset?: string | null;
    successor: string;
  };
  for (const [, name] of successor.matchAll(/\{(\w+)\}/g)) {
    if (!parameters.has(name ?? '')) {
      throw new DocumentError(node, `The successor has {${name}}, but the path of this route does not.`);
    }
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
