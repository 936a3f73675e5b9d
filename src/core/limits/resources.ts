/** Pages, orders, documents and apps. */

export const RESOURCES = {
  /** Rows per page when the client gives no size, as the schema says. A lower maximum of a page applies to it as well. */
  pageDefault: 20,
  /**
   * Maximum rows that a page by number may skip. Skipping one in an index takes about 0.1 us on SQLite and 0.2 us on PostgreSQL.
   * A deeper page is refused with `page_too_deep`.
   */
  pageDepth: 10_000,
  /** Maximum items of one order, so that an order and all its items fit one page. */
  orderItems: 100,
  /** Maximum quantity of one item. With `orderItems` and `unitPrice`, a total stays within 15 digits. */
  itemQuantity: 10_000,
  /** Maximum minor units of a unit price. Totals have up to 15 digits, which a JSON number represents exactly everywhere. */
  unitPrice: 999_999_999,
  /** Maximum lines of an imported file of products: one transaction of about 2 s, during which other writers wait on SQLite. */
  importedProducts: 100_000,
  /** Rows per statement of an import: few enough for SQLite's 32,766 parameters, many enough to save round trips. */
  importChunk: 500,
  /** Maximum bytes of such a file, which is read into memory. */
  importedBytes: 32 * 1024 * 1024,
  /** Maximum characters of a document's title: a line. Like every `@constraint` it counts code points (`core/characters.ts`). */
  documentTitleLength: 200,
  /**
   * Maximum characters of a document's body, about 40 pages. One character takes 1 byte of a request in English and up to 3 in
   * scripts such as Chinese, where `BODY_LIMIT` is reached first by default, with 413 after about 87,000 characters. JSON escapes, such as
   * the 2 bytes of a line break, come on top.
   */
  documentBodyLength: 100_000,
  /** Maximum apps of one organisation: many times what a company with an app for each of its products needs. */
  apps: 100,
  /** Maximum apps installed in one organisation, including its own: each is a member. */
  installations: 200,
  /** Maximum redirect URIs of an app: one for each of its stages and regions. */
  redirectUris: 20,
  /** Maximum characters of a redirect URI. */
  redirectUriLength: 500,
  /** Secrets of an app that are valid at the same time: the one in use and its replacement. */
  appSecrets: 2,
  /** Maximum public keys that verify an app's assertions: two during a rotation, on a few machines. */
  appKeys: 10,
  /** Maximum characters of all these keys together as JSON: ten RSA keys of 4096 bits. */
  appKeysLength: 10_000,
  /** Maximum grants of one person to apps, so that they fit a few pages. */
  grantsPerPerson: 500,
  /** Maximum people a document is shared with, so that they fit one page. For more people there is `internal`. */
  documentShares: 100,
} as const;
