import { type DirectiveNode, type GraphQLSchema, getArgumentValues, Kind } from 'graphql';
import { type Deprecation, readDeprecation } from '../../core/deprecation.ts';
import { DocumentError, type Operation } from './documents.ts';

/** What `@deprecatedRoute` says. */
export interface RouteDeprecation extends Deprecation {
  /** The path of the route that takes its place, with variables of this route's own path in braces. */
  readonly successor: string;
  /** Where it is said, for messages. */
  readonly node: DirectiveNode;
}

/**
 * The deprecation of former paths, which lead to the route.
 *
 * @throws DocumentError when the date is none.
 */
export function readMove(
  { definition }: Operation,
  path: string,
  since: string | null | undefined,
): RouteDeprecation | undefined {
  const node = definition.directives?.find(({ name }) => name.value === 'rest');
  return since == null || !node ? undefined : { ...datesOf(node, since, undefined), successor: path, node };
}

/**
 * @param parameters the variables of the route's path.
 * @throws DocumentError when the dates are none, or the successor needs variables that the route has not.
 */
export function readRouteDeprecation(
  schema: GraphQLSchema,
  { definition }: Operation,
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
  // The document was validated, so that the values have the types that the directive declares.
  const { since, sunset, successor } = getArgumentValues(declaration, node) as {
    since: string;
    sunset?: string | null;
    successor: string;
  };
  for (const [, name] of successor.matchAll(/\{(\w+)\}/g)) {
    if (!parameters.has(name ?? '')) {
      throw new DocumentError(node, `The successor has {${name}}, which the path of this route has not.`);
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
