/** Exports: the response of a route with cursor pagination to clients that request the whole list. */
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { toApiError } from '../../graphql/errors.ts';
import type { Variables } from '../../pipeline/compile.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Operation } from '../../pipeline/operation.ts';
import { runOperation } from '../../pipeline/run.ts';
import type { CursorList } from '../compile/cursor-list.ts';
import type { View } from '../compile/view.ts';
import type { RestRequest } from '../handle/binding.ts';
import type { RouteParts } from '../handle/handler.ts';
import type { Schema } from '../openapi/types.ts';
import { createFormats, type Row } from './formats.ts';

export interface ExportPage {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

/** What the user of an export does about its first page. */
interface FirstPage {
  /** Called once no step can refuse the page before it is read. */
  readonly begin: () => Promise<void>;
  /** Checks the conditions of the request, once the page was read. @throws ApiError. */
  readonly check: () => void;
}

export type Export = ReturnType<typeof createExport>;

interface ExportParts extends RouteParts {
  readonly list: CursorList;
}

/** Creates the export of a list. It runs the route's operation, at a price for each row that includes the nested values. */
export function createExport(parts: ExportParts) {
  const { operation, view, list } = parts;
  const { price } = operation;
  const dataOf = (rows: readonly Row[]) => ({ [view.rootName]: { [list.rows]: rows } });
  const pointsPerRow = price.actual(dataOf([minimalRow(list.row)])) - price.actual(dataOf([]));
  const actual = (data: unknown) => Math.max(1, rowsOf(pageIn(data, view), list).length * pointsPerRow);
  return {
    /** The name of the operation that reads each page. The user of the export counts all pages as one request. */
    name: operation.name,
    formats: createFormats(list.row),
    /** The price of a row in points. */
    pointsPerRow,
    rowsIn: (page: unknown) => rowsOf(page as Row, list),
    begin: (request: RestRequest) =>
      new ExportRun({ ...parts, operation: { ...operation, price: { ...price, actual } } }, request),
  };
}

/** Returns a row without nested values. */
const minimalRow = ({ properties = {} }: Schema): Row =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, { type, properties: inner }]) =>
      inner || [type].flat().includes('array') ? [] : [[name, '']],
    ),
  );

const pageIn = (data: unknown, { rootName }: View) =>
  (data as Readonly<Record<string, Row | null | undefined>> | null | undefined)?.[rootName];

const rowsOf = (page: Row | null | undefined, { rows }: CursorList) => (page?.[rows] ?? []) as readonly Row[];

/** One export: the pages of a list, from the first to the last. */
export class ExportRun {
  readonly #parts: ExportParts;
  readonly #request: RestRequest;
  #variables: Variables | undefined;
  #size: number = LIMITS.exportPage;
  #after: unknown;

  constructor(parts: ExportParts, request: RestRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  /** Reads the next page as an operation of its own. @throws ApiError. */
  async next(context: Context, first?: FirstPage): Promise<ExportPage> {
    for (;;) {
      try {
        return await this.#read(context, first);
      } catch (error) {
        // The rows are long: a smaller page fits.
        if (!(error instanceof ApiError) || error.code !== 'response_too_large' || this.#size === 1)
          throw error;
        this.#size = Math.ceil(this.#size / 2);
      }
    }
  }

  async #read(context: Context, first: FirstPage | undefined): Promise<ExportPage> {
    const { operation, view, list, translate } = this.#parts;
    let page: Row | null | undefined;
    const { refusal, executed } = await runOperation(
      {
        door: this.#request.door,
        isPart: true,
        find: () => operation,
        readVariables: () => this.#readVariables(context),
        ...(first && {
          executorOf: ({ compiled }: Operation) => ({
            ...compiled,
            execute: async (...args: Parameters<typeof compiled.execute>) => {
              await first.begin();
              return compiled.execute(...args);
            },
          }),
        }),
        respond({ data }) {
          page = pageIn(data, view);
          if (!page) throw new ApiError('not_found');
          first?.check();
        },
      },
      context,
    );
    if (refusal) throw refusal;
    if (!page) throw translate(toApiError(executed?.result.errors?.[0]), this.#request.query);
    this.#after = page[list.next];
    return { rows: rowsOf(page, list), isLast: this.#after === null };
  }

  #readVariables({ requestCost }: Context): Variables {
    const { binding, list, operation } = this.#parts;
    if (!this.#variables) {
      refusePaging(this.#request, list);
      this.#variables = binding.bind(this.#request);
    }
    const variablesOf = (size: number) => ({
      ...this.#variables,
      [list.size]: size,
      ...(typeof this.#after === 'string' && { [list.cursor]: this.#after }),
    });
    // A page must not use up a small budget, and an operator can set a lower maximum cost of an operation.
    const most = Math.min(operation.price.most, requestCost.most / 2);
    while (this.#size > 1 && operation.price.requested(variablesOf(this.#size)) > most) {
      this.#size = Math.ceil(this.#size / 2);
    }
    return variablesOf(this.#size);
  }
}

/** @throws ApiError `invalid_parameter`. */
function refusePaging({ query }: RestRequest, { size, cursor }: CursorList): void {
  const details = [size, cursor]
    .filter((name) => query[name] !== undefined)
    .map((path) => ({ path, message: 'is not allowed in an export, which has the whole list' }));
  if (details.length > 0) throw new ApiError('invalid_parameter', { details });
}
