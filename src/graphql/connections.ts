/**
 * What every list by cursor has beside `nodes`, `first` and `after`: `edges` and `pageInfo`, `last` and `before`, as Relay's
 * specification of cursor connections has them. It is added to the SDL, so that a list has it by being one.
 */
import {
  type ASTVisitor,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeNode,
  visit,
} from 'graphql';

/** The names of the types of pages, each with the type of its nodes. */
type Pages = ReadonlyMap<string, string>;

/** The fields by which a page of a list by cursor is known. */
const OF_PAGES = ['nodes', 'endCursor', 'hasNextPage'];

/** Adds to SDL what its pages of lists by cursor have in common. */
export function addConnections(documents: readonly DocumentNode[]): DocumentNode[] {
  const pages = pagesIn(documents.flatMap(({ definitions }) => definitions));
  const edges = [...new Set(pages.values())].map(edgeOf).join('\n');
  if (edges === '') return [...documents];
  return [...documents.map((document) => visit(document, additions(pages))), parse(edges)];
}

function pagesIn(definitions: readonly DefinitionNode[]): Pages {
  const pages = new Map<string, string>();
  for (const node of definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const fields = new Map(node.fields?.map((field) => [field.name.value, field]));
    const nodes = fields.get('nodes');
    if (nodes && OF_PAGES.every((name) => fields.has(name))) pages.set(node.name.value, nameOf(nodes.type));
  }
  return pages;
}

const additions = (pages: Pages): ASTVisitor => ({
  ObjectTypeDefinition: {
    leave(node) {
      const listed = pages.get(node.name.value);
      return listed && { ...node, fields: (node.fields ?? []).flatMap(withEdges(listed)) };
    },
  },
  FieldDefinition: {
    leave: (node) => (pages.has(nameOf(node.type)) && takes('after', node) ? completed(node) : undefined),
  },
});

/** Edges are free, and so a page costs by them what it costs by its nodes; all cursors together cost the point of `edges`. */
const edgeOf = (listed: string): string => `
"One of a page, with its position. It costs nothing beside its node."
type ${listed}Edge @cost(weight: "0") {
  "Its position in the list."
  cursor: String! @example(value: "pVbkyQ0T3mJ8xQ2n5vK7pFsyMF0")
  "What the list is of."
  node: ${listed}!
}`;

const fieldsBesideNodes = (listed: string): string => `
type Page {
  "The same with their cursors."
  edges: [${listed}Edge!]! @cost(weight: "1")
  "The position of this page in the list."
  pageInfo: PageInfo!
}`;

/** The fields of a page, with those that are added behind its `nodes`. */
function withEdges(listed: string): (field: FieldDefinitionNode) => readonly FieldDefinitionNode[] {
  const [page] = definitionsIn(fieldsBesideNodes(listed));
  const added = page?.fields ?? [];
  return (field) => (field.name.value === 'nodes' ? [field, ...added] : [field]);
}

const argumentsFromEnd = `
type Query {
  list(
    "Reads this many backwards in place of \`first\`: from the end of the list, or from the cursor \`before\`."
    last: Int @constraint(min: 1)
    "The cursor before which a page that is read backwards ends."
    before: String @constraint(maxLength: 512)
  ): Int
}`;

/** A list that can be read from its end, and whose `@listSize` says of its edges what it says of its nodes. */
function completed(list: FieldDefinitionNode): FieldDefinitionNode {
  const [query] = definitionsIn(argumentsFromEnd);
  const added = query?.fields?.[0]?.arguments ?? [];
  const directives = (list.directives ?? []).map((directive) =>
    directive.name.value === 'listSize' ? withSizes(directive) : directive,
  );
  return { ...list, arguments: [...(list.arguments ?? []), ...added], directives };
}

/** What is added to the lists of `@listSize`, by the names of its arguments. */
const SIZES: Readonly<Record<string, string>> = { sizedFields: 'edges', slicingArguments: 'last' };

const withSizes = (directive: ConstDirectiveNode): ConstDirectiveNode => ({
  ...directive,
  arguments: (directive.arguments ?? []).map((argument) => {
    const { name, value } = argument;
    const added = SIZES[name.value];
    if (added === undefined || value.kind !== Kind.LIST) return argument;
    return {
      ...argument,
      value: { ...value, values: [...value.values, { kind: Kind.STRING, value: added }] },
    };
  }),
});

const takes = (argument: string, field: FieldDefinitionNode): boolean =>
  field.arguments?.some(({ name }) => name.value === argument) ?? false;

/** The types that a text defines. */
const definitionsIn = (sdl: string): readonly ObjectTypeDefinitionNode[] =>
  parse(sdl, { noLocation: true }).definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION);

const nameOf = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
