import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Documents are kept and run many times, and their nodes stay the same; so each is looked at once. */
const known = new WeakMap<FieldNode, Map<string, boolean>>();

/**
 * Whether the operation asks for a field below the one being resolved, so that what it needs can be fetched together.
 * A field under `@skip` or `@include` counts as asked for: at worst something is fetched that is not shown.
 *
 * @param path names of fields from the outside in, joined with dots: `nodes.items`.
 */
export function selects(info: GraphQLResolveInfo, path: string): boolean {
  return info.fieldNodes.some((node) => {
    let answers = known.get(node);
    if (!answers) known.set(node, (answers = new Map()));
    let answer = answers.get(path);
    if (answer === undefined) answers.set(path, (answer = reaches(node.selectionSet, path.split('.'), info)));
    return answer;
  });
}

function reaches(set: SelectionSetNode | undefined, path: readonly string[], info: GraphQLResolveInfo): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return (set?.selections ?? []).some((selection) => {
    switch (selection.kind) {
      case Kind.FIELD:
        return selection.name.value === name && reaches(selection.selectionSet, rest, info);
      case Kind.INLINE_FRAGMENT:
        return reaches(selection.selectionSet, path, info);
      case Kind.FRAGMENT_SPREAD:
        return reaches(info.fragments[selection.name.value]?.selectionSet, path, info);
    }
  });
}
