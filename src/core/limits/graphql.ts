/** GraphQL documents and operations. */
import { KIB } from './units.ts';

export const GRAPHQL = {
  /** Maximum characters of a GraphQL document. Long values belong in variables; 5,000 tokens with white space take 50 KiB. */
  documentLength: 64 * KIB,
  /** Maximum nesting of braces, brackets and parentheses. More than the depth of an operation, for input objects and inline
   * fragments, and far below what the parser's recursion can handle. */
  documentNesting: 40,
  /** Maximum fragments of a document. Validation compares each with each. */
  documentFragments: 100,
  /**
   * Maximum operations of a document. Each is validated with all fragments that it uses, so the time grows with the product of
   * both. A screen sends one, and a file of a few related operations fits.
   */
  documentOperations: 10,
  /** Maximum variables of an operation, more than any form has. */
  operationVariables: 100,
  /** Maximum directives of a document: one `@include` for each field of a large screen. */
  documentDirectives: 100,
  /** Maximum fields of an operation, fragments counted at each use. */
  operationFields: 1000,
  /** Maximum fields with the same response path. Validation compares each of them with each, and execution merges them. */
  fieldsInOnePlace: 30,
  /** Levels of introspection within which `ofType`, which unwraps one type at a time, is not counted: as in the common query. */
  introspectionDepth: 16,
  /** Maximum errors reported for one document: enough to fix it, and little work for a document that consists of errors. */
  documentErrors: 20,
  /** GraphQL documents kept in memory, parsed and validated, least recently used first out. */
  documentCache: 1000,
  /** Maximum tokens of all cached documents, each about 500 bytes. Their texts count as well, by the memory that they take. */
  documentCacheTokens: 100_000,
} as const;
