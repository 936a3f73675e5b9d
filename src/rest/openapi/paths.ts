import type { OperationDefinitionNode } from 'graphql';
import { DocumentError, placeOf } from '../compile/documents.ts';
import type { Operation, PathItem } from './types.ts';

/** The operations of a description, by path. */
export class Paths {
  readonly #items = new Map<string, Record<string, Operation>>();
  /** The source of each id: an operation in a document, undefined for the server's own operations. */
  readonly #makers = new Map<string, OperationDefinitionNode | undefined>();

  get items(): Record<string, PathItem> {
    return Object.fromEntries(this.#items);
  }

  /**
   * @param maker the operation in a document that this one was made from, undefined for the server's own operations.
   * @throws DocumentError if another operation has the same id.
   */
  add(path: string, method: string, operation: Operation, maker?: OperationDefinitionNode): void {
    const { operationId } = operation;
    if (this.#makers.has(operationId)) refuseId(operationId, maker, this.#makers.get(operationId));
    this.#makers.set(operationId, maker);
    const item = this.#items.get(path) ?? {};
    item[method.toLowerCase()] = operation;
    this.#items.set(path, item);
  }
}

/** Refuses a duplicate id. Names can also collide with generated ids of routes under /v2 or at former paths: `GetOrderV2`. */
function refuseId(
  id: string,
  maker: OperationDefinitionNode | undefined,
  other: OperationDefinitionNode | undefined,
): never {
  const document = maker ?? other;
  if (!document) throw new Error(`The server itself has two operations with the id ${id}.`);
  const holder = maker && other ? `the operation in ${placeOf(other)}` : 'an operation of the server itself';
  throw new DocumentError(
    document,
    `${id}, its id in OpenAPI, is already the id of ${holder}. Rename one of them.`,
  );
}
