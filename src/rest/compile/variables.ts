/** The variables of an operation document, and where their values come from. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isNonNullType,
  print,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { directiveValues } from '../../graphql/directives/values.ts';
import { DocumentError, directiveOf } from './documents.ts';

/** Where the value of a variable comes from. Invalid values are 422 in a body and 400 everywhere else. */
export type VariableSource = 'path' | 'query' | 'body member' | 'body' | 'ifMatch' | 'idempotencyKey';

export interface Variable {
  readonly name: string;
  readonly node: VariableDefinitionNode;
  readonly type: GraphQLInputType;
  readonly required: boolean;
  readonly source: VariableSource;
  /** Whether a value is generated if the client sent none. */
  readonly generated: boolean;
}

/** @throws DocumentError for a variable that cannot have its source. */
export function readVariable(
  schema: GraphQLSchema,
  node: VariableDefinitionNode,
  pathParameters: ReadonlySet<string>,
  hasBody: boolean,
): Variable {
  const name = node.variable.name.value;
  const inPath = pathParameters.has(name);
  // The document was validated, so the type exists and is an input type.
  const type = typeFromAST(schema, node.type) as GraphQLInputType;
  const required = isNonNullType(type) && node.defaultValue === undefined;
  const source = sourceOf(node, inPath, hasBody);
  const variable = { name, node, type, required, source, generated: isGenerated(schema, node) };
  const problem = problemWith(variable, inPath, hasBody);
  if (problem !== undefined) throw new DocumentError(node, problem);
  return variable;
}

/** Returns why a variable cannot have its source; undefined if it can. */
function problemWith(
  { name, node, required, source }: Variable,
  inPath: boolean,
  hasBody: boolean,
): string | undefined {
  const type = print(node.type);
  if (directiveOf(node, 'body')) {
    if (inPath) return `$${name} is in the path, so it cannot be the body as well.`;
    if (!hasBody) return `$${name} cannot be the body: requests of this method have none.`;
  }
  if (source === 'idempotencyKey' && (inPath || type !== 'String'))
    return `@idempotencyKey provides a string or nothing: declare $${name} as String.`;
  if (source === 'ifMatch' && (inPath || type !== '[Int!]'))
    return `@ifMatch provides a list of versions or nothing: declare $${name} as [Int!].`;
  if (source === 'path' && !required)
    return `$${name} is in the path, so it always has a value: give it a type that ends in "!".`;
  return undefined;
}

function sourceOf(node: VariableDefinitionNode, inPath: boolean, hasBody: boolean): VariableSource {
  if (directiveOf(node, 'ifMatch')) return 'ifMatch';
  if (directiveOf(node, 'idempotencyKey')) return 'idempotencyKey';
  if (inPath) return 'path';
  if (directiveOf(node, 'body')) return 'body';
  return hasBody ? 'body member' : 'query';
}

const isGenerated = (schema: GraphQLSchema, astNode: VariableDefinitionNode): boolean =>
  directiveValues(schema, 'idempotencyKey', { astNode })?.['generated'] === true;
