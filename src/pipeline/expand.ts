import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Fragments, fragmentsOf } from '../core/selections.ts';

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
  if (!fragment)
    throw new Error(`The document has no fragment "${selection.name.value}": it was not validated.`);
  return {
    kind: Kind.INLINE_FRAGMENT,
    typeCondition: fragment.typeCondition,
    selectionSet: expandSet(fragment.selectionSet, fragments),
    ...(selection.directives && { directives: selection.directives }),
    ...(selection.loc && { loc: selection.loc }),
  };
}

/** The number of fields of a selection of an expanded operation, on all levels. */
export function fieldCount({ selections }: SelectionSetNode): number {
  return selections.reduce((count, selection) => {
    const below =
      'selectionSet' in selection && selection.selectionSet ? fieldCount(selection.selectionSet) : 0;
    return count + below + (selection.kind === Kind.FIELD ? 1 : 0);
  }, 0);
}
