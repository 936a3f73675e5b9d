import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Fragments, fragmentsOf } from '../core/selections.ts';

/**
 * An operation with its named fragments written out as inline fragments, at each of their uses. Every node is a copy of its own,
 * so that what a compiler notes on one (graphql-jit notes conditions) is noted for one place in the response only.
 *
 * @param document validated, and bounded in its size: what is written out has as many fields as were counted.
 */
export function expandOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationDefinitionNode {
  const fragments = fragmentsOf(document);
  return { ...operation, selectionSet: expandSet(operation.selectionSet, fragments) };
}

function expandSet(set: SelectionSetNode, fragments: Fragments): SelectionSetNode {
  return { ...set, selections: set.selections.map((selection) => expandSelection(selection, fragments)) };
}

function expandSelection(selection: SelectionNode, fragments: Fragments): SelectionNode {
  if (selection.kind === Kind.FIELD) {
    const { selectionSet } = selection;
    return { ...selection, ...(selectionSet && { selectionSet: expandSet(selectionSet, fragments) }) };
  }
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return { ...selection, selectionSet: expandSet(selection.selectionSet, fragments) };
  }
  const fragment = fragments[selection.name.value];
  if (!fragment) throw new Error(`A validated document has the fragment ${selection.name.value}.`);
  return {
    kind: Kind.INLINE_FRAGMENT,
    typeCondition: fragment.typeCondition,
    selectionSet: expandSet(fragment.selectionSet, fragments),
    ...(selection.directives && { directives: selection.directives }),
    ...(selection.loc && { loc: selection.loc }),
  };
}

/** Fields of a selection of an expanded operation, on all levels. */
export function fieldCount({ selections }: SelectionSetNode): number {
  return selections.reduce((count, selection) => {
    const below =
      'selectionSet' in selection && selection.selectionSet ? fieldCount(selection.selectionSet) : 0;
    return count + below + (selection.kind === Kind.FIELD ? 1 : 0);
  }, 0);
}

/** The fields that share one place in a response: they have one response name, and are merged. */
export interface Place {
  /** The response name: the alias, or else the name of the field. */
  readonly name: string;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** Places of a selection of an expanded operation, in the order of the response. */
export function placesIn(sets: readonly SelectionSetNode[]): Place[] {
  const nodes = sets.flatMap((set) => fieldsOf(set));
  const places = Map.groupBy(nodes, ({ alias, name }) => (alias ?? name).value);
  // A group has at least the node that made it.
  return [...places].map(([name, inPlace]) => ({ name, nodes: inPlace as [FieldNode, ...FieldNode[]] }));
}

/** The selections below a place. */
export const setsBelow = ({ nodes }: Place): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? []);

function fieldsOf(set: SelectionSetNode): FieldNode[] {
  return set.selections.flatMap((selection): FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet);
    throw new Error('An expanded operation has no fragment spreads.');
  });
}
