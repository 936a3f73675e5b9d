/** The parts of a schema that clients depend on, in a comparable form. */
import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  Kind,
  print,
  visit,
} from 'graphql';

/** The paths of all elements without a description. */
export function undescribed(schema: GraphQLSchema): string[] {
  const missing: string[] = [];
  const look = (path: string, { description }: { description?: string | null | undefined }) => {
    if (!description?.trim()) missing.push(path);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    look(type.name, type);
    if (isEnumType(type)) {
      for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
    }
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      look(`${type.name}.${field.name}`, field);
      for (const argument of field.args) look(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  for (const directive of schema.getDirectives().filter((each) => !isSpecifiedDirective(each))) {
    look(`@${directive.name}`, directive);
    for (const argument of directive.args) look(`@${directive.name}(${argument.name})`, argument);
  }
  return missing;
}

/**
 * The schema as SDL with its directives, because access and accepted values are part of the contract. Without
 * descriptions and in alphabetical order, so that only differences that clients can observe appear.
 */
export function contractOf(schema: GraphQLSchema): string {
  const directives = schema.getDirectives().flatMap(({ astNode }) => (astNode ? [astNode] : []));
  const types = Object.values(schema.getTypeMap()).flatMap((type): DefinitionNode[] => {
    if (!type.astNode) return [];
    return [merged([type.astNode, ...type.extensionASTNodes])];
  });
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [...byName(directives), ...byName(types)],
  };
  const bare = visit(document, {
    enter: (node: ASTNode) => ('description' in node ? { ...node, description: undefined } : undefined),
  });
  return `${print(bare).trim()}\n`;
}

/** A type merged with its extensions. */
function merged(nodes: readonly DefinitionNode[]): DefinitionNode {
  const [first] = nodes;
  if (!first) throw new Error('A type has a definition.');
  const list = (member: 'fields' | 'values' | 'directives') =>
    nodes.flatMap((node) => (member in node ? (Reflect.get(node, member) ?? []) : []));
  return {
    ...first,
    ...('fields' in first && { fields: byName(list('fields')) }),
    ...('values' in first && { values: byName(list('values')) }),
    directives: list('directives'),
  };
}

const byName = <Node>(nodes: readonly Node[]): Node[] =>
  nodes.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

/** All definitions, fields and values have a name, except the definition of the schema itself. */
function nameOf(node: unknown): string {
  const { name } = node as { readonly name?: { readonly value: string } };
  return name?.value ?? '';
}
