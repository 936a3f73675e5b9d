/**
 * Matches one line of text that a person writes, such as a name or a title. It is an ECMA-262 regular expression that works with
 * and without the flag `u`, so that OpenAPI can publish it for any tool.
 *
 * The line has at least one visible character, neither white space nor of zero width. It has no control characters or line
 * breaks, which could forge lines of a log or a list, and no characters that change the direction of the surrounding text
 * (Unicode TR36, section 2.3). Joiners, which emoji and some scripts need, are allowed.
 */
export const LINE =
  '^(?=.*[^\\s\\u00AD\\u200B-\\u200F\\u2060\\uFEFF])[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]*$';

const PATTERN = new RegExp(LINE, 'u');

/** The problem of a text that should be such a line, as a message to follow its name; undefined if there is none. */
export function problemWithLine(text: string): string | undefined {
  return PATTERN.test(text) && text.isWellFormed()
    ? undefined
    : 'must be one line with visible characters and without control characters';
}
