/** Prices, in points, and the budgets that they are taken from. */
import { KIB } from './units.ts';

export const PRICES = {
  /** Points that a field of `Mutation` costs beside its objects: a write is worth some reads. */
  mutationWeight: 10,
  /** Points that reading the whole schema costs, however much of it is selected: milliseconds, like a page of 100 orders. */
  schemaWeight: 100,
  /** Points that reading one type of the schema costs. */
  typeWeight: 10,
  /** The share of a budget that each instance gives by itself while Redis, where instances share it, does not answer. */
  budgetShareAlone: 0.5,
  /** The share of its caller's budget that an export leaves to the caller's other requests: it waits for more points. */
  exportReserve: 0.25,
  /** Callers whose budgets are kept in memory. With more within seconds, some get a full one again. */
  budgets: 100_000,
  /**
   * Milliseconds before a caller without points gets its refusal. Clients that retry at once would otherwise keep a core busy:
   * sixteen connections sent 2,500 requests a second without the delay, and cannot send more than 320 with it.
   */
  refusalDelay: 50,
  /** Points that a refusal costs of an operation that was found. */
  refusalCost: 1,
  /** Points that a refused document costs beside its reading: a reason not to send another one. */
  refusedDocumentCost: 10,
  /**
   * Characters of a document that are read for a point. Parsing and validating take 0.5 to 1.7 microseconds for a character, and
   * what an operation does for a point takes 10 to 30.
   */
  documentCharactersPerPoint: 20,
  /** Fields whose compilation is included in the reading cost: some milliseconds. */
  fieldsCompiledFree: 100,
  /** Points for compiling each field of a larger operation, which takes up to 80 microseconds. */
  compiledFieldCost: 2,
  /**
   * Characters of a body that are read for a point; the first ones are part of what is asked for. Reading JSON takes up to 75
   * microseconds for so many.
   */
  bodyCharactersPerPoint: KIB,
} as const;
