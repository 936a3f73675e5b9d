/**
 * What every type has that has a root field to read one of it by its id: the interface `Node` of base.graphql, and an identifier among
 * the objects of all types. It is added to the SDL, so that a type has it by having such a field.
 */
import {
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLResolveInfo,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql';
import { type Context, callerOf } from '../../resolvers/shared/context.ts';

/** How one of a type is read. */
interface Root {
  readonly field: string;
  /** Whether the field takes the organisation as well, which is the caller's own. */
  readonly takesOrg: boolean;
}

/** By the name of a type. */
type Roots = ReadonlyMap<string, Root>;

/** Adds to SDL that the types with a root field are nodes. */
export function addNodes(documents: readonly DocumentNode[]): DocumentNode[] {
  const roots = rootsIn(documents);
  return documents.map((document) =>
    visit(document, {
      ObjectTypeDefinition: (node) => (roots.has(node.name.value) ? asNode(node) : undefined),
    }),
  );
}

/**
 * How nodes are resolved: by the root field of their type, as it stands in the schema, with everything that it asks of its caller.
 *
 * @param documents the SDL.
 */
export function nodeResolvers(documents: readonly DocumentNode[]) {
  const roots = rootsIn(documents);
  const typeOf = new WeakMap<object, string>();
  const node = async (
    root: unknown,
    args: { readonly id: string },
    context: Context,
    info: GraphQLResolveInfo,
  ) => {
    const named = readNodeId(args.id);
    const own = named && roots.get(named.type);
    if (!own) return null;
    const { id, type } = named;
    const org = own.takesOrg ? { org: callerOf(context).org } : {};
    const value: unknown = await info.schema
      .getQueryType()
      ?.getFields()
      [own.field]?.resolve?.(root, { id, ...org }, context, info);
    if (typeof value !== 'object' || value === null) return null;
    typeOf.set(value, type);
    return value;
  };
  const ids = [...roots.keys()].map((type) => [
    type,
    { nodeId: ({ id }: { readonly id: number }) => nodeIdOf(type, id) },
  ]);
  return {
    Query: { node },
    Node: { __resolveType: (value: object) => typeOf.get(value) },
    ...Object.fromEntries(ids),
  };
}

/** The identifier of an object among those of all types. */
export const nodeIdOf = (type: string, id: string | number): string =>
  Buffer.from(`${type}:${id}`).toString('base64url');

/** What an identifier names, undefined for a text that is none. */
function readNodeId(text: string): { readonly type: string; readonly id: string } | undefined {
  const [, type, id] = /^(\w+):(\d+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (type === undefined || id === undefined) return undefined;
  // Decoding is lenient; one object shall have one identifier.
  return nodeIdOf(type, id) === text ? { type, id } : undefined;
}

/** @throws Error when two root fields give one of a type by its id. It stops the boot. */
function rootsIn(documents: readonly DocumentNode[]): Roots {
  const roots = new Map<string, Root>();
  for (const field of documents.flatMap(({ definitions }) => definitions).flatMap(fieldsOfQuery)) {
    const root = rootOf(field);
    if (!root || field.type.kind !== Kind.NAMED_TYPE) continue;
    const type = field.type.name.value;
    const other = roots.get(type)?.field;
    if (other !== undefined)
      throw new Error(`Query.${other} and Query.${root.field} both give a ${type} by its id.`);
    roots.set(type, root);
  }
  return roots;
}

const fieldsOfQuery = (node: DefinitionNode): readonly FieldDefinitionNode[] =>
  (node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION) &&
  node.name.value === 'Query'
    ? (node.fields ?? [])
    : [];

/** A field that takes an id, or an organisation and an id, and nothing else; of its own type, and not of any. */
function rootOf({ name, arguments: given = [], type }: FieldDefinitionNode): Root | undefined {
  if (type.kind === Kind.NAMED_TYPE && type.name.value === NODE) return undefined;
  const takes = given
    .map((argument) => `${argument.name.value}: ${print(argument.type)}`)
    .sort()
    .join(', ');
  if (takes === 'id: ID!') return { field: name.value, takesOrg: false };
  return takes === 'id: ID!, org: String!' ? { field: name.value, takesOrg: true } : undefined;
}

const NODE = 'Node';

const AS_NODE = `
type Type implements ${NODE} {
  "Identifier among the objects of all types. Opaque: \`node\` takes it."
  nodeId: ID! @shared @example(value: "T3JkZXI6MQ")
}`;

function asNode(node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  // The text has one definition, and it is that of a type.
  const [added] = parse(AS_NODE, { noLocation: true }).definitions as readonly [ObjectTypeDefinitionNode];
  const [first, ...others] = node.fields ?? [];
  return {
    ...node,
    interfaces: [...(node.interfaces ?? []), ...(added.interfaces ?? [])],
    fields: [...(first ? [first] : []), ...(added.fields ?? []), ...others],
  };
}
