import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { type Fragments, fieldsIn } from '../../src/core/selections.ts';

/** Documents are kept and run many times, and their nodes stay the same; so each is looked at once. */
const known = new WeakMap<FieldNode, Map<string, boolean>>();

/**
 * Whether the operation asks for a field below the one being resolved, so that what it needs can be fetched together.
 * A field under `@skip` or `@include` counts as asked for: at worst something is fetched that is not shown.
 *
 * @param path names of fields from the outside in, joined with dots: `nodes.items`.
 */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, path: string): boolean {
  return fieldNodes.some((node) => {
    const answers = known.get(node) ?? new Map<string, boolean>();
    known.set(node, answers);
    const answer = answers.get(path) ?? reaches(node.selectionSet, path.split('.'), fragments);
    answers.set(path, answer);
    return answer;
  });
}

function reaches(set: SelectionSetNode | undefined, path: readonly string[], fragments: Fragments): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return fieldsIn(set, fragments).some(
    (field) => field.name.value === name && reaches(field.selectionSet, rest, fragments),
  );
}
