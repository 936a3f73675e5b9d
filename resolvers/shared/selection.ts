import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { type Fragments, fieldsIn } from '../../src/core/selections.ts';

/** Results by field node. Documents are cached and executed many times with the same nodes, so each node is searched only once. */
const results = new WeakMap<FieldNode, Map<string, boolean>>();

/**
 * Whether the operation selects a field below the one being resolved, so that its data can be fetched in the same statement.
 * A field with `@skip` or `@include` counts as selected: at worst, unused data is fetched.
 *
 * @param path field names from the outside in, joined with dots: `nodes.items`.
 */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, path: string): boolean {
  return fieldNodes.some((node) => {
    const resultByPath = results.get(node) ?? new Map<string, boolean>();
    results.set(node, resultByPath);
    const result = resultByPath.get(path) ?? contains(node.selectionSet, path.split('.'), fragments);
    resultByPath.set(path, result);
    return result;
  });
}

function contains(set: SelectionSetNode | undefined, path: readonly string[], fragments: Fragments): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return fieldsIn(set, fragments).some(
    (field) => field.name.value === name && contains(field.selectionSet, rest, fragments),
  );
}
