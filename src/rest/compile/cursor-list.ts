import type { FieldNode } from 'graphql';
import { getNamedType, isObjectType } from 'graphql';
import { fieldsIn, fragmentsOf } from '../../core/selections.ts';
import type { Field } from '../../graphql/field.ts';
import { fillingsOf } from '../handle/arguments.ts';
import { DocumentError, type Operation } from './documents.ts';
import type { JsonSchema, View } from './view.ts';

/** What of a route is a list that is read page by page with a cursor. */
export interface CursorList {
  /** The variables of a page's size, and of the cursor after which it starts. */
  readonly size: string;
  readonly cursor: string;
  /** The members of the response that have the rows, and the cursor of the next page, null at the end. */
  readonly rows: string;
  readonly next: string;
  /** The shape of a row. */
  readonly row: JsonSchema;
}

/**
 * Reads off an operation whether its root field is a list by cursor: such a field takes `first` and `after`, and its pages have
 * `nodes` and `nextCursor`. A route that does not take `after` shows one page of it, and is none.
 *
 * @returns undefined for anything else.
 * @throws DocumentError when a client of the route could not read the list to its end.
 */
export function readCursorList(
  operation: Operation,
  node: FieldNode,
  field: Field,
  view: View,
): CursorList | undefined {
  const page = getNamedType(field.type);
  const takes = new Set(field.args.map(({ name }) => name));
  if (!takes.has('first') || !takes.has('after')) return undefined;
  if (!isObjectType(page) || !page.getFields()['nextCursor'] || !page.getFields()['nodes']) return undefined;
  const fillings = fillingsOf(node);
  const selected = fieldsIn(node.selectionSet, fragmentsOf(operation.document));
  const [size, cursor] = ['first', 'after'].map(
    (argument) => fillings.find(({ path }) => path === argument)?.node.name.value,
  );
  if (cursor === undefined) return undefined;
  const [rows, next] = ['nodes', 'nextCursor'].map((name) => {
    const found = selected.find((one) => one.name.value === name);
    return (found?.alias ?? found?.name)?.value;
  });
  const row = view.bodySchema.properties?.[rows ?? '']?.items;
  if (size === undefined || next === undefined || rows === undefined || !row) {
    throw new DocumentError(
      operation.definition,
      `${field.name} is a list by cursor: bind "first" and "after" to variables, and select "nodes" and "nextCursor".`,
    );
  }
  return { size, cursor, rows, next, row };
}
