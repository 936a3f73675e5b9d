/** Limits a document before it is parsed, by counting its tokens without recursion. */
import { Lexer, Source, type Token, TokenKind } from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Counts the tokens of a document. The parser is recursive, so nesting is limited before it runs.
 *
 * @param most maximum number of tokens.
 * @returns the number of tokens.
 * @throws ApiError `query_too_large`, `query_too_deep`, `too_many_directives`; GraphQLError for a text with invalid tokens.
 */
export function boundText(text: string, most: number): number {
  if (text.length > LIMITS.documentLength) {
    throw new ApiError('query_too_large', {
      message: `The document has more than ${LIMITS.documentLength} characters. Send values as variables.`,
    });
  }
  const lexer = new Lexer(new Source(text));
  const counts: Counts = { tokens: 0, nesting: 0, directives: 0 };
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    count(token, counts, most);
  }
  return counts.tokens;
}

interface Counts {
  tokens: number;
  nesting: number;
  directives: number;
}

function count({ kind }: Token, counts: Counts, most: number): void {
  counts.tokens += 1;
  if (counts.tokens > most) {
    throw new ApiError('query_too_large', { message: `The document has more than ${most} tokens.` });
  }
  if (OPENING.has(kind)) counts.nesting += 1;
  else if (CLOSING.has(kind)) counts.nesting -= 1;
  else if (kind === TokenKind.AT) counts.directives += 1;
  if (counts.nesting > LIMITS.documentNesting) {
    throw new ApiError('query_too_deep', {
      message: `The document has more than ${LIMITS.documentNesting} levels of nested braces, brackets and parentheses.`,
    });
  }
  if (counts.directives > LIMITS.documentDirectives) {
    throw new ApiError('too_many_directives', {
      message: `The document has more than ${LIMITS.documentDirectives} directives.`,
    });
  }
}
