/**
 * The selections of operations: without named fragments, and by the fields of the response, with the types that the fields
 * are selected on. On an interface, each fragment may apply to another type, where a field with the same name is a different field.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Fragments, fragmentsOf } from '../core/selections.ts';
import { possibleFields } from '../graphql/field.ts';

type Type = GraphQLNamedType | null | undefined;

/** A selection and the type that it applies to. */
export interface TypedSet {
  readonly type: Type;
  readonly set: SelectionSetNode;
}

/** A field and the type that it is selected on: that of the nearest fragment, or of the value. */
interface TypedField {
  readonly type: Type;
  readonly node: FieldNode;
}

/** A field of the response: the selected fields with the same response name, which are merged if a value has several of them. */
export interface ResponseField {
  /** The response name: the alias, if there is one, or the name of the field. */
  readonly name: string;
  readonly fields: readonly [TypedField, ...TypedField[]];
}

/** Returns the fields of the response for selections of one value in an expanded operation, in the order of the response. */
export function responseFieldsIn(schema: GraphQLSchema, sets: readonly TypedSet[]): ResponseField[] {
  const fields = sets.flatMap((set) => fieldsIn(schema, set));
  const byName = Map.groupBy(fields, ({ node: { alias, name } }) => (alias ?? name).value);
  // A group has at least one field.
  return [...byName].map(([name, merged]) => ({ name, fields: merged as [TypedField, ...TypedField[]] }));
}

/** The selection of an operation. */
export const setsOf = (
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
): readonly TypedSet[] => [{ type: schema.getRootType(operation), set: selectionSet }];

/** The selections below a field of the response. */
export const setsBelow = ({ fields }: ResponseField): TypedSet[] =>
  fields.flatMap(({ type, node: { name, selectionSet } }) => {
    const field = type && 'getFields' in type ? type.getFields()[name.value] : undefined;
    return selectionSet ? [{ type: field && getNamedType(field.type), set: selectionSet }] : [];
  });

function fieldsIn(schema: GraphQLSchema, { type, set }: TypedSet): TypedField[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [{ type, node: selection }];
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [];
    const { typeCondition, selectionSet } = selection;
    const condition = typeCondition && schema.getType(typeCondition.name.value);
    return fieldsIn(schema, { type: condition ?? type, set: selectionSet });
  });
}

/** The fields of selections that have `@skip` or `@include`, or are in an inline fragment that has. */
export const conditionalFields = (sets: readonly TypedSet[]): ReadonlySet<FieldNode> =>
  new Set(sets.flatMap(({ set }) => conditionalIn(set, false)));

function conditionalIn(set: SelectionSetNode, isAlready: boolean): FieldNode[] {
  return set.selections.flatMap((selection): FieldNode[] => {
    const isConditional =
      isAlready || Boolean(selection.directives?.some(({ name }) => CONDITIONS.has(name.value)));
    if (selection.kind === Kind.INLINE_FRAGMENT) return conditionalIn(selection.selectionSet, isConditional);
    return selection.kind === Kind.FIELD && isConditional ? [selection] : [];
  });
}

export const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include']);

/** Whether a field is one that the GraphQL specification adds to the root type, and that no type of a schema can declare. */
export const isIntrospection = (field: string): boolean => field === '__schema' || field === '__type';

/**
 * Replaces the named fragments of an operation by inline fragments, at each of their uses. Every node is a separate copy,
 * so that an annotation of a compiler (graphql-jit annotates conditions) applies to one place in the response only.
 *
 * @param document validated and limited in size: the expanded operation has as many fields as were counted.
 */
export function expandOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationDefinitionNode {
  const fragments = fragmentsOf(document);
  return { ...operation, selectionSet: expandSet(operation.selectionSet, fragments) };
}

/** A recursion of its own: `visit` of graphql-js takes fifty times as long, a quarter of the time of validating the document. */
function expandSet(set: SelectionSetNode, fragments: Fragments): SelectionSetNode {
  const selections = set.selections.map((selection): FieldNode | InlineFragmentNode => {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) {
      const { selectionSet } = selection;
      return selectionSet
        ? { ...selection, selectionSet: expandSet(selectionSet, fragments) }
        : { ...selection };
    }
    const { name, directives = [], loc } = selection;
    const fragment = fragments[name.value];
    if (!fragment) throw new Error(`The document has no fragment "${name.value}": it was not validated.`);
    const { typeCondition } = fragment;
    const selectionSet = expandSet(fragment.selectionSet, fragments);
    return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet, ...(loc && { loc }) };
  });
  return { ...set, selections };
}

/** The number of fields of a selection of an expanded operation, on all levels. */
export function fieldCount({ selections }: SelectionSetNode): number {
  return selections.reduce((count, selection) => {
    const below =
      'selectionSet' in selection && selection.selectionSet ? fieldCount(selection.selectionSet) : 0;
    return count + below + (selection.kind === Kind.FIELD ? 1 : 0);
  }, 0);
}

/** The path of an error: response names, and indexes of list elements. */
export type Path = readonly (string | number)[];

/** Returns how many steps of a path lead to the value that becomes null if the field at its end fails; 0 for `data`. */
export type DepthOfNull = (path: Path) => number;

/** @param operation expanded. It is only traversed for the path of an error, which is rare. */
export const depthOfNullIn =
  (schema: GraphQLSchema, operation: OperationDefinitionNode): DepthOfNull =>
  (path) => {
    let depth = 0;
    let type: GraphQLOutputType | undefined;
    let sets = setsOf(schema, operation);
    for (const [index, step] of path.entries()) {
      if (typeof step === 'number') {
        const list: GraphQLOutputType | undefined = type && getNullableType(type);
        type = isListType(list) ? list.ofType : undefined;
      } else {
        const responseField = responseFieldsIn(schema, sets).find(({ name }) => name === step);
        // Merged fields have the same nullability.
        const [field] = responseField?.fields ?? [];
        type = field && possibleFields(schema, field.type, field.node.name.value)[0]?.type;
        sets = responseField ? setsBelow(responseField) : [];
      }
      if (!isNonNullType(type)) depth = index + 1;
    }
    return depth;
  };
