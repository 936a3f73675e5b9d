import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { type Fragments, fieldsIn } from '../../src/core/selections.ts';

/**
 * Whether the operation selects a field below the one being resolved, so that its data can be fetched in the same statement.
 * A field with `@skip` or `@include` counts as selected: at worst, unused data is fetched.
 *
 * @param path field names from the outside in, joined with dots: `nodes.items`.
 */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, path: string): boolean {
  return fieldNodes.some(({ selectionSet }) => contains(selectionSet, path.split('.'), fragments));
}

function contains(set: SelectionSetNode | undefined, path: readonly string[], fragments: Fragments): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return fieldsIn(set, fragments).some(
    (field) => field.name.value === name && contains(field.selectionSet, rest, fragments),
  );
}
