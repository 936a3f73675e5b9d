/** GraphQL documents and operations. */
import { KIB } from './units.ts';

export const GRAPHQL = {
  /** Characters of a GraphQL document. What is long belongs into variables; 5,000 tokens with white space take 50 KiB. */
  documentLength: 64 * KIB,
  /** Lexical tokens of a GraphQL document. The longest hand-written operation we know has under 1,000. */
  documentTokens: 5000,
  /** Braces, brackets and parentheses within each other. It is above what the depth admits, with input objects and inline
   * fragments, and far below what the parser's recursion could bear. */
  documentNesting: 40,
  /** Fragments of a document. Validation compares each with each. */
  documentFragments: 100,
  /**
   * Operations of a document. Each is validated with all fragments that it uses, so reading takes time by the product of both; a
   * screen sends one, and a file of a few related ones fits.
   */
  documentOperations: 10,
  /** Variables of an operation, more than any form has. */
  operationVariables: 100,
  /** Directives of a document: one `@include` for each field of a large screen. */
  documentDirectives: 100,
  /** Fields of an operation, fragments counted at each use. */
  operationFields: 1000,
  /** Fields that share one place in the response. Validation compares each of them with each, and they are merged in the end. */
  fieldsInOnePlace: 30,
  /** Levels of fields of an operation, through fragments, the leaves included. */
  operationDepth: 10,
  /** Levels of introspection with `ofType`, which wraps one type at a time and is not counted above: what the usual query has. */
  introspectionDepth: 16,
  /** Aliases of an operation, fragments counted at each use. */
  operationAliases: 30,
  /** Fields of an operation's root, fragments counted at each use: each is a query of its own. */
  operationRootFields: 20,
  /** Mistakes named of one document: enough to go on, and hardly work for a document that has nothing but mistakes. */
  documentErrors: 20,
  /** GraphQL documents kept in memory, parsed and validated, least recently used first out. */
  documentCache: 1000,
  /** Tokens of all of them together, each of which takes some 500 bytes; their texts count by the memory that they take, too. */
  documentCacheTokens: 100_000,
} as const;
