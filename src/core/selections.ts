import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/**
 * Returns the selections on the first level of a set, including fragments and what they select, regardless of type conditions, `@skip`
 * and `@include`. The document must have been validated: a fragment that spreads itself would cause an endless recursion.
 */
export function selectionsIn(set: SelectionSetNode | undefined, fragments: Fragments): SelectionNode[] {
  return (set?.selections ?? []).flatMap((selection): SelectionNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    return [selection, ...selectionsIn(inner?.selectionSet, fragments)];
  });
}

/** The fields among {@link selectionsIn}. */
export const fieldsIn = (set: SelectionSetNode | undefined, fragments: Fragments): FieldNode[] =>
  selectionsIn(set, fragments).filter((selection) => selection.kind === Kind.FIELD);

/** Returns the fragments of a document by name. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return Object.fromEntries(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  );
}
