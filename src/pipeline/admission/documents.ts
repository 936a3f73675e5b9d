/** Admits documents: limits that hold for every operation, client and door. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { hashOf, type TrustedDocuments } from './manifest.ts';
import { boundStructure } from './structure.ts';
import { boundText } from './text.ts';

export interface DocumentOptions {
  readonly schema: GraphQLSchema;
  /** Hides the schema: no introspection, and no "Did you mean" that would spell it out. */
  readonly production: boolean;
  /** Documents that clients were built with; undefined where there are none. */
  readonly trusted?: TrustedDocuments | undefined;
}

/** An invalid document, with all errors and their places; the message is the first one's. */
export class InvalidDocument extends ApiError {
  readonly mistakes: readonly GraphQLError[];

  constructor(
    code: 'graphql_parse_failed' | 'graphql_validation_failed' | 'invalid_variables',
    mistakes: readonly [GraphQLError, ...GraphQLError[]],
  ) {
    super(code, { message: mistakes[0].message, cause: mistakes[0] });
    this.mistakes = mistakes;
  }
}

export interface Documents {
  /**
   * A document that was read before.
   *
   * @throws ApiError `document_not_trusted`.
   */
  find(text: string): DocumentNode | undefined;
  /** Points for reading a document that {@link find} does not know; 0 for one that is too long to be read. */
  readingCost(text: string): number;
  /**
   * A parsed and validated document, cached after the first time.
   *
   * @throws ApiError why it may not: `query_too_large` and the other bounds, or {@link InvalidDocument}.
   */
  read(text: string): DocumentNode;
  /** The text of a document that a client knows by id or hash: one of the manifest, or one that was let in lately. */
  textOf(id: string): string | undefined;
}

interface Entry {
  readonly document: DocumentNode;
  readonly tokens: number;
  /** Of the text, SHA-256 in hexadecimal. */
  readonly hash: string;
}

/**
 * Characters of a text that take as much memory as a token of its document: 500 bytes. A text may be long and have few tokens,
 * where it consists of comments or of one string.
 */
const CHARACTERS_PER_TOKEN = 250;

/** Each step costs more than those before it, and is safe only after them. */
export function createDocuments({ schema, production, trusted }: DocumentOptions): Documents {
  const once = rootFieldsWith(schema, 'once');
  const rules = production ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules;
  /** Texts of the documents below, so that what is asked for by its hash was let in before and takes no room of its own. */
  const texts = new Map<string, string>();
  const known = new LRUCache<string, Entry>({
    max: LIMITS.documentCache,
    maxSize: LIMITS.documentCacheTokens,
    sizeCalculation: ({ tokens }, text) => Math.ceil(tokens + text.length / CHARACTERS_PER_TOKEN),
    onInsert: ({ hash }, text) => void texts.set(hash, text),
    disposeAfter: ({ hash }) => void texts.delete(hash),
  });

  const admit = (text: string): Entry => {
    const tokens = asMistake('graphql_parse_failed', () => boundText(text));
    const document = asMistake('graphql_parse_failed', () => parse(text));
    asMistake('graphql_validation_failed', () => boundStructure(document, once));
    refuseInvalid(schema, document, rules, production);
    return { document, tokens, hash: hashOf(text) };
  };

  const find = (text: string): DocumentNode | undefined => {
    if (trusted?.only && !trusted.has(text)) throw new ApiError('document_not_trusted');
    return known.get(text)?.document;
  };

  return {
    find,
    readingCost(text) {
      // Documents of the manifest are trusted and bounded.
      if (text.length > LIMITS.documentLength || trusted?.has(text)) return 0;
      return Math.ceil(text.length / LIMITS.documentCharactersPerPoint);
    },
    read(text) {
      const found = find(text);
      if (found) return found;
      const entry = admit(text);
      known.set(text, entry);
      return entry.document;
    },
    textOf: (id) => trusted?.textOf(id) ?? texts.get(id.replace(/^sha256:/, '')),
  };
}

/** Names of root fields that carry a directive in the SDL. */
function rootFieldsWith(schema: GraphQLSchema, directive: string): ReadonlySet<string> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}));
  return new Set(
    fields
      .filter(({ astNode }) => astNode?.directives?.some(({ name }) => name.value === directive))
      .map(({ name }) => name),
  );
}

function asMistake<T>(code: 'graphql_parse_failed' | 'graphql_validation_failed', step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof GraphQLError) throw new InvalidDocument(code, [error]);
    throw error;
  }
}

function refuseInvalid(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
  hideSuggestions: boolean,
): void {
  const [first, ...others] = validate(schema, document, rules, {
    maxErrors: LIMITS.documentErrors,
    hideSuggestions,
  });
  if (first) throw new InvalidDocument('graphql_validation_failed', [first, ...others]);
}
