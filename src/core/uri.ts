/** URIs of clients, which OpenAPI declares as `format: uri`. */

/**
 * A URI (RFC 3986, appendix A), with brackets only around an address, and with a host if its scheme is that of the web: `URL` reads one
 * even in `https:/path`. Linear in the length of the text.
 */
const URI =
  /^(?!https?:(?!\/\/[^/]))[a-z][a-z\d+.-]*:(?:\/\/\[[\da-f:.]+\])?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;

/**
 * Returns the problem of a text with characters that no URI has, as a message to follow its name. `URL` would encode or drop them: what is
 * stored, or compared, would then not be what the client sent.
 */
export const problemWithUri = (text: string): string | undefined =>
  URI.test(text)
    ? undefined
    : 'must be a URI such as https://example.com/path, with all other characters percent-encoded';
