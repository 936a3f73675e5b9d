/** Prices in points, and the budgets that pay for them. */
import { KIB } from './units.ts';

export const PRICES = {
  /** Points that a field of `Mutation` costs in addition to its objects: a write is worth a few reads. */
  mutationWeight: 10,
  /** Points that reading the whole schema costs, whatever is selected of it: it takes milliseconds, like a page of 100 orders. */
  schemaWeight: 100,
  /** Points that reading one type of the schema costs. */
  typeWeight: 10,
  /** Objects that a list without `@listSize` is priced at, and each list that contains a list. */
  unknownListLength: 100,
  /** The share of a budget that each instance grants on its own while Redis, which normally shares it, does not respond. */
  budgetShareAlone: 0.5,
  /** The share of its caller's budget that an export leaves for other requests: below it, the export waits for points. */
  exportReserve: 0.25,
  /** Callers whose budgets are kept in memory. If more callers come within seconds, some get a full budget again. */
  budgets: 100_000,
  /**
   * Milliseconds before a caller without points is refused. Clients that retry at once would otherwise keep a core busy: sixteen
   * connections sent 2,500 requests a second without the delay, and cannot send more than 320 with it.
   */
  refusalDelay: 50,
  /** Points charged for a refused operation whose document was valid. */
  refusalCost: 1,
  /** Points charged for a refused document in addition to reading it, which discourages sending another one. */
  refusedDocumentCost: 10,
  /**
   * Characters of a document that are read per point. Parsing and validating take 0.5 to 1.7 microseconds per character; an
   * operation runs for 10 to 30 microseconds per point.
   */
  documentCharactersPerPoint: 20,
  /** Fields whose compilation is included in the reading cost: a few milliseconds. */
  fieldsCompiledFree: 100,
  /** Points for compiling each field of a larger operation, which takes up to 80 microseconds. */
  compiledFieldCost: 2,
  /**
   * Characters of a body that are read per point; the first ones are included in the price of the operation. Reading this much
   * JSON takes up to 75 microseconds.
   */
  bodyCharactersPerPoint: KIB,
} as const;
