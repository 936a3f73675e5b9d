/**
 * Adds the interface `Node` of base.graphql, and a globally unique identifier, to every type that a root field returns by its id. They are
 * added to the SDL, so that a type has them without declaring them.
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
} from 'graphql';
import { type Context, callerOf } from '../../resolvers/shared/context.ts';
import { addConnections } from './connections.ts';

/** The root field that reads an object of a type. */
interface Root {
  readonly field: string;
  /** Whether the field also takes an organisation. The caller's own is passed. */
  readonly takesOrg: boolean;
}

/** Root fields by the names of their types. */
type Roots = ReadonlyMap<string, Root>;

/** The SDL of `schema/` with everything that is derived from it. */
export const completeSdl = (documents: readonly DocumentNode[]): DocumentNode[] =>
  addNodes(addConnections(documents));

/** Makes the types with a root field implement `Node` in the SDL. */
function addNodes(documents: readonly DocumentNode[]): DocumentNode[] {
  const roots = rootsIn(documents);
  return documents.map((document) => ({
    ...document,
    definitions: document.definitions.map((node) =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION && roots.has(node.name.value) ? asNode(node) : node,
    ),
  }));
}

/** The resolvers of nodes. A node is read by the root field of its type as it is in the schema, with all checks of the caller. */
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

/** The globally unique identifier of an object. */
export const nodeIdOf = (type: string, id: string | number): string =>
  Buffer.from(`${type}:${id}`).toString('base64url');

/** Decodes an identifier; undefined for an invalid one. */
function readNodeId(text: string): { readonly type: string; readonly id: string } | undefined {
  const [, type, id] = /^(\w+):(\d+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (type === undefined || id === undefined) return undefined;
  // Decoding is lenient, but an object must have only one identifier.
  return nodeIdOf(type, id) === text ? { type, id } : undefined;
}

/** Finds the root fields. @throws Error if two root fields return the same type by its id. This stops the start of the server. */
function rootsIn(documents: readonly DocumentNode[]): Roots {
  const roots = new Map<string, Root>();
  for (const field of documents.flatMap(({ definitions }) => definitions).flatMap(fieldsOfQuery)) {
    const root = rootOf(field);
    if (!root || field.type.kind !== Kind.NAMED_TYPE) continue;
    const type = field.type.name.value;
    const other = roots.get(type)?.field;
    if (other !== undefined)
      throw new Error(`Query.${other} and Query.${root.field} both return a ${type} by its id.`);
    roots.set(type, root);
  }
  return roots;
}

const fieldsOfQuery = (node: DefinitionNode): readonly FieldDefinitionNode[] =>
  (node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION) &&
  node.name.value === 'Query'
    ? (node.fields ?? [])
    : [];

/** Recognises a root field that takes only an id, or an organisation and an id, and does not return `Node` itself. */
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
  "Globally unique identifier of the object, for \`node\`. Opaque."
  nodeId: ID! @shared @example(value: "T3JkZXI6MQ")
}`;

function asNode(node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  // The text has one definition, that of an object type.
  const [added] = parse(AS_NODE, { noLocation: true }).definitions as readonly [ObjectTypeDefinitionNode];
  const [first, ...others] = node.fields ?? [];
  return {
    ...node,
    interfaces: [...(node.interfaces ?? []), ...(added.interfaces ?? [])],
    fields: [...(first ? [first] : []), ...(added.fields ?? []), ...others],
  };
}
