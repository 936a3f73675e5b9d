/**
 * Adds to every list by cursor what Relay's cursor connections specification requires in addition to `nodes`, `first` and `after`: `edges`
 * and `pageInfo`, `last` and `before`. They are added to the SDL, so that every list has them without declaring them. Lists are read from
 * their start, unless the caller requests them from their end.
 */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeNode,
} from 'graphql';
import { type Field, fieldsOfObjects } from './field.ts';

/** The name of each page type, with the name of the type of its nodes. */
type Pages = ReadonlyMap<string, string>;

/** The fields by which the type of a page is recognised. */
const PAGE_FIELDS = ['nodes', 'endCursor', 'hasNextPage'];

/** Adds the fields and arguments of connections to the pages and lists of the SDL. */
export function addConnections(documents: readonly DocumentNode[]): DocumentNode[] {
  const pages = pagesIn(documents.flatMap(({ definitions }) => definitions));
  const edges = [...new Set(pages.values())].map(edgeOf).join('\n');
  if (edges === '') return [...documents];
  const types = documents.map((document) => ({
    ...document,
    definitions: document.definitions.map((node) => completedType(node, pages)),
  }));
  return [...types, parse(edges)];
}

function pagesIn(definitions: readonly DefinitionNode[]): Pages {
  const pages = new Map<string, string>();
  for (const node of definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const fields = new Map(node.fields?.map((field) => [field.name.value, field]));
    const nodes = fields.get('nodes');
    if (nodes && PAGE_FIELDS.every((name) => fields.has(name)))
      pages.set(node.name.value, nameOf(nodes.type));
  }
  return pages;
}

/** Completes a type: the lists among its fields, and its own fields if it is a page. */
function completedType(node: DefinitionNode, pages: Pages): DefinitionNode {
  switch (node.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION: {
      const listed = node.kind === Kind.OBJECT_TYPE_DEFINITION ? pages.get(node.name.value) : undefined;
      const fields = (node.fields ?? []).map((field) =>
        pages.has(nameOf(field.type)) && takes('after', field) ? completed(field) : field,
      );
      return { ...node, fields: listed === undefined ? fields : fields.flatMap(withEdges(listed)) };
    }
    default:
      return node;
  }
}

/** Edges are free, so a page costs the same through its edges as through its nodes; all cursors together cost the one point of `edges`. */
const edgeOf = (listed: string): string => `
"A node of a page, with its position. It costs nothing in addition to its node."
type ${listed}Edge @cost(weight: "0") {
  "The position of the node in the list."
  cursor: String! @example(value: "pVbkyQ0T3mJ8xQ2n5vK7pFsyMF0")
  "The listed object."
  node: ${listed}!
}`;

const fieldsBesideNodes = (listed: string): string => `
type Page {
  "The nodes of this page with their cursors."
  edges: [${listed}Edge!]! @cost(weight: "1")
  "The position of this page in the list."
  pageInfo: PageInfo!
}`;

/** Adds the fields of a page after its `nodes`. */
function withEdges(listed: string): (field: FieldDefinitionNode) => readonly FieldDefinitionNode[] {
  const [page] = definitionsIn(fieldsBesideNodes(listed));
  const added = page?.fields ?? [];
  return (field) => (field.name.value === 'nodes' ? [field, ...added] : [field]);
}

const argumentsFromEnd = `
type Query {
  list(
    "Page size for reading backwards, instead of \`first\`: from the end of the list, or from the cursor \`before\`."
    last: Int @constraint(min: 1)
    "The cursor before which the page ends, when reading backwards."
    before: String @constraint(maxLength: 512)
  ): Int
}`;

/** Adds the arguments for reading a list from its end, and makes its `@listSize` apply to its edges as well as to its nodes. */
function completed(list: FieldDefinitionNode): FieldDefinitionNode {
  const [query] = definitionsIn(argumentsFromEnd);
  const added = query?.fields?.[0]?.arguments ?? [];
  const directives = (list.directives ?? []).map((directive) =>
    directive.name.value === 'listSize' ? withSizes(directive) : directive,
  );
  return { ...list, arguments: [...(list.arguments ?? []), ...added], directives };
}

/** The values that are added to the arguments of `@listSize`. */
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

/** The object types that a text defines. */
const definitionsIn = (sdl: string): readonly ObjectTypeDefinitionNode[] =>
  parse(sdl, { noLocation: true }).definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION);

const nameOf = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);

type Arguments = Readonly<Record<string, unknown>>;

/** Applies the default of `first` only without `last`. A resolver gets both only if the caller passed both, which it refuses. */
export function separateEnds(schema: GraphQLSchema): void {
  for (const [, field] of fieldsOfObjects(schema)) {
    const first = field.args.find(({ name }) => name === 'first');
    if (first?.defaultValue !== undefined && field.args.some(({ name }) => name === 'last')) separate(field);
  }
}

function separate(field: Field): void {
  const { resolve } = field;
  if (!resolve) return;
  field.resolve = (source, args: Arguments, context, info) => {
    if (args['last'] == null || isGiven('first', info)) return resolve(source, args, context, info);
    return resolve(source, { ...args, first: undefined }, context, info);
  };
}

/** Whether the caller passed the argument. Merged fields have the same arguments. */
function isGiven(argument: string, { fieldNodes: [node], variableValues }: GraphQLResolveInfo): boolean {
  const value = node?.arguments?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE
    ? Object.hasOwn(variableValues, value.name.value)
    : value !== undefined;
}
