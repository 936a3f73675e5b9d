/**
 * One line of text that a person writes, such as a name or a title: as a regular expression of ECMA-262, with or without the
 * flag `u`, so that OpenAPI can show it to any tool.
 *
 * It has something to see: a character that is neither a space nor of zero width. It has no control character and no line
 * break, which would forge lines of a log or a list, and none of the characters that turn the direction of the text around
 * them (Unicode TR36, section 2.3). Joiners, which emoji and some scripts need, are allowed.
 */
export const LINE =
  '^(?=.*[^\\s\\u00AD\\u200B-\\u200F\\u2060\\uFEFF])[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]*$';

const PATTERN = new RegExp(LINE, 'u');

/** What is wrong with a text that should be such a line, to follow its name; undefined when nothing is. */
export function problemWithLine(text: string): string | undefined {
  return PATTERN.test(text) && text.isWellFormed()
    ? undefined
    : 'must be one line with something to read, without control characters';
}
