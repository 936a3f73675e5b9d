import type { FieldNode } from 'graphql';
import { getNamedType, isObjectType } from 'graphql';
import { fieldsIn, fragmentsOf } from '../../core/selections.ts';
import type { Field } from '../../graphql/field.ts';
import { fillingsOf } from '../handle/arguments.ts';
import type { Schema } from '../openapi/types.ts';
import { DocumentError, type OperationDocument } from './documents.ts';
import type { View } from './view.ts';

/** The parts of a route that make it a list with cursor pagination. */
export interface CursorList {
  /** The names of the variables for the size of a page, and for the cursor after which it starts. */
  readonly size: string;
  readonly cursor: string;
  /** The names of the response members with the rows, and with the cursor of the next page, which is null at the end. */
  readonly rows: string;
  readonly next: string;
  readonly row: Schema;
}

/**
 * Recognises a list with cursor pagination: its field takes `first` and `after`, and its pages have `nodes` and `nextCursor`. A route without
 * `after` shows only one page, and is not such a list.
 *
 * @throws DocumentError if a client of the route could not read the list to its end.
 */
export function readCursorList(
  operation: OperationDocument,
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
      `${field.name} is a list with cursor pagination: bind "first" and "after" to variables, and select "nodes" and "nextCursor".`,
    );
  }
  return { size, cursor, rows, next, row };
}
