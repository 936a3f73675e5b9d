/** A page of a cursor list: `nodes`, and `edges` and `pageInfo` as defined by the Relay cursor connections specification. */
import type { Position } from '../../src/core/cursors.ts';

/** The position of a page in its list. */
interface Ends {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** The positions where the page begins and ends; undefined if there was nothing to search. */
  readonly start: Position | undefined;
  readonly end: Position | undefined;
}

/** Makes the cursors of a list. */
interface Cursors<Row> {
  readonly positionOf: (row: Row) => Position;
  readonly seal: (position: Position) => string;
}

/**
 * A page of a list. Cursors are sealed on first use, since most pages need at most one of them, and cached, since compiled code
 * reads a member several times.
 */
export class Connection<Row> {
  readonly nodes: readonly Row[];
  readonly #ends: Ends;
  readonly #cursors: Cursors<Row>;
  #edges: readonly Edge<Row>[] | undefined;
  #startCursor: string | undefined;
  #endCursor: string | undefined;

  constructor(nodes: readonly Row[], ends: Ends, cursors: Cursors<Row>) {
    this.nodes = nodes;
    this.#ends = ends;
    this.#cursors = cursors;
  }

  /** Returns the same page with other rows: filtered or extended. */
  withNodes<Node extends Row>(nodes: readonly Node[]): Connection<Node> {
    return new Connection(nodes, this.#ends, this.#cursors);
  }

  /** Built once, however many aliases select it. */
  get edges(): readonly Edge<Row>[] {
    this.#edges ??= this.nodes.map((node) => new Edge(node, this.#cursors));
    return this.#edges;
  }

  /** The page itself has all fields of `PageInfo`. */
  get pageInfo(): this {
    return this;
  }

  get hasNextPage(): boolean {
    return this.#ends.hasNextPage;
  }

  get hasPreviousPage(): boolean {
    return this.#ends.hasPreviousPage;
  }

  get startCursor(): string | null {
    const { start } = this.#ends;
    if (start === undefined) return null;
    this.#startCursor ??= this.#cursors.seal(start);
    return this.#startCursor;
  }

  get endCursor(): string | null {
    const { end } = this.#ends;
    if (end === undefined) return null;
    this.#endCursor ??= this.#cursors.seal(end);
    return this.#endCursor;
  }

  get nextCursor(): string | null {
    return this.hasNextPage ? this.endCursor : null;
  }
}

/** A row of a page with its own cursor. */
class Edge<Row> {
  readonly node: Row;
  readonly #cursors: Cursors<Row>;
  #cursor: string | undefined;

  constructor(node: Row, cursors: Cursors<Row>) {
    this.node = node;
    this.#cursors = cursors;
  }

  get cursor(): string {
    this.#cursor ??= this.#cursors.seal(this.#cursors.positionOf(this.node));
    return this.#cursor;
  }
}
