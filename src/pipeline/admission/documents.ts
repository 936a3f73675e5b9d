/** Admits documents, with limits that apply to every operation, client and door. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
} from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { directiveValues } from '../../graphql/directives/values.ts';
import { hashOf } from './manifest.ts';
import { withoutSecretLiterals } from './omitted-secrets.ts';
import { bound, boundStructure, type StructureLimits } from './structure.ts';

export interface AdmissionOptions extends StructureLimits {
  readonly schema: GraphQLSchema;
  /** Maximum lexical tokens of a document. */
  readonly documentTokens: number;
  /** Hides the schema: introspection is refused, and errors have no "Did you mean" suggestions. */
  readonly production: boolean;
}

/** An invalid document, with all errors and their locations. Its message is that of the first error. */
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

/** A document that was admitted. */
export interface AdmittedDocument {
  readonly document: DocumentNode;
  /** The number of its lexical tokens. */
  readonly tokens: number;
  /** The SHA-256 of its text, in hexadecimal. */
  readonly hash: string;
}

/**
 * Returns a function that reads a document. Each of its steps costs more than the previous ones, and is safe only after them. The function
 * throws ApiError with the code of a limit that the document exceeds, or {@link InvalidDocument}.
 */
export function createAdmission(limits: AdmissionOptions): (text: string) => AdmittedDocument {
  const { schema, documentTokens, production } = limits;
  const once = rootFieldsWith(schema, 'once');
  const rules = production ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules;
  const options = { maxErrors: LIMITS.documentErrors, hideSuggestions: production };
  const errorsOf = (document: DocumentNode): readonly GraphQLError[] => {
    const errors = validate(schema, document, rules, options);
    const quotable = errors.length === 0 ? document : withoutSecretLiterals(schema, document);
    return quotable === document ? errors : validate(schema, quotable, rules, options);
  };
  return (text) => {
    const tokens = asMistake('graphql_parse_failed', () => boundText(text, documentTokens));
    const document = asMistake('graphql_parse_failed', () => parse(text));
    asMistake('graphql_validation_failed', () => boundStructure(document, once, limits));
    const [first, ...others] = errorsOf(document);
    if (first) throw new InvalidDocument('graphql_validation_failed', [first, ...others]);
    return { document, tokens, hash: hashOf(text) };
  };
}

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Limits a document before it is parsed: the parser is recursive, so nesting is limited as well. Returns the number of tokens.
 *
 * @throws ApiError `query_too_large`, `query_too_deep`, `too_many_directives`; GraphQLError for a text with invalid tokens.
 */
function boundText(text: string, most: number): number {
  bound('query_too_large', text.length, LIMITS.documentLength, 'characters. Send values as variables');
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let nesting = 0;
  let directives = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    tokens += 1;
    if (OPENING.has(token.kind)) nesting += 1;
    else if (CLOSING.has(token.kind)) nesting -= 1;
    else if (token.kind === TokenKind.AT) directives += 1;
    bound('query_too_large', tokens, most, 'tokens');
    bound(
      'query_too_deep',
      nesting,
      LIMITS.documentNesting,
      'levels of nested braces, brackets and parentheses',
    );
    bound('too_many_directives', directives, LIMITS.documentDirectives, 'directives');
  }
  return tokens;
}

/** The names of root fields with a directive in the SDL. */
function rootFieldsWith(schema: GraphQLSchema, directive: string): ReadonlySet<string> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}));
  return new Set(fields.filter((field) => directiveValues(schema, directive, field)).map(({ name }) => name));
}

function asMistake<T>(code: 'graphql_parse_failed' | 'graphql_validation_failed', step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof GraphQLError) throw new InvalidDocument(code, [error]);
    throw error;
  }
}
