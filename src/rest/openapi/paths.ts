import type { OperationDefinitionNode } from 'graphql';
import { DocumentError, placeOf } from '../compile/documents.ts';
import type { Operation, PathItem } from './types.ts';

/** The operations of a description, by their paths. */
export class Paths {
  readonly #items = new Map<string, Record<string, Operation>>();
  /** Of each id, the operation of a document that it came from; none for what the server itself answers. */
  readonly #makers = new Map<string, OperationDefinitionNode | undefined>();

  get items(): Record<string, PathItem> {
    return Object.fromEntries(this.#items);
  }

  /**
   * @param maker the operation of a document that this one was made from, if it was made from one.
   * @throws DocumentError when another operation has this one's id.
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

/** The name of an operation may also become that of its route under /v2, or at a former path: `GetOrderV2`. */
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
    `${id}, its id in OpenAPI, is that of ${holder} already. Rename one of them.`,
  );
}
